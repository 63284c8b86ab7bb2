#include "ask.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <GraphMol/new_canon.h>

namespace pacia {

namespace {

// Atomic numbers in the order of MiniMol's list; the place after them is for all others.
constexpr std::array<uint8_t, 43> kElements = {6,  7,  8,  16, 9,  14, 15, 17, 35, 12, 11, 20, 26, 33, 13,
                                               53, 5,  23, 19, 81, 70, 51, 50, 47, 46, 27, 34, 22, 30, 1,
                                               3,  32, 29, 79, 28, 48, 49, 25, 40, 24, 78, 80, 82};

int elementPlace(int number) {
  return static_cast<int>(std::find(kElements.begin(), kElements.end(), number) - kElements.begin());
}

constexpr std::array<int, 7> kNobleGases = {2, 10, 18, 36, 54, 86, 118};

// period returns 1 to 7.
int period(int number) {
  return static_cast<int>(std::lower_bound(kNobleGases.begin(), kNobleGases.end(), number) - kNobleGases.begin()) + 1;
}

// group returns 1 to 18, or 19 for lanthanides and actinides except the first of each, as in MiniMol's table.
int group(int number) {
  if (number == 1) return 1;
  const int p = period(number), left = kNobleGases[p - 1] - number;
  const int since = p == 1 ? number : number - kNobleGases[p - 2];
  if (p > 1 && since <= 2) return since;
  if (left < 15 || p < 6) return 18 - left;
  return since == 3 ? 3 : 19;
}

uint8_t inPlaces(int place, int places) { return static_cast<uint8_t>(place >= 0 && place < places ? place : places); }

// Order is the canonical order of a molecule's atoms and bonds. Where an eigenvalue of the Laplacian is repeated, its
// eigenvectors depend on the order of atoms; so a molecule would have other vectors in another SMILES.
struct Order {
  explicit Order(const RDKit::ROMol &mol) : atoms(mol.getNumAtoms()) {
    RDKit::Canon::rankMolAtoms(mol, rank);
    for (size_t a = 0; a < rank.size(); ++a) atoms[rank[a]] = mol.getAtomWithIdx(static_cast<unsigned>(a));
    bonds.assign(mol.bonds().begin(), mol.bonds().end());
    std::sort(bonds.begin(), bonds.end(), [this](const auto *b, const auto *c) { return ends(*b) < ends(*c); });
  }
  // ends returns the ranks of a bond's atoms, ascending.
  std::pair<unsigned, unsigned> ends(const RDKit::Bond &bond) const {
    return std::minmax({rank[bond.getBeginAtomIdx()], rank[bond.getEndAtomIdx()]});
  }
  std::vector<unsigned> rank;
  std::vector<const RDKit::Atom *> atoms;
  std::vector<const RDKit::Bond *> bonds;
};

void writeAtoms(const RDKit::ROMol &mol, const Order &order, Answer &out) {
  const auto *rings = mol.getRingInfo();
  for (const auto *atom : order.atoms) {
    const int number = atom->getAtomicNum();
    out.add(static_cast<uint8_t>(atom->getTotalDegree()));
    out.add(static_cast<uint8_t>(atom->getFormalCharge() + 128));
    out.add(static_cast<uint8_t>(atom->getNumRadicalElectrons()));
    out.add(static_cast<uint8_t>(atom->getIsAromatic()));
    out.add(static_cast<uint8_t>(rings->numAtomRings(atom->getIdx()) > 0));
    out.add(static_cast<uint8_t>(elementPlace(number)));
    out.add(inPlaces(number > 0 ? group(number) - 1 : -1, 19));
    out.add(inPlaces(number > 0 ? period(number) - 1 : -1, 7));
    out.add(inPlaces(static_cast<int>(atom->getTotalValence()), 7));
  }
}

// stereoPlace returns the place in RDKit's order, from STEREONONE to STEREOTRANS; the next place is for all others.
int stereoPlace(const RDKit::Bond &bond) { return std::min<int>(bond.getStereo(), RDKit::Bond::STEREOTRANS + 1); }

}  // namespace

void minimol(const RDKit::RWMol &mol, Answer &out) {
  const auto *rings = mol.getRingInfo();
  out.size(PACIA_MINIMOL_ATOM * mol.getNumAtoms());
  out.size(mol.getNumBonds());
  const Order order(mol);
  writeAtoms(mol, order, out);
  for (const auto *bond : order.bonds) {
    out.add(static_cast<uint8_t>((orderOf(*bond) * 7 + stereoPlace(*bond)) * 2 + (rings->numBondRings(bond->getIdx()) > 0 ? 1 : 0)));
  }
  for (const auto *bond : order.bonds) {
    const auto [a, b] = order.ends(*bond);
    out.size(a);
    out.size(b);
  }
}

}  // namespace pacia

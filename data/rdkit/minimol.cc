#include "minimol.h"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>

#include <GraphMol/GraphMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include "guard.h"
#include "parse.h"

namespace {

// Atomic numbers in the order of MiniMol's list; one more place is for all others.
constexpr std::array<uint8_t, 43> kElements = {6,  7,  8,  16, 9,  14, 15, 17, 35, 12, 11, 20, 26, 33, 13,
                                               53, 5,  23, 19, 81, 70, 51, 50, 47, 46, 27, 34, 22, 30, 1,
                                               3,  32, 29, 79, 28, 48, 49, 25, 40, 24, 78, 80, 82};

int elementPlace(int number) {
  return static_cast<int>(std::find(kElements.begin(), kElements.end(), number) - kElements.begin());
}

constexpr std::array<int, 7> kNobleGases = {2, 10, 18, 36, 54, 86, 118};

// period is 1 to 7.
int period(int number) {
  return static_cast<int>(std::lower_bound(kNobleGases.begin(), kNobleGases.end(), number) - kNobleGases.begin()) + 1;
}

// group is 1 to 18, or 19 of lanthanides and actinides but the first, as in MiniMol's table.
int group(int number) {
  if (number == 1) return 1;
  const int p = period(number), left = kNobleGases[p - 1] - number;
  const int since = p == 1 ? number : number - kNobleGases[p - 2];
  if (p > 1 && since <= 2) return since;
  if (left < 15 || p < 6) return 18 - left;
  return since == 3 ? 3 : 19;
}

uint8_t inPlaces(int place, int places) { return static_cast<uint8_t>(place >= 0 && place < places ? place : places); }

void writeAtoms(const RDKit::ROMol &mol, uint8_t *out) {
  const auto *rings = mol.getRingInfo();
  for (const auto *atom : mol.atoms()) {
    const int number = atom->getAtomicNum();
    *out++ = static_cast<uint8_t>(atom->getTotalDegree());
    *out++ = static_cast<uint8_t>(atom->getFormalCharge() + 128);
    *out++ = static_cast<uint8_t>(atom->getNumRadicalElectrons());
    *out++ = atom->getIsAromatic() ? 1 : 0;
    *out++ = rings->numAtomRings(atom->getIdx()) > 0 ? 1 : 0;
    *out++ = static_cast<uint8_t>(elementPlace(number));
    *out++ = inPlaces(number > 0 ? group(number) - 1 : -1, 19);
    *out++ = inPlaces(number > 0 ? period(number) - 1 : -1, 7);
    *out++ = inPlaces(static_cast<int>(atom->getTotalValence()), 7);
  }
}

int typePlace(const RDKit::Bond &bond) {
  switch (bond.getBondType()) {
    case RDKit::Bond::SINGLE:
      return 0;
    case RDKit::Bond::DOUBLE:
      return 1;
    case RDKit::Bond::TRIPLE:
      return 2;
    case RDKit::Bond::AROMATIC:
      return 3;
    default:
      return 4;
  }
}

int stereoPlace(const RDKit::Bond &bond) {
  switch (bond.getStereo()) {
    case RDKit::Bond::STEREONONE:
      return 0;
    case RDKit::Bond::STEREOANY:
      return 1;
    case RDKit::Bond::STEREOZ:
      return 2;
    case RDKit::Bond::STEREOE:
      return 3;
    case RDKit::Bond::STEREOCIS:
      return 4;
    case RDKit::Bond::STEREOTRANS:
      return 5;
    default:
      return 6;
  }
}

void writeBonds(const RDKit::ROMol &mol, int32_t *ends, uint8_t *out) {
  const auto *rings = mol.getRingInfo();
  for (const auto *bond : mol.bonds()) {
    *ends++ = static_cast<int32_t>(bond->getBeginAtomIdx());
    *ends++ = static_cast<int32_t>(bond->getEndAtomIdx());
    *out++ = static_cast<uint8_t>((typePlace(*bond) * 7 + stereoPlace(*bond)) * 2 + (rings->numBondRings(bond->getIdx()) > 0 ? 1 : 0));
  }
}

}  // namespace

int32_t pacia_rdkit_minimol(const char *smiles, int32_t length, int32_t capacity, uint8_t *atom, int32_t *ends,
                            uint8_t *bond, int32_t *atoms, int32_t *bonds, char *reason, int32_t reason_capacity) {
  return pacia::guarded(PACIA_PARSE_REFUSED, reason, reason_capacity, [&]() -> int32_t {
    const pacia::Quiet quiet;
    const std::unique_ptr<RDKit::RWMol> mol(
        RDKit::SmilesToMol(std::string(smiles, static_cast<size_t>(length)), RDKit::SmilesParserParams()));
    if (!mol || mol->getNumAtoms() == 0) throw std::runtime_error("RDKit cannot read it");
    *atoms = static_cast<int32_t>(mol->getNumAtoms());
    *bonds = static_cast<int32_t>(mol->getNumBonds());
    if (*atoms > capacity || *bonds > capacity) return PACIA_PARSE_TOO_SMALL;
    writeAtoms(*mol, atom);
    writeBonds(*mol, ends, bond);
    return PACIA_PARSE_OK;
  });
}

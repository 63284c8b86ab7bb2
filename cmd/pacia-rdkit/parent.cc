#include "parent.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <GraphMol/MolOps.h>
#include <GraphMol/MolStandardize/Charge.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "counterions.h"
#include "pattern.h"

namespace pacia {
namespace {

using RDKit::Atom;
using RDKit::ROMol;
using RDKit::RWMol;
namespace standard = RDKit::MolStandardize;

std::unique_ptr<ROMol> uncharged(const ROMol &mol) {
  static const standard::Uncharger uncharger;
  standard::Uncharger own(uncharger);
  return std::unique_ptr<ROMol>(own.uncharge(mol));
}

// constitution returns a SMILES without stereochemistry, in one spelling of charges (respell), and without charges that
// can be removed.
std::string constitution(const ROMol &mol) {
  RWMol plain(*uncharged(mol));
  respell(plain);
  RDKit::SmilesWriteParams params;
  params.doIsomericSmiles = false;
  return RDKit::MolToSmiles(plain, params);
}

const std::map<std::string, Kind> &counterions() {
  static const std::map<std::string, Kind> all = [] {
    std::map<std::string, Kind> made;
    const auto add = [&made](Kind kind, const auto &list) {
      for (const char *smiles : list) {
        const std::unique_ptr<ROMol> mol(RDKit::SmilesToMol(smiles));
        if (mol) made.emplace(constitution(*mol), kind);
      }
    };
    add(Kind::kInorganic, kInorganic);
    add(Kind::kSolvent, kSolvents);
    add(Kind::kStrongAcid, kStrongAcids);
    add(Kind::kAcidOrBase, kAcidsAndBases);
    return made;
  }();
  return all;
}

Kind kindOf(const ROMol &fragment) {
  if (fragment.getNumHeavyAtoms() < 2) return Kind::kInorganic;
  const auto found = counterions().find(constitution(fragment));
  return found == counterions().end() ? Kind::kOther : found->second;
}

// charge returns the charge of a metal that pairs it with acids; 0 for other elements.
int charge(int number) {
  switch (number) {
    case 3: case 11: case 19: case 37: case 55: case 47: return 1;  // Li, Na, K, Rb, Cs, Ag
    case 12: case 20: case 38: case 56: case 30: return 2;          // Mg, Ca, Sr, Ba, Zn
    case 13: return 3;                                             // Al
  }
  return 0;
}

// binds reports whether an element is a metal that binds ligands, in complexes and sandwiches.
bool binds(int number) {
  const bool transition = (number >= 21 && number <= 30) || (number >= 39 && number <= 48) || (number >= 57 && number <= 80);
  return charge(number) == 0 && (transition || number >= 89);
}

// separates reports whether a bond of a metal to another atom is drawn in place of charges.
bool separates(const Atom &metal, const Atom &other) {
  const int ions = charge(metal.getAtomicNum()), number = other.getAtomicNum();
  if (ions == 0 || metal.getFormalCharge() != 0 || static_cast<int>(metal.getDegree()) > ions) return false;
  return ions == 1 ? number == 6 || number == 7 || number == 8 || number == 16 || number == 17 : number == 8 || number == 17;
}

// disconnect removes the bonds that are drawn in place of charges.
void disconnect(RWMol &mol) {
  std::vector<std::pair<unsigned, unsigned>> bonds;
  for (const auto *bond : mol.bonds()) {
    const Atom *a = bond->getBeginAtom(), *b = bond->getEndAtom();
    if (charge(b->getAtomicNum()) > 0) std::swap(a, b);
    if (separates(*a, *b)) bonds.emplace_back(a->getIdx(), b->getIdx());
  }
  for (const auto &[metal, other] : bonds) {
    Atom *m = mol.getAtomWithIdx(metal), *o = mol.getAtomWithIdx(other);
    mol.removeBond(metal, other);
    m->setFormalCharge(m->getFormalCharge() + 1);
    m->setNoImplicit(true);
    o->setFormalCharge(o->getFormalCharge() - 1);
  }
  if (!bonds.empty()) RDKit::MolOps::sanitizeMol(mol);
}

// withoutSalts returns the fragments of the highest kind, equal ones once.
std::unique_ptr<RWMol> withoutSalts(const ROMol &mol) {
  const std::vector<RDKit::ROMOL_SPTR> all = RDKit::MolOps::getMolFrags(mol);
  std::vector<Kind> kinds;
  Kind highest = Kind::kInorganic;
  for (const auto &fragment : all) {
    kinds.push_back(kindOf(*fragment));
    highest = std::max(highest, kinds.back());
  }
  if (highest == Kind::kInorganic) return std::make_unique<RWMol>(mol);
  auto joined = std::make_unique<RWMol>();
  std::set<std::string> seen;
  for (size_t i = 0; i < all.size(); i++) {
    if (kinds[i] == highest && seen.insert(RDKit::MolToSmiles(*uncharged(*all[i]))).second) joined->insertMol(*all[i]);
  }
  return joined;
}

// withoutMarks removes isotopes and atom numbers, and hydrogens that are atoms because of them.
void withoutMarks(RWMol &mol) {
  bool marked = false;
  for (auto *atom : mol.atoms()) {
    marked = marked || atom->getIsotope() != 0;
    atom->setIsotope(0);
    atom->setAtomMapNum(0);
  }
  if (marked) RDKit::MolOps::removeHs(mol);
}

// withoutHydroxide removes OH from a boronate, which is a boronic acid with a hydroxide.
void withoutHydroxide(RWMol &mol) {
  for (auto *atom : mol.atoms()) {
    if (atom->getAtomicNum() != 5 || atom->getFormalCharge() != -1 || atom->getDegree() != 4) continue;
    for (const auto *neighbour : mol.atomNeighbors(atom)) {
      if (neighbour->getAtomicNum() != 8 || neighbour->getTotalNumHs() != 1) continue;
      atom->setFormalCharge(0);
      mol.removeAtom(neighbour->getIdx());
      return withoutHydroxide(mol);
    }
  }
}

// deprotonate removes hydrogens of acids from a molecule with a positive charge that no hydrogen can remove.
void deprotonate(RWMol &mol) {
  static const std::unique_ptr<const RWMol> acids(RDKit::SmartsToMol("[OX2H1;+0]-[$([CX3]=O),$([SX4](=O)=O),$(P=O),$([n+]),$([NX4+])]"));
  std::vector<RDKit::MatchVectType> found;
  RDKit::SubstructMatch(mol, *acids, found);
  for (const auto &match : found) {
    if (RDKit::MolOps::getFormalCharge(mol) <= 0) return;
    Atom *oxygen = mol.getAtomWithIdx(match.front().second);
    oxygen->setFormalCharge(-1);
    oxygen->setNumExplicitHs(0);
    oxygen->setNoImplicit(true);
  }
}

}  // namespace

std::unique_ptr<RWMol> parentOf(const RWMol &mol) {
  auto apart = std::make_unique<RWMol>(mol);
  withoutMarks(*apart);
  for (const auto *atom : apart->atoms()) {
    if (binds(atom->getAtomicNum())) return apart;
  }
  disconnect(*apart);
  if (RDKit::MolOps::getMolFrags(*apart).size() > 1) apart = withoutSalts(*apart);
  withoutHydroxide(*apart);
  auto made = std::make_unique<RWMol>(*uncharged(*apart));
  if (RDKit::MolOps::getFormalCharge(*made) > 0) deprotonate(*made);
  RDKit::MolOps::sanitizeMol(*made);
  return made;
}

}  // namespace pacia

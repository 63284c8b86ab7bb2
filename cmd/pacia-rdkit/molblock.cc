#include "ask.h"

#include <algorithm>
#include <stdexcept>

#include <GraphMol/Conformer.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>

namespace pacia {

namespace {

using RDKit::Atom;
using RDKit::Bond;
using RDKit::RWMol;

// flat reports whether all atoms are at the origin, as toolkits write a molecule that was never laid out.
bool flat(const RWMol &mol) {
  if (mol.getNumAtoms() < 2 || mol.getNumConformers() == 0) return false;
  const auto &at = mol.getConformer().getPositions();
  return std::all_of(at.begin(), at.end(), [](const auto &p) { return p.x == 0 && p.y == 0 && p.z == 0; });
}

// perceive finds the stereochemistry of tags of atoms, and reports whether a double bond may be E or Z. Such a bond
// stays without a mark: the parser marks it as "either", since its atoms are on one spot.
bool perceive(RWMol &mol) {
  for (auto *bond : mol.bonds()) {
    bond->setStereo(Bond::STEREONONE);
    bond->setBondDir(Bond::NONE);
  }
  RDKit::MolOps::assignStereochemistry(mol, true, true, true);
  RDKit::MolOps::findPotentialStereoBonds(mol);
  bool open = false;
  for (auto *bond : mol.bonds()) {
    open = open || bond->getStereo() == Bond::STEREOANY;
    bond->setStereo(Bond::STEREONONE);
  }
  return open;
}

// fromParities reads a molblock without coordinates: centres have the parities of the atom lines (CTfile formats), and
// no double bond has stereochemistry. lost gets PACIA_LOST_….
Mol fromParities(const std::string &text, bool strict, int32_t &lost) {
  Mol mol(RDKit::MolBlockToMol(text, false, false, strict)); // a parity counts the hydrogens that are drawn
  if (!mol) return mol;
  mol->clearConformers();
  RDKit::MolOps::assignChiralTypesFromMolParity(*mol);
  RDKit::MolOps::removeHs(*mol);
  if (perceive(*mol)) lost |= PACIA_LOST_BONDS;
  bool known = false, possible = false;
  for (const auto *atom : mol->atoms()) {
    known = known || atom->getChiralTag() != Atom::CHI_UNSPECIFIED;
    possible = possible || atom->hasProp(RDKit::common_properties::_ChiralityPossible);
  }
  int flag = 0;
  mol->getPropIfPresent(RDKit::common_properties::_MolFileChiralFlag, flag);
  if (flag != 0 && possible && !known) lost |= PACIA_LOST_CENTRES;
  return mol;
}

}  // namespace

Mol readBlock(const std::string &text, bool strict, int32_t &lost) {
  Mol mol(RDKit::MolBlockToMol(text, true, true, strict));
  if (mol && flat(*mol)) mol = fromParities(text, strict, lost);
  if (!mol) throw std::runtime_error("RDKit cannot read it");
  if (mol->getNumAtoms() == 0) throw std::runtime_error("molecule without atoms");
  return mol;
}

}  // namespace pacia

#include "ask.h"

#include <algorithm>
#include <vector>

#include "morgan.h"

namespace pacia {

namespace {

// Elements 1..118 have the categories 0..117; 118 is the dummy atom "*".
uint8_t atomCategory(const RDKit::Atom &atom) {
  const int number = atom.getAtomicNum();
  return static_cast<uint8_t>(number >= 1 && number <= 118 ? number - 1 : 118);
}

// Unspecified, clockwise, counter-clockwise, in RDKit's numbering; all non-tetrahedral kinds are "other".
uint8_t chiralityCategory(const RDKit::Atom &atom) {
  return static_cast<uint8_t>(std::min<int>(atom.getChiralTag(), RDKit::Atom::CHI_OTHER));
}

// Only the two slashes beside a double bond count; wedges belong to drawings.
uint8_t directionCategory(const RDKit::Bond &bond) {
  const auto direction = bond.getBondDir();
  return direction == RDKit::Bond::ENDUPRIGHT ? 1 : direction == RDKit::Bond::ENDDOWNRIGHT ? 2 : 0;
}

void writeGraph(const RDKit::RWMol &mol, Answer &out) {
  for (const auto *atom : mol.atoms()) {
    out.add(atomCategory(*atom));
    out.add(chiralityCategory(*atom));
  }
  for (const auto *bond : mol.bonds()) {
    out.add(orderOf(*bond, 4, "single, double, triple or aromatic"));
    out.add(directionCategory(*bond));
  }
  for (const auto *bond : mol.bonds()) {
    out.size(bond->getBeginAtomIdx());
    out.size(bond->getEndAtomIdx());
  }
}

}  // namespace

void parse(const RDKit::RWMol &mol, int32_t what, Answer &out) {
  const bool bare = (what & PACIA_PARSE_BARE) != 0;
  std::vector<uint16_t> bit(kCounts), count(kCounts);
  const int32_t bits = what & PACIA_PARSE_COUNTS ? writeCounts(mol, bit.data(), count.data()) : 0;
  out.size(bare ? 0 : 2 * mol.getNumAtoms());
  out.size(bare ? 0 : 2 * mol.getNumBonds());
  out.add(bits);
  if (!bare) writeGraph(mol, out);
  out.add(bit.data(), static_cast<size_t>(bits));
  out.add(count.data(), static_cast<size_t>(bits));
}

}  // namespace pacia

#include "ask.h"

#include <cstring>
#include <vector>

#include <GraphMol/MolOps.h>

#include "morgan.h"

namespace pacia {

namespace {

void writeAtoms(const RDKit::RWMol &mol, Answer &out) {
  const auto *rings = mol.getRingInfo();
  for (const auto *atom : mol.atoms()) {
    out.size(static_cast<size_t>(atom->getAtomicNum()));
    out.add(static_cast<int32_t>(atom->getFormalCharge()));
    out.size(atom->getDegree());
    out.size(atom->getNumRadicalElectrons());
    out.size(rings->numAtomRings(atom->getIdx()) > 0 ? 1 : 0);
    char symbol[4] = {};
    std::strncpy(symbol, atom->getSymbol().c_str(), sizeof symbol - 1);
    out.add(symbol, sizeof symbol);
  }
}

}  // namespace

void kekule(RDKit::RWMol &mol, bool counts, Answer &out) {
  std::vector<uint16_t> bit(counts ? kCounts : 0), count(bit.size());
  const int32_t bits = counts ? writeCounts(mol, bit.data(), count.data()) : 0;
  out.size(mol.getNumAtoms());
  out.size(mol.getNumBonds());
  out.add(bits);
  RDKit::MolOps::Kekulize(mol, false);  // atoms remain marked as aromatic
  writeAtoms(mol, out);
  for (const auto *bond : mol.bonds()) {
    out.size(bond->getBeginAtomIdx());
    out.size(bond->getEndAtomIdx());
  }
  for (const auto *bond : mol.bonds()) out.add(orderOf(*bond, 3, "single, double or triple"));
  out.add(bit.data(), static_cast<size_t>(bits));
  out.add(count.data(), static_cast<size_t>(bits));
}

}  // namespace pacia

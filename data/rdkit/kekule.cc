#include "kekule.h"

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include <GraphMol/GraphMol.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include "counts.h"
#include "guard.h"
#include "parse.h"

namespace {

using Mol = std::unique_ptr<RDKit::RWMol>;

void writeAtoms(const RDKit::RWMol &mol, int32_t *out, char *symbol) {
  const auto *rings = mol.getRingInfo();
  for (const auto *atom : mol.atoms()) {
    *out++ = atom->getAtomicNum();
    *out++ = atom->getFormalCharge();
    *out++ = static_cast<int32_t>(atom->getDegree());
    *out++ = static_cast<int32_t>(atom->getNumRadicalElectrons());
    *out++ = rings->numAtomRings(atom->getIdx()) > 0 ? 1 : 0;
    std::snprintf(symbol, PACIA_KEKULE_SYMBOL, "%s", atom->getSymbol().c_str());
    symbol += PACIA_KEKULE_SYMBOL;
  }
}

uint8_t bondCategory(const RDKit::Bond &bond) {
  switch (bond.getBondType()) {
    case RDKit::Bond::SINGLE:
      return 0;
    case RDKit::Bond::DOUBLE:
      return 1;
    case RDKit::Bond::TRIPLE:
      return 2;
    default:
      throw std::runtime_error("bond between atoms " + std::to_string(bond.getBeginAtomIdx()) + " and " +
                               std::to_string(bond.getEndAtomIdx()) + " is not single, double or triple");
  }
}

void writeBonds(const RDKit::RWMol &mol, int32_t *ends, uint8_t *out) {
  for (const auto *bond : mol.bonds()) {
    *ends++ = static_cast<int32_t>(bond->getBeginAtomIdx());
    *ends++ = static_cast<int32_t>(bond->getEndAtomIdx());
    *out++ = bondCategory(*bond);
  }
}

}  // namespace

int32_t pacia_rdkit_kekule(const char *smiles, int32_t length, int32_t capacity, int32_t *atom,
                           char *symbol, int32_t *ends, uint8_t *bond, uint16_t *bit,
                           uint16_t *count, int32_t *atoms, int32_t *bonds, int32_t *bits,
                           char *reason, int32_t reason_capacity) {
  return pacia::guarded(PACIA_PARSE_REFUSED, reason, reason_capacity, [&]() -> int32_t {
    const pacia::Quiet quiet;
    const Mol mol(RDKit::SmilesToMol(std::string(smiles, static_cast<size_t>(length)),
                                     RDKit::SmilesParserParams()));
    if (!mol || mol->getNumAtoms() == 0) {
      throw std::runtime_error("RDKit cannot read it");
    }
    *atoms = static_cast<int32_t>(mol->getNumAtoms());
    *bonds = static_cast<int32_t>(mol->getNumBonds());
    if (*atoms > capacity || *bonds > capacity) {
      return PACIA_PARSE_TOO_SMALL;
    }
    *bits = count ? pacia::writeCounts(*mol, bit, count) : 0;
    RDKit::MolOps::Kekulize(*mol, false);  // atoms keep that they are aromatic
    writeAtoms(*mol, atom, symbol);
    writeBonds(*mol, ends, bond);
    return PACIA_PARSE_OK;
  });
}

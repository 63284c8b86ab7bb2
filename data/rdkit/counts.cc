#include "counts.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <DataStructs/SparseIntVect.h>
#include <GraphMol/Fingerprints/FingerprintGenerator.h>
#include <GraphMol/Fingerprints/MorganGenerator.h>
#include <GraphMol/GraphMol.h>
#include <GraphMol/PeriodicTable.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include "guard.h"
#include "morgan.h"
#include "parse.h"

namespace pacia {

namespace {

using Generator = RDKit::FingerprintGenerator<std::uint32_t>;

// rdkitCounts is RDKit's own.
int32_t rdkitCounts(const RDKit::ROMol &mol, uint16_t *bit, uint16_t *count) {
  const std::unique_ptr<const Generator> generator(
      RDKit::MorganFingerprint::getMorganGenerator<std::uint32_t>(2));
  const std::unique_ptr<RDKit::SparseIntVect<std::uint32_t>> found(
      generator->getCountFingerprint(mol));
  int32_t n = 0;
  for (const auto &entry : found->getNonzeroElements()) {
    bit[n] = static_cast<uint16_t>(entry.first);
    count[n++] = static_cast<uint16_t>(std::min(entry.second, 65535));
  }
  return n;
}

int32_t counts(const std::string &smiles, int32_t how, uint16_t *bit, uint16_t *count) {
  const Quiet quiet;
  const std::unique_ptr<RDKit::RWMol> mol(RDKit::SmilesToMol(smiles, RDKit::SmilesParserParams()));
  if (!mol) throw std::runtime_error("RDKit cannot read it");
  return how == PACIA_COUNTS_RDKIT ? rdkitCounts(*mol, bit, count) : writeCounts(*mol, bit, count);
}

}  // namespace

namespace {

const Structure &structureOf(const RDKit::ROMol &mol) {
  thread_local Structure s;
  const auto *table = RDKit::PeriodicTable::getTable();
  const auto *rings = mol.getRingInfo();
  s.invariant.clear();
  for (const auto *atom : mol.atoms()) {
    // The mean mass is that of an atom without an isotope.
    const double mass = atom->getIsotope() == 0 ? 0 : atom->getMass() - table->getAtomicWeight(atom->getAtomicNum());
    s.invariant.push_back(atomInvariant(atom->getAtomicNum(), static_cast<int>(atom->getTotalDegree()),
                                        static_cast<int>(atom->getTotalNumHs(true)), atom->getFormalCharge(),
                                        static_cast<int>(mass), rings->numAtomRings(atom->getIdx()) > 0));
  }
  s.from.clear();
  s.to.clear();
  s.order.clear();
  for (const auto *bond : mol.bonds()) {
    s.from.push_back(static_cast<int32_t>(bond->getBeginAtomIdx()));
    s.to.push_back(static_cast<int32_t>(bond->getEndAtomIdx()));
    s.order.push_back(static_cast<int32_t>(bond->getBondType()));
  }
  return s;
}

}  // namespace

int32_t writeCounts(const RDKit::ROMol &mol, uint16_t *bit, uint16_t *count) {
  return writeCounts(structureOf(mol), bit, count);
}

}  // namespace pacia

int32_t pacia_rdkit_surroundings(const char *smiles, int32_t length, int32_t *list, int32_t capacity, int32_t *size,
                                 char *reason, int32_t reason_capacity) {
  return pacia::guarded(PACIA_PARSE_REFUSED, reason, reason_capacity, [&]() -> int32_t {
    const pacia::Quiet quiet;
    const std::unique_ptr<const RDKit::RWMol> mol(
        RDKit::SmilesToMol(std::string(smiles, static_cast<size_t>(length)), RDKit::SmilesParserParams()));
    if (!mol) throw std::runtime_error("RDKit cannot read it");
    std::vector<int32_t> found(1, static_cast<int32_t>(mol->getNumAtoms()));
    pacia::listSurroundings(pacia::structureOf(*mol), found);
    *size = static_cast<int32_t>(found.size());
    if (*size > capacity) return PACIA_PARSE_TOO_SMALL;
    std::copy(found.begin(), found.end(), list);
    return PACIA_PARSE_OK;
  });
}

int32_t pacia_rdkit_counts(const char *smiles, int32_t length, int32_t how, uint16_t *bit,
                           uint16_t *count, int32_t *bits, char *reason, int32_t reason_capacity) {
  return pacia::guarded(PACIA_PARSE_REFUSED, reason, reason_capacity, [&]() -> int32_t {
    *bits = pacia::counts(std::string(smiles, static_cast<size_t>(length)), how, bit, count);
    return PACIA_PARSE_OK;
  });
}

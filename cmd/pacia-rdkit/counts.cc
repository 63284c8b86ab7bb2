#include "ask.h"

#include <algorithm>
#include <vector>

#include <DataStructs/SparseIntVect.h>
#include <GraphMol/Fingerprints/FingerprintGenerator.h>
#include <GraphMol/Fingerprints/MorganGenerator.h>
#include <GraphMol/PeriodicTable.h>

#include "morgan.h"

namespace pacia {

namespace {

using Generator = RDKit::FingerprintGenerator<std::uint32_t>;

// rdkitCounts writes RDKit's own fingerprint, like writeCounts.
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

const Structure &structureOf(const RDKit::ROMol &mol) {
  thread_local Structure s;
  const auto *table = RDKit::PeriodicTable::getTable();
  const auto *rings = mol.getRingInfo();
  s.invariant.clear();
  for (const auto *atom : mol.atoms()) {
    // An atom without an isotope has the mean mass.
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

void environments(const RDKit::RWMol &mol, Answer &out) {
  std::vector<int32_t> found;
  listEnvironments(structureOf(mol), found);
  out.size(mol.getNumAtoms());
  out.add(found.data(), found.size());
}

void counts(const RDKit::RWMol &mol, bool own, Answer &out) {
  std::vector<uint16_t> bit(kCounts), count(kCounts);
  const int32_t n = own ? rdkitCounts(mol, bit.data(), count.data()) : writeCounts(mol, bit.data(), count.data());
  out.add(n);
  out.add(bit.data(), static_cast<size_t>(n));
  out.add(count.data(), static_cast<size_t>(n));
}

}  // namespace pacia

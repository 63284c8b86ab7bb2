#include "counts.h"

#include <algorithm>
#include <memory>

#include <DataStructs/SparseIntVect.h>
#include <GraphMol/Fingerprints/FingerprintGenerator.h>
#include <GraphMol/Fingerprints/MorganGenerator.h>
#include <GraphMol/GraphMol.h>

namespace pacia {

namespace {

using Generator = RDKit::FingerprintGenerator<std::uint32_t>;

// RDKit's default Morgan generator, of radius 2, which getCountFP makes anew for
// each molecule. A thread keeps its own.
const Generator &generator() {
  constexpr unsigned kRadius = 2;
  thread_local const std::unique_ptr<const Generator> own(
      RDKit::MorganFingerprint::getMorganGenerator<std::uint32_t>(kRadius));
  return *own;
}

}  // namespace

int32_t writeCounts(const RDKit::ROMol &mol, uint16_t *bit, uint16_t *count) {
  const std::unique_ptr<RDKit::SparseIntVect<std::uint32_t>> found(
      generator().getCountFingerprint(mol));
  int32_t n = 0;
  for (const auto &entry : found->getNonzeroElements()) {
    bit[n] = static_cast<uint16_t>(entry.first);
    count[n++] = static_cast<uint16_t>(std::min(entry.second, 65535));
  }
  return n;
}

}  // namespace pacia

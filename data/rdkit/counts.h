// Fingerprints: what parse.cc and kekule.cc take of counts.cc.
#pragma once

#include <cstdint>

namespace RDKit {
class ROMol;
}

namespace pacia {

// kCounts is the length of a fingerprint.
constexpr int32_t kCounts = 2048;

// writeCounts writes which of the 2,048 counts of a molecule's Morgan fingerprint
// of radius 2 are not 0, ascending, and these counts, and returns how many. There
// is room for all.
int32_t writeCounts(const RDKit::ROMol &mol, uint16_t *bit, uint16_t *count);

}  // namespace pacia

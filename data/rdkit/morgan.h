// Morgan fingerprints: what others take of morgan.cc and counts.cc.
#pragma once

#include <cstdint>
#include <vector>

namespace RDKit {
class ROMol;
}

namespace pacia {

// kCounts is the length of a fingerprint.
constexpr int32_t kCounts = 2048;

// Structure is what a Morgan fingerprint looks at.
struct Structure {
  std::vector<uint32_t> invariant;                  // [A] of each atom: see atomInvariant
  std::vector<int32_t> from, to;                    // [E] the atoms that each bond joins
  std::vector<int32_t> order;                       // [E] RDKit's number of the bond's type
};

// atomInvariant is what RDKit's Morgan generator starts an atom with. `mass` is the
// difference of its isotope's mass to the element's mean one, without decimals.
uint32_t atomInvariant(int number, int degree, int hydrogens, int charge, int mass, bool ring);

// writeCounts writes which of the 2,048 counts are not 0, ascending, and these counts,
// and returns how many. There is room for all.
int32_t writeCounts(const Structure &s, uint16_t *bit, uint16_t *count);

// listSurroundings appends to the list each surrounding that counts: its name, the number of its
// atoms, and these, the centre first. It counts in the fingerprint at its name modulo kCounts.
void listSurroundings(const Structure &s, std::vector<int32_t> &list);

// The same as writeCounts of a sanitised molecule of RDKit, counts.cc.
int32_t writeCounts(const RDKit::ROMol &mol, uint16_t *bit, uint16_t *count);

}  // namespace pacia

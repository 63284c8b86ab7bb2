// Morgan fingerprints: the interface of morgan.cc.
#pragma once

#include <cstdint>
#include <vector>

namespace pacia {

// kCounts is the length of a fingerprint.
constexpr int32_t kCounts = 2048;

// Structure is the input of a Morgan fingerprint.
struct Structure {
  std::vector<uint32_t> invariant;                  // [A] of each atom: see atomInvariant
  std::vector<int32_t> from, to;                    // [E] the atoms that each bond joins
  std::vector<int32_t> order;                       // [E] RDKit's number of the bond's type
};

// atomInvariant returns the initial invariant of an atom in RDKit's Morgan generator. `mass` is the
// difference between its isotope's mass and the element's mean mass, truncated to an integer.
uint32_t atomInvariant(int number, int degree, int hydrogens, int charge, int mass, bool ring);

// writeCounts writes the ascending bits whose counts are not 0, and these counts, and returns their
// number. `bit` and `count` must have room for kCounts.
int32_t writeCounts(const Structure &s, uint16_t *bit, uint16_t *count);

// listEnvironments appends to the list each environment that counts: its name, the number of its
// atoms, and the atoms, the central one first. Its bit in the fingerprint is its name modulo kCounts.
void listEnvironments(const Structure &s, std::vector<int32_t> &list);

}  // namespace pacia

#include <algorithm>

#include "plain.h"

// Aromaticity (RDKit's own model): rings, alone and fused, with 4n + 2 electrons.

namespace pacia {

namespace {

constexpr int kFused = 6;           // largest number of rings that are considered together
constexpr int kFusedRingSize = 24;  // larger rings are not fused
constexpr int kSystem = 8;          // largest number of rings of a system

enum Donor : uint8_t { kNone, kVacant, kOne, kTwo };

class Aromatizer {
 public:
  explicit Aromatizer(Plain &p) : p_(p) {}

  bool run() {
    for (int a = 0; a < p_.atoms; ++a) {
      if (!has(p_.inRing, a)) continue;
      const Donor d = donor(a);
      if (d == kNone || !candidate(a)) continue;
      able_ |= one(a);
      if (d == kOne) single_ |= one(a);
      if (d == kTwo) pair_ |= one(a);
    }
    int rings[kPlainRings], n = 0;
    for (int r = 0; r < p_.rings; ++r) {
      if ((p_.ringAtoms[r] & ~able_) == 0) rings[n++] = r;
    }
    if (!systems(rings, n)) return false;
    for (int b = 0; b < p_.bonds; ++b) {
      const bool now = has(bonds_, b);
      // In this case the choice of double bonds before matters.
      if (p_.written[b] && has(p_.bondInRing, b) && !now) return false;
      if (now && p_.order[b] < 3) p_.order[b] = kAromatic;
    }
    for (int a = 0; a < p_.atoms; ++a) p_.aromatic[a] = has(atoms_, a);
    return true;
  }

 private:
  bool fused(int r, int s) const {
    return p_.ringSize[r] <= kFusedRingSize && p_.ringSize[s] <= kFusedRingSize &&
           size(p_.ringBonds[r] & p_.ringBonds[s]) == 1;
  }

  bool systems(const int *rings, int n) {
    bool done[kPlainRings] = {};
    for (int i = 0; i < n; ++i) {
      if (done[i]) continue;
      int system[kPlainRings], count = 0;
      system[count++] = rings[i];
      done[i] = true;
      for (int k = 0; k < count; ++k) {
        for (int j = 0; j < n; ++j) {
          if (!done[j] && fused(system[k], rings[j])) {
            done[j] = true;
            system[count++] = rings[j];
          }
        }
      }
      if (count > kSystem) return false;
      huckel(system, count);
    }
    return true;
  }

  // huckel checks all choices of one ring, of two fused rings, and so on, until all
  // bonds are aromatic.
  void huckel(const int *system, int n) {
    PlainSet all = 0, marked = 0;
    unsigned next[kSystem] = {};  // for each ring, the rings that it is fused to
    for (int i = 0; i < n; ++i) {
      all |= p_.ringBonds[system[i]];
      for (int j = 0; j < n; ++j) {
        if (i != j && fused(system[i], system[j])) next[i] |= 1u << j;
      }
    }
    for (int count = 1; count <= std::min(n, kFused) && marked != all; ++count) {
      for (unsigned choice = 1; choice < 1u << n; ++choice) {
        if (__builtin_popcount(choice) == count && connected(choice, next)) check(system, choice, marked);
      }
    }
  }

  static bool connected(unsigned choice, const unsigned *next) {
    unsigned reached = choice & -choice, before = 0;
    while (reached != before) {
      before = reached;
      for (unsigned left = before; left != 0; left &= left - 1) reached |= next[__builtin_ctz(left)] & choice;
    }
    return reached == choice;
  }

  // check counts the electrons of the atoms that are in one or two of the chosen rings. If they fit
  // Hückel's rule, the bonds that are in only one of the rings are aromatic.
  void check(const int *system, unsigned choice, PlainSet &marked) {
    PlainSet a1 = 0, a2 = 0, a3 = 0, b1 = 0, b2 = 0;
    for (unsigned left = choice; left != 0; left &= left - 1) {
      const int r = system[__builtin_ctz(left)];
      a3 |= a2 & p_.ringAtoms[r];
      a2 |= a1 & p_.ringAtoms[r];
      a1 |= p_.ringAtoms[r];
      b2 |= b1 & p_.ringBonds[r];
      b1 |= p_.ringBonds[r];
    }
    const PlainSet counted = a1 & ~a3;
    const int electrons = size(counted & single_) + 2 * size(counted & pair_);
    if (electrons != 2 && (electrons < 6 || (electrons - 2) % 4 != 0)) return;
    atoms_ |= a1;
    bonds_ |= b1 & ~b2;
    marked |= b1 & ~b2;
  }

  // electrons returns the number of electrons of an atom for a ring: RDKit's countAtomElec.
  int electrons(int a) const {
    const Element &e = element(p_.number[a]);
    if (e.valence() <= 1) return -1;
    const int degree = p_.degree[a] + p_.explicitH[a] + p_.implicitH[a];
    if (degree > 3) return -1;
    const int lone = std::max(e.outer - e.valence() - p_.charge[a], 0);
    const int n = e.valence() - degree + lone;
    return n > 1 && p_.valence[a] - p_.degree[a] > 1 ? 1 : n;
  }

  // multiple returns the neighbour at a double or triple bond of an atom, in a ring or outside; −1 if there is none.
  int multiple(int a, bool ring) const {
    for (int i = 0; i < p_.degree[a]; ++i) {
      const int b = p_.bond[a][i];
      if (p_.order[b] >= 2 && has(p_.bondInRing, b) == ring) return p_.neighbour[a][i];
    }
    return -1;
  }

  bool moreElectronegative(int x, int y) const {
    const int m = p_.number[x], n = p_.number[y], outer = element(m).outer - element(n).outer;
    return outer > 0 || (outer == 0 && m < n);
  }

  Donor donor(int a) const {
    int n = electrons(a);
    const int outside = multiple(a, false);
    if (n < 0) return kNone;
    if (n == 0) return outside >= 0 ? kVacant : multiple(a, true) >= 0 ? kOne : kNone;
    const bool stolen = outside >= 0 && moreElectronegative(outside, a);
    if (n == 1) {
      if (outside >= 0) return stolen ? kVacant : kOne;
      if (p_.valence[a] != p_.degree[a] + p_.explicitH[a]) return kOne;
      return p_.charge[a] == 1 ? kVacant : kNone;
    }
    if (stolen) --n;
    return n % 2 == 1 ? kOne : kTwo;
  }

  // candidate reports whether an atom that gives electrons may be in an aromatic ring:
  // RDKit's isAtomCandForArom.
  bool candidate(int a) const {
    const int number = p_.number[a];
    if (number > 18 && number != 34) return false;
    if (p_.valence[a] + (p_.bracket[a] ? 0 : p_.implicitH[a]) > element(number - p_.charge[a]).valence()) return false;
    if (p_.valence[a] - p_.degree[a] <= 1) return true;
    int several = 0;
    for (int i = 0; i < p_.degree[a]; ++i) several += p_.order[p_.bond[a][i]] >= 2 ? 1 : 0;
    return several < 2;
  }

  Plain &p_;
  PlainSet able_ = 0, single_ = 0, pair_ = 0;  // atoms that may be aromatic; those that give one or two electrons
  PlainSet atoms_ = 0, bonds_ = 0;             // aromatic atoms and bonds
};

}  // namespace

bool aromatize(Plain &p) { return Aromatizer(p).run(); }

}  // namespace pacia

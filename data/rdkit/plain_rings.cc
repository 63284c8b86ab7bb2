#include "plain.h"

// Rings: the smallest set of smallest rings, if it is unique.
//
// After repeatedly removing atoms with one bond, the rest has chains of atoms with two
// bonds. If there is only one smallest ring through a chain, this ring is in every
// smallest set. (In a set without it, it would be the sum of some rings. One of these contains the
// chain and is longer, so that exchanging it for the ring would give a smaller set.) So if the number
// of such rings is that of the set, bonds − atoms + fragments, they are the set.
//
// RDKit also searches through each chain, and so finds these rings. It may find others. Each of
// them is a sum of shorter rings of the set, as there is no other set. RDKit drops
// them again if every ring of the set has a bond of its own, which is required here:
// RDKit processes its rings by size and keeps those with a new bond. A ring that it then adds for
// symmetry would have to share the own bond of a ring of its size.

namespace pacia {

namespace {

class Finder {
 public:
  explicit Finder(Plain &p) : p_(p) {}

  bool find() {
    p_.rings = 0;
    p_.inRing = p_.bondInRing = 0;
    const int expected = p_.bonds - p_.atoms + fragments();
    if (expected == 0) return true;
    if (expected > kPlainRings) return false;
    trim();
    for (int a = 0; a < p_.atoms; ++a) {
      if (left_[a] == 2 && !has(seen_, a)) {
        chain(a);
        if (!through(a)) return false;
      }
    }
    return p_.rings == expected && apart();
  }

 private:
  int fragments() {
    PlainSet seen = 0;
    int n = 0;
    for (int a = 0; a < p_.atoms; ++a) {
      if (has(seen, a)) continue;
      ++n;
      int top = 0;
      stack_[top++] = static_cast<uint8_t>(a);
      seen |= one(a);
      while (top > 0) {
        const int x = stack_[--top];
        for (int i = 0; i < p_.degree[x]; ++i) {
          const int y = p_.neighbour[x][i];
          if (!has(seen, y)) {
            seen |= one(y);
            stack_[top++] = static_cast<uint8_t>(y);
          }
        }
      }
    }
    return n;
  }

  void trim() {
    int top = 0;
    for (int a = 0; a < p_.atoms; ++a) {
      left_[a] = p_.degree[a];
      if (left_[a] < 2) stack_[top++] = static_cast<uint8_t>(a);
    }
    while (top > 0) {
      const int x = stack_[--top];
      left_[x] = 0;
      for (int i = 0; i < p_.degree[x]; ++i) {
        const int y = p_.neighbour[x][i];
        if (left_[y] > 0 && --left_[y] == 1) stack_[top++] = static_cast<uint8_t>(y);
      }
    }
  }

  // chain marks the chain of atoms with two bonds that contains a.
  void chain(int a) {
    int top = 0;
    stack_[top++] = static_cast<uint8_t>(a);
    seen_ |= one(a);
    while (top > 0) {
      const int x = stack_[--top];
      for (int i = 0; i < p_.degree[x]; ++i) {
        const int y = p_.neighbour[x][i];
        if (left_[y] == 2 && !has(seen_, y)) {
          seen_ |= one(y);
          stack_[top++] = static_cast<uint8_t>(y);
        }
      }
    }
  }

  // through adds the smallest ring through a if it is unique: the shortest path between its two
  // neighbours that does not contain a.
  bool through(int a) {
    int ends[2] = {-1, -1}, found = 0;
    uint8_t bonds[2] = {0, 0};
    for (int i = 0; i < p_.degree[a]; ++i) {
      if (left_[p_.neighbour[a][i]] > 0) {
        ends[found] = p_.neighbour[a][i];
        bonds[found++] = p_.bond[a][i];
      }
    }
    const int from = ends[0], to = ends[1];
    PlainSet seen = one(a) | one(from);
    int head = 0, tail = 0;
    stack_[tail++] = static_cast<uint8_t>(from);
    depth_[from] = depth_[a] = 0;
    paths_[from] = 1;
    while (head < tail && !has(seen, to)) level(head, tail, seen);
    if (!has(seen, to) || paths_[to] != 1) return true;  // no ring, or not unique
    PlainSet atoms = one(a), edges = one(bonds[0]) | one(bonds[1]);
    for (int x = to; x != from; x = before_[x]) {
      atoms |= one(x);
      edges |= one(by_[x]);
    }
    return keep(atoms | one(from), edges);
  }

  // level extends the search by one bond, and counts the shortest paths, up to two.
  void level(int &head, int &tail, PlainSet &seen) {
    for (const int end = tail; head < end; ++head) {
      const int x = stack_[head];
      for (int i = 0; i < p_.degree[x]; ++i) {
        const int y = p_.neighbour[x][i];
        if (left_[y] == 0) continue;
        if (!has(seen, y)) {
          seen |= one(y);
          depth_[y] = static_cast<uint8_t>(depth_[x] + 1);
          paths_[y] = paths_[x];
          before_[y] = static_cast<uint8_t>(x);
          by_[y] = p_.bond[x][i];
          stack_[tail++] = static_cast<uint8_t>(y);
        } else if (depth_[y] == depth_[x] + 1) {
          paths_[y] = 2;
        }
      }
    }
  }

  bool keep(PlainSet atoms, PlainSet edges) {
    for (int r = 0; r < p_.rings; ++r) {
      if (p_.ringBonds[r] == edges) return true;
    }
    if (p_.rings == kPlainRings) return false;
    p_.ringSize[p_.rings] = size(edges);
    p_.ringAtoms[p_.rings] = atoms;
    p_.ringBonds[p_.rings++] = edges;
    p_.inRing |= atoms;
    p_.bondInRing |= edges;
    return true;
  }

  // apart reports whether each ring has a bond that is in no other ring.
  bool apart() const {
    PlainSet once = 0, twice = 0;
    for (int r = 0; r < p_.rings; ++r) {
      twice |= once & p_.ringBonds[r];
      once |= p_.ringBonds[r];
    }
    for (int r = 0; r < p_.rings; ++r) {
      if ((p_.ringBonds[r] & ~twice) == 0) return false;
    }
    return true;
  }

  Plain &p_;
  uint8_t left_[kPlainAtoms];  // number of remaining bonds of each atom
  PlainSet seen_ = 0;
  uint8_t stack_[kPlainAtoms];
  uint8_t depth_[kPlainAtoms], paths_[kPlainAtoms], before_[kPlainAtoms], by_[kPlainAtoms];
};

}  // namespace

bool findRings(Plain &p) { return Finder(p).find(); }

}  // namespace pacia

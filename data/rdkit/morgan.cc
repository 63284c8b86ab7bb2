#include "morgan.h"

#include <algorithm>
#include <cstring>

// Morgan fingerprints of radius 2, bit for bit those of RDKit 2022.09's generator with its
// default settings (Rogers and Hahn 2010, doi 10.1021/ci100050t). RDKit's takes eight times
// as long: it keeps sets of bonds in dynamic bitsets, searches a list of them, and
// counts in a map.
//
// An environment of radius r has a name, which is a hash, and a set of bonds:
//
//   r = 0  the atom's invariant; no bonds
//   r = 1  hash of the names of the atom and its neighbours, by bond type; the atom's bonds
//   r = 2  the same hash of the names of r = 1; the bonds of the atom and its neighbours
//
// Among environments with the same bonds, one counts: the one with the smallest r, then with the smallest hash.

namespace pacia {

namespace {

constexpr int32_t kRadius = 2;

// RDKit's copy of boost's hash_combine.
inline void mix(uint32_t &seed, uint32_t v) { seed ^= v + 0x9e3779b9u + (seed << 6) + (seed >> 2); }

inline uint32_t pairHash(uint64_t pair) {
  uint32_t seed = 0;
  mix(seed, static_cast<uint32_t>(pair >> 32));
  mix(seed, static_cast<uint32_t>(pair));
  return seed;
}

// Working memory of a thread, so that a molecule needs no allocation.
struct Room {
  std::vector<int32_t> begin;              // [A+1] an atom's bonds: bonds[begin[a]..begin[a+1])
  std::vector<int32_t> at, other, bonds;   // [2E]
  std::vector<uint32_t> now, next;         // [A] names in the current and the next round
  std::vector<uint64_t> pairs;             // bond type and name of each neighbour
  std::vector<uint64_t> near, far;         // [A, words] sets of bonds of radius 1, 2
  std::vector<int32_t> slot;               // table of sets: 1 + atom, or 0
  std::vector<uint16_t> count;             // [2048]
};

void neighbours(const Structure &s, Room &r) {
  const size_t atoms = s.invariant.size(), edges = s.from.size();
  r.begin.assign(atoms + 1, 0);
  for (size_t e = 0; e < edges; ++e) {
    ++r.begin[s.from[e] + 1];
    ++r.begin[s.to[e] + 1];
  }
  for (size_t a = 0; a < atoms; ++a) r.begin[a + 1] += r.begin[a];
  r.at.assign(r.begin.begin(), r.begin.end());
  r.other.resize(2 * edges);
  r.bonds.resize(2 * edges);
  for (size_t e = 0; e < edges; ++e) {
    const int32_t i = r.at[s.from[e]]++, j = r.at[s.to[e]]++;
    r.other[i] = s.to[e];
    r.other[j] = s.from[e];
    r.bonds[i] = r.bonds[j] = static_cast<int32_t>(e);
  }
}

// rename computes the names of the next round. Those of atoms without bonds are not used.
void rename(const Structure &s, uint32_t round, Room &r) {
  r.next.resize(s.invariant.size());
  for (size_t a = 0; a < s.invariant.size(); ++a) {
    r.pairs.clear();
    for (int32_t i = r.begin[a]; i < r.begin[a + 1]; ++i) {
      r.pairs.push_back(static_cast<uint64_t>(s.order[r.bonds[i]]) << 32 | r.now[r.other[i]]);
    }
    std::sort(r.pairs.begin(), r.pairs.end());
    uint32_t name = round;
    mix(name, r.now[a]);
    for (const uint64_t p : r.pairs) mix(name, pairHash(p));
    r.next[a] = name;
  }
  r.now.swap(r.next);
}

// Sets is a hash table of sets of bonds.
class Sets {
 public:
  Sets(Room &r, size_t atoms, size_t words) : slot_(r.slot), words_(words) {
    size_t size = 16;
    while (size < 4 * atoms) size *= 2;
    slot_.assign(size, 0);
    mask_ = size - 1;
  }

  // find returns the entry of a set; it is 0 if the set is new.
  template <class At>
  int32_t &find(const uint64_t *set, At at) {
    uint64_t h = 0;
    for (size_t w = 0; w < words_; ++w) {
      h = (h ^ set[w]) * 0x9E3779B97F4A7C15ull;
      h ^= h >> 29;
    }
    for (size_t i = h & mask_;; i = (i + 1) & mask_) {
      if (slot_[i] == 0 || std::memcmp(at(slot_[i]), set, words_ * sizeof *set) == 0) return slot_[i];
    }
  }

 private:
  std::vector<int32_t> &slot_;
  size_t words_, mask_;
};

}  // namespace

uint32_t atomInvariant(int number, int degree, int hydrogens, int charge, int mass, bool ring) {
  uint32_t seed = 0;
  for (const int v : {number, degree, hydrogens, charge, mass}) mix(seed, static_cast<uint32_t>(v));
  if (ring) mix(seed, 1);
  return seed;
}

namespace {

// environments calls add with the name, the central atom and the radius of each environment that counts.
template <class Add>
void environments(const Structure &s, Room &r, Add add) {
  const auto atoms = static_cast<int32_t>(s.invariant.size());
  const size_t words = (s.from.size() + 63) / 64;
  neighbours(s, r);
  r.now = s.invariant;
  for (int32_t a = 0; a < atoms; ++a) add(r.now[a], a, 0);

  r.near.assign(atoms * words, 0);
  for (int32_t a = 0; a < atoms; ++a) {
    for (int32_t i = r.begin[a]; i < r.begin[a + 1]; ++i) {
      r.near[a * words + r.bonds[i] / 64] |= uint64_t{1} << r.bonds[i] % 64;
    }
  }
  r.far = r.near;
  for (int32_t a = 0; a < atoms; ++a) {
    for (int32_t i = r.begin[a]; i < r.begin[a + 1]; ++i) {
      for (size_t w = 0; w < words; ++w) r.far[a * words + w] |= r.near[r.other[i] * words + w];
    }
  }

  // The table's entries are 1 + atom in round 1, and 1 + atoms + atom in round 2.
  Sets sets(r, atoms, words);
  const auto at = [&](int32_t entry) {
    return entry <= atoms ? &r.near[(entry - 1) * words] : &r.far[(entry - 1 - atoms) * words];
  };
  for (int32_t round = 0; round < kRadius; ++round) {
    rename(s, static_cast<uint32_t>(round), r);
    const int32_t first = round * atoms;
    for (int32_t a = 0; a < atoms; ++a) {
      if (r.begin[a] == r.begin[a + 1]) continue;
      int32_t &entry = sets.find(round == 0 ? &r.near[a * words] : &r.far[a * words], at);
      if (entry == 0) {
        entry = 1 + first + a;
      } else if (entry > first && r.now[a] < r.now[entry - 1 - first]) {
        entry = 1 + first + a;
      }
    }
    for (const int32_t entry : r.slot) {
      if (entry > first) add(r.now[entry - 1 - first], entry - 1 - first, round + 1);
    }
  }
}

}  // namespace

int32_t writeCounts(const Structure &s, uint16_t *bit, uint16_t *count) {
  thread_local Room r;
  r.count.assign(kCounts, 0);
  environments(s, r, [](uint32_t name, int32_t, int32_t) {
    uint16_t &n = r.count[name % kCounts];
    if (n < 65535) ++n;
  });

  int32_t n = 0;
  for (int32_t b = 0; b < kCounts; ++b) {
    if (r.count[b] == 0) continue;
    bit[n] = static_cast<uint16_t>(b);
    count[n++] = r.count[b];
  }
  return n;
}

void listEnvironments(const Structure &s, std::vector<int32_t> &list) {
  thread_local Room r;
  thread_local std::vector<int32_t> atoms;
  environments(s, r, [&](uint32_t name, int32_t centre, int32_t radius) {
    atoms.assign(1, centre);
    for (size_t begin = 0; radius > 0; --radius) {
      const size_t end = atoms.size();
      for (; begin < end; ++begin) {
        for (int32_t i = r.begin[atoms[begin]]; i < r.begin[atoms[begin] + 1]; ++i) {
          if (std::find(atoms.begin(), atoms.end(), r.other[i]) == atoms.end()) atoms.push_back(r.other[i]);
        }
      }
    }
    list.push_back(static_cast<int32_t>(name));
    list.push_back(static_cast<int32_t>(atoms.size()));
    list.insert(list.end(), atoms.begin(), atoms.end());
  });
}

}  // namespace pacia

#include "plain.h"

#include <algorithm>
#include <numeric>

#include "rdkit.h"

namespace pacia {

bool readWhole(const char *smiles, int length, Plain &p) {
  if (!readPlain(smiles, length, p) || !valences(p) || !findRings(p) || !kekulize(p) || !withoutRadicals(p) ||
      !aromatize(p)) {
    return false;
  }
  adjustHydrogens(p);
  return true;
}

void structure(const Plain &p, Structure &s) {
  s.invariant.resize(p.atoms);
  for (int a = 0; a < p.atoms; ++a) {
    const int h = p.explicitH[a] + p.implicitH[a];
    s.invariant[a] = atomInvariant(p.number[a], p.degree[a] + h, h, p.charge[a], 0, has(p.inRing, a));
  }
  s.from.assign(p.from, p.from + p.bonds);
  s.to.assign(p.to, p.to + p.bonds);
  s.order.assign(p.order, p.order + p.bonds);
}

// RDKit adds the bonds that close rings at the end, in the order of the ring closure
// numbers.
void writeGraph(const Plain &p, uint8_t *atom, int32_t *ends, uint8_t *bond) {
  for (int a = 0; a < p.atoms; ++a) {
    *atom++ = static_cast<uint8_t>(p.number[a] - 1);
    *atom++ = 0;
  }
  int order[kPlainBonds];
  std::iota(order, order + p.bonds, 0);
  std::stable_sort(order, order + p.bonds, [&p](int b, int c) { return p.closes[b] < p.closes[c]; });
  for (int i = 0; i < p.bonds; ++i) {
    const int b = order[i];
    *ends++ = p.from[b];
    *ends++ = p.to[b];
    *bond++ = static_cast<uint8_t>(p.order[b] == kAromatic ? 3 : p.order[b] - 1);
    *bond++ = 0;
  }
}

}  // namespace pacia

int32_t pacia_rdkit_plain(const char *smiles, int32_t length, uint8_t *atom, int32_t *ends, uint8_t *bond,
                          uint16_t *bit, uint16_t *count, int32_t *atoms, int32_t *bonds, int32_t *bits) {
  try {
    thread_local pacia::Plain p;
    thread_local pacia::Structure s;
    if (!pacia::readWhole(smiles, length, p) || (atom && p.stereo)) return PACIA_REFUSED;
    *atoms = p.atoms;
    *bonds = p.bonds;
    *bits = 0;
    if (atom) pacia::writeGraph(p, atom, ends, bond);
    if (count) {
      pacia::structure(p, s);
      *bits = pacia::writeCounts(s, bit, count);
    }
    return PACIA_OK;
  } catch (...) {  // out of memory
    return PACIA_REFUSED;
  }
}

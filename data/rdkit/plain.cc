#include "plain.h"

namespace pacia {

bool plainStructure(const char *smiles, int length, Structure &s) {
  thread_local Plain p;
  if (!readPlain(smiles, length, p) || !valences(p) || !findRings(p) || !kekulize(p) || !withoutRadicals(p) ||
      !aromatize(p)) {
    return false;
  }
  adjustHydrogens(p);
  s.invariant.resize(p.atoms);
  for (int a = 0; a < p.atoms; ++a) {
    const int h = p.explicitH[a] + p.implicitH[a];
    s.invariant[a] = atomInvariant(p.number[a], p.degree[a] + h, h, p.charge[a], 0, has(p.inRing, a));
  }
  s.from.assign(p.from, p.from + p.bonds);
  s.to.assign(p.to, p.to + p.bonds);
  s.order.assign(p.order, p.order + p.bonds);
  return true;
}

}  // namespace pacia

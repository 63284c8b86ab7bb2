#include <algorithm>
#include <array>
#include <vector>

#include "plain.h"

// Hydrogens and valences (RDKit's cleanUp, calcExplicitValence, calcImplicitValence,
// assignRadicals, adjustHs). Sums of bond orders are in halves, so that an aromatic bond counts 3.

namespace pacia {

namespace {

int halves(const Plain &p, int a) {
  int sum = 0;
  for (int i = 0; i < p.degree[a]; ++i) {
    const uint8_t order = p.order[p.bond[a][i]];
    sum += order == kAromatic ? 3 : 2 * order;
  }
  return sum;
}

// normalCharge returns the number that a charge adds to the allowed valences of an atom.
int normalCharge(const Plain &p, int a) {
  const Element &e = element(p.number[a]);
  const int charge = e.early ? -p.charge[a] : p.charge[a];
  return p.number[a] == 6 && charge > 0 ? -charge : charge;
}

// explicitValence returns the valence of bonds and explicit hydrogens.
int explicitValence(const Plain &p, int a, bool aromatic) {
  const Element &e = element(p.number[a]);
  const int charge = normalCharge(p, a);
  int sum = halves(p, a) + 2 * p.explicitH[a];
  if (aromatic && sum > 2 * (e.valence() + charge)) {
    int most = e.valence() + charge;
    for (const int v : e.valences) {
      if (v == -1 || 2 * (v + charge) > sum) break;
      most = v + charge;
    }
    if (sum - 2 * most <= 3) sum = 2 * most;
  }
  return (sum + 1) / 2;
}

// implicitValence returns the number of implicit hydrogens of an atom with the explicit
// valence v, and -1 if v is not allowed.
int implicitValence(const Plain &p, int a, int v, bool aromatic) {
  const Element &e = element(p.number[a]);
  const int charge = normalCharge(p, a);
  if (aromatic) {
    if (v <= e.valence() + charge) return e.valence() + charge - v;
    for (const int allowed : e.valences) {
      if (allowed <= 0) break;
      if (v == allowed + charge) return 0;
    }
    return -1;
  }
  for (const int allowed : e.valences) {
    if (allowed < 0) break;
    if (v <= allowed + charge) return allowed + charge - v;
  }
  return e.valences.back() == -1 ? 0 : -1;
}

// cleaned reports whether RDKit would rewrite an atom: a nitro group or an azide without
// charges, a phosphorus with valence 5 and three neighbours, an oxidised halogen.
bool cleaned(const Plain &p, int a) {
  if (p.charge[a] != 0) return false;
  switch (p.number[a]) {
    case 7:
      if (explicitValence(p, a, false) != 5) return false;
      for (int i = 0; i < p.degree[a]; ++i) {
        const int b = p.neighbour[a][i], order = p.order[p.bond[a][i]];
        if (p.charge[b] == 0 && ((p.number[b] == 8 && order == 2) || (p.number[b] == 7 && order == 3))) return true;
      }
      return false;
    case 15:
      return p.degree[a] == 3 && explicitValence(p, a, p.aromatic[a]) == 5;
    case 17:
    case 35:
    case 53:
      return explicitValence(p, a, p.aromatic[a]) > 1;
  }
  return false;
}

}  // namespace

// RDKit's valences and outer electrons of the elements from hydrogen on, as in its PeriodicTable.
const Element &element(int number) {
  static const auto all = [] {
    std::array<Element, 119> t{{
      {},
      {{1}, 1}, {{0}, 2}, {{1}, 1}, {{2}, 2}, {{3}, 3}, {{4}, 4}, {{3}, 5}, {{2}, 6},
      {{1}, 7}, {{0}, 8}, {{1}, 1}, {{2, -1}, 2}, {{3, 6}, 3}, {{4, 6}, 4}, {{3, 5, 7}, 5}, {{2, 4, 6}, 6},
      {{1}, 7}, {{0}, 8}, {{1}, 1}, {{2, -1}, 2}, {{-1}, 3}, {{-1}, 4}, {{-1}, 5}, {{-1}, 6},
      {{-1}, 7}, {{-1}, 8}, {{-1}, 9}, {{-1}, 10}, {{-1}, 11}, {{-1}, 2}, {{3}, 3}, {{4}, 4},
      {{3, 5, 7}, 5}, {{2, 4, 6}, 6}, {{1}, 7}, {{0}, 8}, {{1}, 1}, {{2, -1}, 2}, {{-1}, 3}, {{-1}, 4},
      {{-1}, 5}, {{-1}, 6}, {{-1}, 7}, {{-1}, 8}, {{-1}, 9}, {{-1}, 10}, {{-1}, 11}, {{-1}, 2},
      {{3}, 3}, {{2, 4}, 4}, {{3, 5, 7}, 5}, {{2, 4, 6}, 6}, {{1, 3, 5}, 7}, {{0, 2, 4, 6}, 8}, {{1}, 1}, {{2, -1}, 2},
      {{-1}, 3}, {{-1}, 4}, {{-1}, 3}, {{-1}, 4}, {{-1}, 5}, {{-1}, 6}, {{-1}, 7}, {{-1}, 8},
      {{-1}, 9}, {{-1}, 10}, {{-1}, 11}, {{-1}, 12}, {{-1}, 13}, {{-1}, 14}, {{-1}, 15}, {{-1}, 4},
      {{-1}, 5}, {{-1}, 6}, {{-1}, 7}, {{-1}, 8}, {{-1}, 9}, {{-1}, 10}, {{-1}, 11}, {{-1}, 2},
      {{3}, 3}, {{2, 4}, 4}, {{3, 5, 7}, 5}, {{2, 4, 6}, 6}, {{1, 3, 5}, 7}, {{0}, 8}, {{1}, 1}, {{2, -1}, 2},
      {{-1}, 3}, {{-1}, 4}, {{-1}, 3}, {{-1}, 4}, {{-1}, 5}, {{-1}, 6}, {{-1}, 7}, {{-1}, 8},
      {{-1}, 9}, {{-1}, 10}, {{-1}, 11}, {{-1}, 12}, {{-1}, 13}, {{-1}, 14}, {{-1}, 15}, {{-1}, 2},
      {{-1}, 2}, {{-1}, 2}, {{-1}, 2}, {{-1}, 2}, {{-1}, 2}, {{-1}, 2}, {{-1}, 2}, {{-1}, 2},
      {{-1}, 2}, {{-1}, 2}, {{-1}, 2}, {{-1}, 2}, {{-1}, 2}, {{-1}, 2},
    }};
    // RDKit does not export which elements are early. Among those in plain molecules, these are.
    for (const int z : {3, 5, 11, 19}) t[z].early = true;
    return t;
  }();
  return all[number];
}

bool valences(Plain &p) {
  for (int a = 0; a < p.atoms; ++a) {
    if (cleaned(p, a)) return false;
  }
  for (int a = 0; a < p.atoms; ++a) {
    const Element &e = element(p.number[a]);
    const int v = explicitValence(p, a, p.aromatic[a]);
    const int most = e.valences.back(), effective = e.outer >= 4 ? v - p.charge[a] : v + p.charge[a];
    if (most > 0 && effective > most) return false;
    const int h = p.bracket[a] ? 0 : implicitValence(p, a, v, p.aromatic[a]);
    if (h < 0) return false;
    p.valence[a] = static_cast<uint8_t>(v);
    p.implicitH[a] = static_cast<uint8_t>(h);
  }
  return true;
}

bool withoutRadicals(const Plain &p) {
  for (int a = 0; a < p.atoms; ++a) {
    if (!p.bracket[a]) continue;
    const Element &e = element(p.number[a]);
    const int total = halves(p, a) / 2 + p.explicitH[a], charge = p.charge[a];
    int radicals = 8 - e.outer - total + charge;
    if (radicals < 0) {
      radicals = 0;
      for (const int v : e.valences) {
        if (e.valences.size() > 1 && v - total + charge >= 0) {
          radicals = v - total + charge;
          break;
        }
      }
    }
    const int early = e.outer - total - charge;
    if (early >= 0) radicals = std::min(radicals, early);
    if (radicals != 0) return false;
  }
  return true;
}

bool pyrrolic(Plain &p, int a) {
  const int before = p.valence[a];
  p.bracket[a] = false;
  p.explicitH[a] = 0;
  const int v = explicitValence(p, a, false), h = implicitValence(p, a, v, false);
  p.valence[a] = static_cast<uint8_t>(v);
  p.implicitH[a] = static_cast<uint8_t>(std::max(h, 0));
  return v + std::max(h, 0) == before;
}

void adjustHydrogens(Plain &p) {
  for (int a = 0; a < p.atoms; ++a) {
    if (p.bracket[a] || !has(p.inRing, a)) continue;  // bonds outside of rings have not changed
    const int v = explicitValence(p, a, p.aromatic[a]);
    const int h = std::max(implicitValence(p, a, v, p.aromatic[a]), 0);
    if (h < p.implicitH[a]) p.explicitH[a] = static_cast<uint8_t>(p.explicitH[a] + p.implicitH[a] - h);
    p.implicitH[a] = static_cast<uint8_t>(h);
  }
}

}  // namespace pacia

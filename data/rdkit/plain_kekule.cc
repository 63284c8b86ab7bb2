#include <cstddef>

#include "plain.h"

// Double bonds for atoms that are written as aromatic (RDKit's Kekulize).
//
// Fused rings are treated together. RDKit determines which of their aromatic atoms must have a double
// bond. It searches depth first for a choice of bonds that gives one to each, and gives up
// after 100 wrong choices. So it finds an existing solution if there cannot be that many. At
// an atom, the number of choices is that of unvisited neighbours that also lack a double bond:
// three at the first atom, two at others with three neighbours in the system if two of these
// lack a bond, and otherwise one. The fingerprint does not depend on the solution that is found, if
// all atoms written as aromatic are aromatic in the end (checked in plain_aromatic.cc).

namespace pacia {

namespace {

constexpr int kForks = 5;  // 3 · 2⁵ = 96 choices

class Kekulizer {
 public:
  explicit Kekulizer(Plain &p) : p_(p) {}

  bool run() {
    PlainSet aromatic = 0;
    for (int a = 0; a < p_.atoms; ++a) {
      if (p_.aromatic[a]) aromatic |= one(a);
    }
    if (aromatic == 0) return true;
    if ((aromatic & ~p_.inRing) != 0) return false;
    if (!systems(aromatic)) return false;
    for (int a = 0; a < p_.atoms; ++a) {
      if (!p_.aromatic[a]) continue;
      p_.aromatic[a] = false;
      const bool named = (p_.number[a] == 7 || p_.number[a] == 15) && p_.charge[a] == 0 && p_.explicitH[a] == 1;
      if (named && !pyrrolic(p_, a)) return false;
    }
    return true;
  }

 private:
  // systems processes each system of rings that share bonds.
  bool systems(PlainSet aromatic) {
    PlainSet bonds[kPlainRings], atoms[kPlainRings], seen = 0;
    int n = 0;
    for (int r = 0; r < p_.rings; ++r) {
      PlainSet b = p_.ringBonds[r], a = p_.ringAtoms[r];
      int kept = 0;
      for (int s = 0; s < n; ++s) {
        if ((bonds[s] & p_.ringBonds[r]) != 0) {
          b |= bonds[s];
          a |= atoms[s];
        } else {
          bonds[kept] = bonds[s];
          atoms[kept++] = atoms[s];
        }
      }
      bonds[kept] = b;
      atoms[kept] = a;
      n = kept + 1;
    }
    for (int s = 0; s < n; ++s) {
      if ((seen & atoms[s] & aromatic) != 0) return false;  // an aromatic atom in two systems
      seen |= atoms[s];
      if (!candidates(atoms[s] & aromatic, atoms[s])) return false;
    }
    for (int b = 0; b < p_.bonds; ++b) {
      if (p_.written[b]) p_.order[b] = 1;
    }
    for (int s = 0; s < n; ++s) {
      if (!match(wanting_ & atoms[s])) return false;
    }
    return true;
  }

  // candidates adds to wanting_ the aromatic atoms of a system that must have a double bond.
  bool candidates(PlainSet aromatic, PlainSet system) {
    for (int a = 0; a < p_.atoms; ++a) {
      if (!has(aromatic, a)) continue;
      bool wants = false;
      if (!candidate(a, wants)) return false;
      if (wants) wanting_ |= one(a);
    }
    int forks = 0;
    for (int a = 0; a < p_.atoms; ++a) {
      if (!has(wanting_ & system, a)) continue;
      int inside = 0, ways = 0;
      for (int i = 0; i < p_.degree[a]; ++i) {
        inside += has(system, p_.neighbour[a][i]) ? 1 : 0;
        ways += way(a, i, wanting_) ? 1 : 0;
      }
      if (inside > 3) return false;
      if (inside == 3 && ways > 1) ++forks;
    }
    return forks <= kForks;
  }

  bool candidate(int a, bool &wants) const {
    const Element &e = element(p_.number[a]);
    int orders = p_.explicitH[a] + p_.implicitH[a];
    for (int i = 0; i < p_.degree[a]; ++i) {
      const int b = p_.bond[a][i];
      orders += p_.written[b] ? 1 : p_.order[b];
    }
    int charge = e.early ? -p_.charge[a] : p_.charge[a];
    if (p_.number[a] == 6 && charge > 0) charge = -charge;
    int valence = e.valence() + charge;
    const int total = p_.valence[a] + p_.implicitH[a];
    for (std::size_t i = 1; total > valence && i < e.valences.size() && e.valences[i] > 0; ++i) {
      valence = e.valences[i] + charge;
    }
    if (total == 5 && orders == 4 && valence == 3) return false;  // RDKit's exception for oxides
    if (p_.degree[a] + p_.implicitH[a] >= valence) return true;
    wants = valence == orders + 1 || (p_.bracket[a] && valence == orders + 2);
    return true;
  }

  // match gives each atom of a set a double bond within the set, beginning with an atom with the fewest choices.
  bool match(PlainSet lacking) {
    if (lacking == 0) return true;
    int atom = -1, fewest = kPlainDegree + 1;
    for (int a = 0; a < p_.atoms && fewest > 1; ++a) {
      if (!has(lacking, a)) continue;
      int ways = 0;
      for (int i = 0; i < p_.degree[a]; ++i) ways += way(a, i, lacking) ? 1 : 0;
      if (ways < fewest) {
        fewest = ways;
        atom = a;
      }
    }
    for (int i = 0; i < p_.degree[atom]; ++i) {
      if (!way(atom, i, lacking)) continue;
      uint8_t &order = p_.order[p_.bond[atom][i]];
      order = 2;
      if (match(lacking & ~one(atom) & ~one(p_.neighbour[atom][i]))) return true;
      order = 1;
    }
    return false;
  }

  bool way(int a, int i, PlainSet lacking) const {
    return p_.written[p_.bond[a][i]] && has(lacking, p_.neighbour[a][i]);
  }

  Plain &p_;
  PlainSet wanting_ = 0;
};

}  // namespace

bool kekulize(Plain &p) { return Kekulizer(p).run(); }

}  // namespace pacia

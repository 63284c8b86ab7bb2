#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

#include <GraphMol/GraphMol.h>

#include "motifs_parts.h"

namespace pacia {

namespace {

using Cliques = std::vector<std::vector<int>>;

size_t common(const std::vector<int> &a, const std::vector<int> &b) {
  std::vector<int> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

// mergeBridged joins rings with more than two atoms in common until no such rings are left.
void mergeBridged(Cliques &rings) {
  for (size_t i = 0; i < rings.size(); i++) {
    for (size_t j = i + 1; j < rings.size();) {
      if (common(rings[i], rings[j]) <= 2) {
        j++;
        continue;
      }
      std::vector<int> both;
      std::set_union(rings[i].begin(), rings[i].end(), rings[j].begin(), rings[j].end(), std::back_inserter(both));
      rings[i] = std::move(both);
      rings.erase(rings.begin() + static_cast<std::ptrdiff_t>(j));
      j = i + 1;  // ring i is larger now
    }
  }
}

// cliques returns the bonds outside of rings, in their order, then the rings, then single atoms.
Cliques cliques(const RDKit::ROMol &mol) {
  Cliques all, rings(mol.getRingInfo()->atomRings());
  for (auto &ring : rings) std::sort(ring.begin(), ring.end());
  mergeBridged(rings);
  const auto *info = mol.getRingInfo();
  std::vector<bool> bonded(mol.getNumAtoms());
  for (const auto *bond : mol.bonds()) {
    const int a = static_cast<int>(bond->getBeginAtomIdx()), b = static_cast<int>(bond->getEndAtomIdx());
    bonded[a] = bonded[b] = true;
    if (info->numBondRings(bond->getIdx()) == 0) all.push_back({std::min(a, b), std::max(a, b)});
  }
  std::move(rings.begin(), rings.end(), std::back_inserter(all));
  for (size_t a = 0; a < bonded.size(); a++) {
    if (!bonded[a]) all.push_back({static_cast<int>(a)});  // such as an ion of a salt
  }
  return all;
}

using Weights = std::map<std::pair<int, int>, int>;

// meet adds weighted edges between the cliques that have an atom in common. If many cliques meet, the atom
// becomes a clique of its own, with an edge to each of them.
void meet(int atom, const std::vector<int> &here, Cliques &all, Weights &edges) {
  constexpr int kAlways = 99;  // more than any number of common atoms
  const auto count = [&](auto fits) { return std::count_if(here.begin(), here.end(), [&](int c) { return fits(all[c].size()); }); };
  const auto bonds = count([](size_t n) { return n == 2; }), rings = count([](size_t n) { return n > 4; });
  const bool branch = bonds > 2 || (bonds == 2 && here.size() > 2);
  if (branch || rings > 2) {
    const int center = static_cast<int>(all.size());
    all.push_back({atom});
    for (int c : here) edges[{c, center}] = branch ? 1 : kAlways;
    return;
  }
  for (size_t i = 0; i < here.size(); i++) {
    for (size_t j = i + 1; j < here.size(); j++) {
      auto &weight = edges[{here[i], here[j]}];
      weight = std::max(weight, static_cast<int>(common(all[here[i]], all[here[j]])));
    }
  }
}

// spanning returns the maximum spanning tree, or forest. Among edges of equal weight the first is preferred.
std::vector<std::pair<int, int>> spanning(const Weights &edges, size_t n) {
  std::vector<std::pair<std::pair<int, int>, int>> sorted(edges.begin(), edges.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
  std::vector<int> up(n);
  std::iota(up.begin(), up.end(), 0);
  const auto top = [&](int i) {
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
  };
  std::vector<std::pair<int, int>> tree;
  for (const auto &[edge, weight] : sorted) {
    const int a = top(edge.first), b = top(edge.second);
    if (a == b) continue;
    up[b] = a;
    tree.push_back(edge);
  }
  std::sort(tree.begin(), tree.end());
  return tree;
}

}  // namespace

Motifs junctionTree(const RDKit::ROMol &mol) {
  Cliques all = cliques(mol);
  std::vector<std::vector<int>> at(mol.getNumAtoms());
  for (size_t c = 0; c < all.size(); c++) {
    for (int a : all[c]) at[a].push_back(static_cast<int>(c));
  }
  Weights edges;
  for (size_t a = 0; a < at.size(); a++) {
    if (at[a].size() > 1) meet(static_cast<int>(a), at[a], all, edges);
  }
  auto tree = spanning(edges, all.size());
  return {std::move(all), std::move(tree)};
}

}  // namespace pacia

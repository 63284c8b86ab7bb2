// The relation graphs of one task. Each query has a graph of the T properties, the N support
// molecules and the query itself. Without queries, there is one graph of properties and support.
//
// Legend: M graphs, T properties, the target first, N support molecules, n molecules of a
// graph, d width.
#pragma once

#include "core/args.hh"
#include "core/check.hh"

namespace pacia {

// kTypes is the number of edge types: 0 between molecules; between a molecule and a property 1
// inactive, 2 active, 3 not measured.
constexpr int64_t kTypes = 4;

// counted [..., kTypes] returns 1 at the type of each edge, and 0 elsewhere.
inline Tensor counted(const Tensor &types, const Tensor &like) {
  return types.unsqueeze(-1).eq(at::arange(kTypes, types.options())).to(like.scalar_type());
}

// Edges has the edges between molecules and properties, all with weight 1. They join every
// property to every support molecule, and all properties except the target to the query. Since
// all these pairs have edges, only the numbers of edges of each type differ.
struct Edges {
  int64_t N, n, T;
  Tensor ofMolecules, ofProperties;    // [1 or M, n, kTypes], [1 or M, T, kTypes]
  Tensor perMolecule, perProperty;     // [n, 1], [T, 1] number of edges
  Tensor toQuery;                      // [T, 1] 1, but 0 for the target; undefined without queries

  // support [N, T] and queries [M, T] hold types; queries may be undefined.
  Edges(const Tensor &support, const Tensor &queries, const Tensor &like)
      : N(support.size(0)), n(N + queries.defined()), T(support.size(1)) {
    auto known = counted(support, like);
    ofMolecules = known.sum(1).unsqueeze(0);
    ofProperties = known.sum(0).unsqueeze(0);
    perMolecule = at::full({n, 1}, static_cast<double>(T), like.options());
    perProperty = at::full({T, 1}, static_cast<double>(N), like.options());
    if (!queries.defined()) return;
    toQuery = at::full({T, 1}, 1, like.options());
    toQuery[0] = 0;
    auto asked = counted(queries, like) * toQuery;
    ofMolecules = at::cat({ofMolecules.expand({asked.size(0), N, kTypes}), asked.sum(1, true)}, 1);
    ofProperties = ofProperties + asked;
    perMolecule[N] -= 1;
    perProperty = perProperty + toQuery;
  }

  // toProperties [M, T, d] sums the messages y [M, n, d] of molecules.
  Tensor toProperties(const Tensor &y) const {
    auto sum = y.slice(1, 0, N).sum(1, true);
    return toQuery.defined() ? sum + toQuery * y.slice(1, N) : sum.expand({y.size(0), T, y.size(2)});
  }

  // toMolecules [M, n, d] sums the messages y [M, T, d] of properties.
  Tensor toMolecules(const Tensor &y) const {
    auto sum = y.sum(1, true);
    auto support = sum.expand({y.size(0), N, y.size(2)});
    return toQuery.defined() ? at::cat({support, sum - y.slice(1, 0, 1)}, 1) : support;
  }
};

}  // namespace pacia

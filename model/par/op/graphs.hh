// The pairs of molecules that the relation graphs of a task compare. The similarity of i and j
// is that of j and i, so that pairs have i < j. In the first layer, the support is the same in
// all graphs, so that its pairs are compared once.
//
// Legend: N support molecules, M queries, G graphs: one for each query, or one of the support
// if there are no queries; n nodes of a graph; P pairs.
#pragma once

#include <memory>

#include "core/base.hh"

namespace pacia {

// Pairings has the pairs that a layer compares, as rows of a table of nodes.
struct Pairings {
  Tensor left, right;  // [P] rows
  Tensor pair;         // [G·n·n] the pair of each two nodes of a graph; 0 on the diagonal
  Tensor node;         // [G·n] rows
};

struct Graphs {
  int64_t N, M, G, n;
  Pairings first;  // for a table [N + M, d]: support, queries
  Pairings later;  // for a table [G·n, d]: the graphs' own nodes

  Graphs(int64_t N, int64_t M, at::Device where);

  // of returns the graphs of N and M on a device. They are cached, since their computation
  // copies eight lists to a GPU and waits for each.
  static std::shared_ptr<const Graphs> of(int64_t N, int64_t M, at::Device where);
};

}  // namespace pacia

// Which pairs of molecules the relation graphs of a task compare. The similarity of i
// and j is that of j and i, so pairs are i < j; and in the first layer the support is
// the same in all graphs, so its pairs are compared once.
//
// Legend: N support molecules, M queries, G graphs: one for each query, or one of the
// support alone without queries; n nodes of a graph; P pairs.
#pragma once

#include <memory>

#include "core/base.hh"

namespace pacia {

// Pairings holds the pairs that a layer compares: rows of a table of nodes.
struct Pairings {
  Tensor left, right;  // [P] rows
  Tensor pair;         // [G·n·n] the pair of two nodes of a graph; 0 on the diagonal
  Tensor node;         // [G·n] rows
};

struct Graphs {
  int64_t N, M, G, n;
  Pairings first;  // of a table [N + M, d]: support, queries
  Pairings later;  // of a table [G·n, d]: the graphs' own nodes

  Graphs(int64_t N, int64_t M, at::Device where);

  // of returns those of N and M on a device, which are made once and kept: to make them
  // a host copies eight lists to a GPU and waits for each.
  static std::shared_ptr<const Graphs> of(int64_t N, int64_t M, at::Device where);
};

}  // namespace pacia

// The graphs of the edge-labelling network, one for each query: the support of its task, and
// then the query itself.
//
// Legend: B tasks, N support molecules of a task, Q queries, n = N + 1 nodes of a graph,
// P = n(n − 1)/2 pairs of nodes.
#pragma once

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/triu_indices.h>

#include "core/base.hh"

namespace pacia {

// kLeast is the smallest divisor of a sum of edges, as in torch's normalize.
constexpr double kLeast = 1e-12;

// Pairs are the pairs i < j of n nodes. A network of |h_i − h_j| is the same for (i, j) and
// (j, i), and for all (i, i). It therefore runs on P + 1 rows for each graph. The last row is for
// pairs of a node with itself. Batch norm weights a row by its number of entries among n².
struct Pairs {
  int64_t n;
  Tensor first, second;  // [P] nodes
  Tensor place;          // [n·n] the row of each entry
  Tensor times;          // [1, 1, P + 1] number of entries of each row

  Pairs(int64_t nodes, const Tensor &like) : n(nodes) {
    const auto whole = like.options().dtype(at::kLong);
    auto ends = at::triu_indices(n, n, 1, whole);
    first = ends[0];
    second = ends[1];
    auto i = at::arange(n, whole).unsqueeze(1), j = i.t();
    auto low = at::minimum(i, j), high = at::maximum(i, j);
    auto row = (low * (2 * n - 1 - low)).div(2, "floor") + high - low - 1;
    place = at::where(i.eq(j), n * (n - 1) / 2, row).flatten();
    times = at::cat({at::full({n * (n - 1) / 2}, 2, like.options()), at::full({1}, n, like.options())}).view({1, 1, -1});
  }

  // apart [Q, P + 1, w] returns |h_i − h_j| for nodes h [Q, n, w].
  Tensor apart(const Tensor &h) const {
    auto rows = (h.index_select(1, first) - h.index_select(1, second)).abs();
    return at::constant_pad_nd(rows, {0, 0, 0, 1});
  }

  // full [Q, n, n] returns the entries from rows [Q, P + 1].
  Tensor full(const Tensor &rows) const { return rows.index_select(1, place).view({-1, n, n}); }
};

// start [Q, 2, n, n] returns the edges before the first layer. Between support molecules, the
// first channel is 1 for equal labels and the second is 1 for different labels. All edges of the
// query are 0.5.
inline Tensor start(const Tensor &labels, const Tensor &task, int64_t N, const Tensor &like) {
  auto active = labels.view({-1, N}).ne(0);
  auto same = active.unsqueeze(1).eq(active.unsqueeze(2)).to(like.scalar_type()).index_select(0, task);
  return at::constant_pad_nd(at::stack({same, 1 - same}, 1), {0, 1, 0, 1}, 0.5);
}

// apart_from_self returns e with 0 on the diagonal.
inline Tensor apart_from_self(const Tensor &e) { return e * (1 - at::eye(e.size(-1), e.options())); }

// shares divides rows by their sums. Edges are not negative.
inline Tensor shares(const Tensor &e) { return e / e.sum(-1, true).clamp_min(kLeast); }

// updated [Q, 2, n, n] weights edges with a zero diagonal by the similarity s [Q, n, n] and by
// 1 − s, and keeps the sum of each row. It then adds self loops to the first channel, and scales
// the two channels to a sum of 1.
inline Tensor updated(const Tensor &e, const Tensor &s) {
  auto next = shares(at::stack({s, 1 - s}, 1) * e) * e.sum(-1, true);
  auto self = at::eye(e.size(-1), e.options());
  next = next + at::stack({self, at::zeros_like(self)}) + 1e-6;
  return next / next.sum(1, true);
}

}  // namespace pacia

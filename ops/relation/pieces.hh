// The pair network is piecewise linear in D = exp(−|h_i − h_j|). On the piece where no hidden
// unit changes its sign, the logit is s⁰ + u·(D − D⁰). After the first relation layer, a task's
// support molecules differ little between the graphs of its queries, because a query is only
// one neighbour in K. So each pair of support molecules gets an anchor: the pair of their mean
// nodes, where the network and its gradient u are evaluated. The same pair in a graph then
// costs one product of d numbers instead of d·d' + d'·d''.
//
// The result is that of the network up to rounding, and not an approximation. The effect of a
// change of D on each unit is bounded. The few units that might change their sign are computed,
// and those that do change are included in the sum. A pair with many such units passes through
// the whole network. If a task has many graphs, most of a change is along a few axes (axes.hh).
// Their effect is known, and the bounds are for the rest of the change.
//
//   z1 = W1 D + b1            |Δ z1_k − Σ t_a·∂_a z1_k| ≤ ‖W1_k‖·‖δ'‖
//   z2 = W2 leaky(z1) + b2    |Δ z2_j − Σ t_a·∂_a z2_j| ≤ ‖W2_j ⊙ σ1‖·‖W1‖₂·‖δ'‖     σ slopes
//   s  = w3·leaky(z2) + b3    δ = D − D⁰ = Σ t_a·axis_a + δ'
//
// Legend: B tasks, Q queries (graphs), N support molecules, S = N(N−1)/2 pairs of them, R
// anchors of all tasks, P pairs, d, d', d'' widths.
#pragma once

#include <ATen/ops/constant_pad_nd.h>

#include "pairs.hh"
#include "product/product.hh"
#include "relation.hh"

namespace pacia {

// anchored_from returns the number of a task's graphs from which anchors pay. An anchor costs as
// much as two pairs forward, and the same again for its gradient. On a unit for matrices that
// rounds to bf16, where a pair costs little more than its exponentials, it costs more.
inline int64_t anchored_from() { return rounds_in_matrices() ? 24 : 4; }

// The number of graphs of a task from which caching gradients of single units pays.
constexpr int64_t kMany = 8;

// A pair with more doubtful units than this passes through the whole network.
constexpr int64_t kDoubts = 64;

// Bounds are widened by this share to include rounding errors.
constexpr double kSlack = 1e-5;

// The run length: hidden units are checked in runs of this length, in two halves.
constexpr int64_t kRun = 64;

// The number of graphs of a task from which its anchors have axes, the number of axes, and the
// number of graphs whose δ they are computed from.
constexpr int64_t kAxed = 64, kAxes = 4, kSamples = 32;
static_assert(kAxes % 4 == 0 && kSamples <= kAxed && 2 * kAxes <= kSamples);

// filled pads x [..., n] to a whole number of runs.
inline Tensor filled(const Tensor &x, double with) {
  return at::constant_pad_nd(x, {0, (x.size(-1) + kRun - 1) / kRun * kRun - x.size(-1)}, with);
}

// Pieces has the anchors. An autograd graph can own a Pieces.
struct Pieces : torch::CustomClassHolder {
  std::vector<int64_t> row;      // [Q] first anchor of the graph's task, or −1
  std::vector<uint8_t> on;       // [P] whether the pair is on its anchor's piece
  bool many = false;             // whether tasks have kMany graphs
  Tensor D, z1, z2, s;           // [R, d], [R, d'], [R, d''], [R]
  Tensor slope1, slope2;         // σ of the hidden units, [R, d'], [R, d'']
  Tensor v, h, g, u;             // gradients of s with respect to z2, leaky(z1), z1 and D
  int64_t m = 0;                 // number of axes of an anchor: kAxes or 0
  Tensor axes;                   // [R, m, d], orthonormal
  Tensor along1, along2;         // the change of far by a step on an axis, [R, 2d'/kRun, m, kRun/2], …
  Tensor far1, far2;             // |z|, [R, d'], [R, d'']
  Tensor reach1, reach2;         // bounds of |Δ z|/‖δ'‖, [d'], [R, d'']; in these six, d' and d'' are padded to whole runs
  Tensor w2t, w21;               // [d', d'']; W2 W1 [d'', d]

  int64_t anchors() const { return D.defined() ? D.size(0) : 0; }

  // anchor returns the anchor of pair k, or −1.
  int64_t anchor(const Pairs &p, int64_t k) const {
    if (anchors() == 0) return -1;
    const int64_t each = p.n * p.N / 2, q = k / each, inner = k % each;
    return row[q] < 0 || inner >= p.support_pairs() ? -1 : row[q] + inner;
  }

  // same reports whether the hidden values a1 and a2 of a pair have the same signs as at anchor r.
  template <class T>
  bool same(int64_t r, const T *a1, const T *a2) const {
    auto equal = [r](const Tensor &z, const T *a) {
      const int64_t n = z.size(1);
      const T *of = z.data_ptr<T>() + r * n;
      int turned = 0;
#pragma omp simd reduction(| : turned)
      for (int64_t i = 0; i < n; i++) turned |= (of[i] > 0) != (a[i] > 0);
      return !turned;
    };
    return equal(z1, a1) && equal(z2, a2);
  }
};

}  // namespace pacia

// The pair network is piecewise linear in D = exp(−|h_i − h_j|): on the piece
// where no hidden unit changes its sign, the logit is s⁰ + u·(D − D⁰). After
// the first relation layer a task's support molecules differ little between
// the graphs of its queries, for a query is one neighbour in K. So each pair
// of support molecules gets an anchor, the pair of their mean nodes, where the
// network is evaluated with its gradient u; a graph's own pair then costs one
// product of d numbers instead of d·d' + d'·d''.
//
// The result is that of the network up to rounding, and not an approximation:
// how far D may move before a unit can change its sign is bounded, the few
// units within that bound are calculated and those that did change enter the
// sum; a pair with many of them goes through the whole network.
//
//   z1 = W1 D + b1            |Δ z1_k| ≤ ‖W1_k‖·‖δ‖                δ = D − D⁰
//   z2 = W2 leaky(z1) + b2    |Δ z2_j| ≤ ‖W2_j ⊙ σ1‖·‖W1‖₂·‖δ‖     σ slopes
//   s  = w3·leaky(z2) + b3
//
// Legend: B tasks, Q queries (graphs), N support molecules, S = N(N−1)/2 pairs
// of them, R = anchors of all tasks, P pairs, d, d', d'' widths.
#pragma once

#include <ATen/ops/constant_pad_nd.h>

#include "pairs.hh"
#include "relation.hh"

namespace pacia {

// Fewer graphs of a task than this do not pay for its anchors, each of which
// costs two pairs' worth forward and as much for its gradient.
constexpr int64_t kAnchored = 4;

// Graphs of a task from which on it pays to keep gradients of single units.
constexpr int64_t kMany = 8;

// A pair with more units in doubt than this goes through the whole network.
constexpr int64_t kDoubts = 64;

// Bounds are widened by what rounding may add to them.
constexpr double kSlack = 1e-5;

// Reach is a table of how far δ may go until a unit may change its sign,
// [R, n], with the smallest of every run of kReach units, by which most of the
// table is passed over.
constexpr int64_t kReach = 32;

struct Reach {
  Tensor of, least;  // [R, runs·kReach], filled up with infinity; [R, runs]
  int64_t runs = 0;

  Reach() = default;
  explicit Reach(const Tensor &x) : runs((x.size(1) + kReach - 1) / kReach) {
    of = at::constant_pad_nd(x, {0, runs * kReach - x.size(1)}, std::numeric_limits<double>::infinity());
    least = of.view({-1, runs, kReach}).amin(2);
  }
};

// nearer returns as bits which of kReach numbers are at most limit.
template <class T>
PACIA_INLINE uint32_t nearer_loop(const T *x, T limit) {
  uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
  for (uint32_t i = 0; i < kReach; i++) bits |= static_cast<uint32_t>(x[i] <= limit) << i;
  return bits;
}
PACIA_SIMD uint32_t nearer(const float *x, float limit) { return nearer_loop(x, limit); }
PACIA_SIMD uint32_t nearer(const double *x, double limit) { return nearer_loop(x, limit); }

// within writes which of n units are at most limit away, by their entries x
// and the least of each run, and returns their number, or −1 when they are
// more than kDoubts.
template <class T>
int64_t within(const T *x, const T *least, int64_t runs, T limit, int32_t *which) {
  int64_t found = 0;
  for (int64_t k = 0; k < runs; k++) {
    if (!(least[k] <= limit)) continue;
    for (uint32_t bits = nearer(x + k * kReach, limit); bits != 0; bits &= bits - 1) {
      if (found == kDoubts) return -1;
      which[found++] = static_cast<int32_t>(k * kReach) + __builtin_ctz(bits);
    }
  }
  return found;
}

// Pieces holds the anchors. It can travel with an autograd graph.
struct Pieces : torch::CustomClassHolder {
  std::vector<int64_t> row;      // [Q] first anchor of the graph's task; −1 without
  std::vector<uint8_t> on;       // [P] whether the pair lies on its anchor's piece
  bool many = false;             // whether tasks have kMany graphs
  Tensor D, z1, z2, s;           // [R, d], [R, d'], [R, d''], [R]
  Tensor slope1, slope2;         // σ of the hidden units, [R, d'], [R, d'']
  Tensor v, h, g, u;             // gradients of s: of z2, of leaky(z1), of z1, of D
  Tensor move2;                  // bound of |Δ z2_j|/‖δ‖, [R, d'']
  Reach near1, near2;
  Tensor w2t;                    // [d', d'']

  int64_t anchors() const { return D.defined() ? D.size(0) : 0; }

  // anchor returns that of pair k, −1 without.
  int64_t anchor(const Pairs &p, int64_t k) const {
    if (anchors() == 0) return -1;
    const int64_t each = p.n * p.N / 2, q = k / each, inner = k % each;
    return row[q] < 0 || inner >= p.support_pairs() ? -1 : row[q] + inner;
  }

  // same says whether the hidden values a1 and a2 of a pair are of the signs
  // of anchor r.
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

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

#include "pairnet.hh"

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

// spectral returns an upper bound of ‖W‖₂, a few per cent above it: the trace
// of (WᵀW)⁸ to the power of 1/16.
inline double spectral(const Tensor &w) {
  auto a = w.to(at::kDouble);
  a = w.size(0) < w.size(1) ? at::mm(a, a.t()) : at::mm(a.t(), a);
  const double scale = std::max(a.trace().item<double>(), 1e-300);
  a = a / scale;
  for (int i = 0; i < 3; i++) a = at::mm(a, a);
  return std::sqrt(scale * std::pow(a.trace().item<double>(), 1.0 / 8));
}

inline Tensor slopes(const Tensor &z) {
  return at::where(z.gt(0), at::ones({}, z.options()), at::full({}, kLeak, z.options()));
}

// anchors evaluates the pair network between the mean nodes of each task, for
// the pairs of support molecules in their order in a graph: that of the first.
inline void anchors(Pieces &t, const std::vector<Tensor> &means, const Pairs &p,
                    const PairNet &net) {
  auto m = at::stack(means);
  auto ends = [&](const std::vector<int32_t> &v) {
    return m.index_select(1, at::tensor(at::ArrayRef<int32_t>(v.data(), static_cast<size_t>(p.support_pairs())), at::kInt));
  };
  t.D = (ends(p.left) - ends(p.right)).abs_().neg_().exp_().flatten(0, 1);
  t.z1 = times(t.D, net.w1, true, {net.b1, After::nothing, {}});
  t.slope1 = slopes(t.z1);
  t.z2 = times(t.z1 * t.slope1, net.w2, true, {net.b2, After::nothing, {}});
  t.slope2 = slopes(t.z2);
  t.s = at::mv(t.z2 * t.slope2, net.w3.flatten());
  if (net.b3.defined()) t.s.add_(net.b3);
  t.v = t.slope2 * net.w3;
  t.h = times(t.v, net.w2, false);
  t.g = t.h * t.slope1;
  t.u = times(t.g, net.w1, false);
  t.move2 = times(t.slope1.square(), net.w2.square(), true).sqrt_().mul_(spectral(net.w1));
  auto tiny = std::numeric_limits<float>::min();
  t.near1 = Reach(t.z1.abs() / net.w1.norm(2, {1}).clamp_min_(tiny));
  t.near2 = Reach(t.z2.abs() / t.move2.clamp_min(tiny));
  t.w2t = net.w2.t().contiguous();
}

// pieces_of lays out the anchors of graphs of which each has its own nodes x
// [Q·n, d]; an empty one where no task has graphs enough.
inline c10::intrusive_ptr<Pieces> pieces_of(const Tensor &x, const Pairs &p, const PairNet &net) {
  auto t = c10::make_intrusive<Pieces>();
  t->on.assign(static_cast<size_t>(p.size()), 0);
  t->row.assign(static_cast<size_t>(p.Q), -1);
  if (p.N < 2) return t;
  auto graphs = p.task.empty() ? x : x.view({p.Q, p.n, x.size(1)});
  std::vector<Tensor> means;
  for (size_t b = 0; b + 1 < p.task.size(); b++) {
    const int64_t first = p.task[b], last = p.task[b + 1];
    if (last - first < kAnchored) continue;
    t->many = t->many || last - first >= kMany;
    std::fill(t->row.begin() + first, t->row.begin() + last,
              static_cast<int64_t>(means.size()) * p.support_pairs());
    means.push_back(graphs.slice(0, first, last).slice(1, 0, p.N).mean(0));
  }
  if (!means.empty()) anchors(*t, means, p, net);
  return t;
}

}  // namespace pacia

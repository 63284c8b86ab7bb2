// Anchors: the points where the pair network is evaluated together with its gradient.
//
// Legend: see pieces.hh.
#pragma once

#include <ATen/ops/mv.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>

#include "axes.hh"
#include "pieces.hh"
#include "product/product.hh"

namespace pacia {

// spectral returns an upper bound of ‖W‖₂ that is a few per cent too large: the trace of (WᵀW)⁸
// to the power of 1/16.
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

// anchors evaluates the pair network between the mean nodes of each task, for the pairs of
// support molecules in the order of the first graph.
inline void anchors(Pieces &t, const std::vector<Tensor> &means, const Pairs &p, const PairNet &net) {
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
  constexpr double always = std::numeric_limits<double>::infinity();
  t.far1 = filled(t.z1.abs(), always);
  t.far2 = filled(t.z2.abs(), always);
  t.reach1 = filled(net.w1.norm(2, {1}), 0);
  t.reach2 = filled(times(t.slope1.square(), net.w2.square(), true).sqrt_().mul_(spectral(net.w1)), 0);
  t.w2t = net.w2.t().contiguous();
  t.w21 = times(net.w2, net.w1, false);
}

// lay_axes computes the axes of the anchors, if every task has enough graphs. `graphs` has the
// first graph of each task and the one after its last.
inline void lay_axes(Pieces &t, const Tensor &x, const Pairs &p, const std::vector<std::pair<int64_t, int64_t>> &graphs,
                     const PairNet &net) {
  t.m = kAxes;
  for (auto [first, last] : graphs)
    if (last - first < kAxed) t.m = 0;
  const int64_t R = t.anchors(), d = x.size(1);
  t.axes = t.along1 = t.along2 = at::empty({R, t.m, d}, x.options());
  if (t.m == 0) return;
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "axes_of", [&] {
    for (size_t b = 0; b < graphs.size(); b++)
      axes_of(t, x.data_ptr<scalar_t>(), p, static_cast<int64_t>(b) * p.support_pairs(), graphs[b].first, graphs[b].second);
  });
  auto outwards = [](const Tensor &z) { return at::where(z.gt(0), at::ones({}, z.options()), -at::ones({}, z.options())).unsqueeze(1); };
  auto step1 = times(t.axes.flatten(0, 1), net.w1, true).view({R, t.m, net.w1.size(0)});
  auto step2 = times((step1 * t.slope1.unsqueeze(1)).flatten(0, 1), net.w2, true).view({R, t.m, net.w2.size(0)});
  auto halves = [&](const Tensor &x) { return filled(x, 0).view({R, t.m, (x.size(2) + kRun - 1) / kRun * 2, kRun / 2}).transpose(1, 2).contiguous(); };
  t.along1 = halves(step1 * outwards(t.z1));
  t.along2 = halves(step2 * outwards(t.z2));
}

// pieces_of returns the anchors of graphs, each with its own nodes x [Q·n, d]. The result is
// empty if no task has enough graphs.
inline c10::intrusive_ptr<Pieces> pieces_of(const Tensor &x, const Pairs &p, const PairNet &net) {
  auto t = c10::make_intrusive<Pieces>();
  t->on.assign(static_cast<size_t>(p.size()), 0);
  t->row.assign(static_cast<size_t>(p.Q), -1);
  if (p.N < 2) return t;
  auto graphs = p.task.empty() ? x : x.view({p.Q, p.n, x.size(1)});
  std::vector<Tensor> means;
  std::vector<std::pair<int64_t, int64_t>> with;
  for (size_t b = 0; b + 1 < p.task.size(); b++) {
    const int64_t first = p.task[b], last = p.task[b + 1];
    if (last - first < anchored_from()) continue;
    t->many = t->many || last - first >= kMany;
    std::fill(t->row.begin() + first, t->row.begin() + last,
              static_cast<int64_t>(means.size()) * p.support_pairs());
    with.emplace_back(first, last);
    means.push_back(graphs.slice(0, first, last).slice(1, 0, p.N).mean(0));
  }
  if (means.empty()) return t;
  anchors(*t, means, p, net);
  lay_axes(*t, x, p, with, net);
  return t;
}

}  // namespace pacia

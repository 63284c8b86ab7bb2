// The operations of ADKF-IFT's head. Vectors may be on any device. The calculation is in
// float64 on the CPU, since the matrices are too small for a GPU.
//
// Legend: B tasks, N support molecules of a task, Q queries, M queries of one task, d width,
// n = N + M.
#include "core/libtorch.hh"

#include "core/args.hh"
#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "process.hh"

#include <ATen/ops/exp.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/tensor.h>

namespace pacia {

namespace {

Tensor doubles(const Tensor &x) { return x.detach().to(at::kCPU).to(at::kDouble).contiguous(); }
Tensor targets(const Tensor &labels) { return doubles(labels) * 2 - 1; }

// Order selects the gradients of an outer loss.
enum class Order : int64_t {
  first,  // η is constant
  held,   // η depends on the vectors, ℓ₀ is constant
  full,   // ℓ₀ also depends on the vectors
};

// Joint has the results of the process of one task's support and queries together.
struct Joint {
  double loss;    // −log N(t_Q; m, V)
  Tensor back;    // the gradient of the loss with respect to the vectors [n, d]
};

// joint computes −log p(t_Q | t_S), which is −log N(t; 0, C) of all molecules minus that of the
// support. At the minimum η* of the support's own loss, ∂L/∂η stays 0 as the vectors change, so
// that dη* = −H⁻¹ (∂²L/∂η∂D) dD.
Joint joint(const Tensor &x, const Tensor &t, int64_t N, Order order) {
  auto D = distances(x), inside = D.slice(0, 0, N).slice(1, 0, N).contiguous();
  const Support support(inside, t.slice(0, 0, N));
  const Fitted f = support.fit();
  const Kernel k(D, f.eta.length());
  const Marginal all(k, t, f.eta);
  if (!f.marginal.sound || !all.sound) return {NAN, at::full_like(x, NAN)};
  auto G = all.slope * k.by_D * f.eta.scale();
  auto of_support = G.slice(0, 0, N).slice(1, 0, N);
  of_support.sub_(f.marginal.slope * f.kernel.by_D * f.eta.scale());
  if (order != Order::first) {
    const Three a = all.by(k, f.eta), b = f.marginal.by(f.kernel, f.eta);
    Three outer, v{};
    for (size_t i = 0; i < 3; i++) outer[i] = (a[i] - b[i]) * f.eta.first[i];
    if (newton_step(f, 0, outer, v)) {
      of_support.sub_(f.correction(v));
      for (double &c : v) c = -c;
      if (order == Order::full) support.scale_back(f, v, of_support);
    }
  }
  return {all.loss - f.marginal.loss, distances_back(x, G)};
}

// Outer is the mean loss of the tasks. Its forward pass also computes the gradients.
struct Outer : Function<Outer> {
  struct Saved {
    Tensor support, query;
    auto fields() { return std::tie(support, query); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &support, const Tensor &query,
                        const Tensor &labels, const Tensor &asked, const Tensor &task, int64_t N, Order order) {
    auto S = doubles(support), X = doubles(query), s = targets(labels), q = targets(asked);
    auto of = task.to(at::kCPU).contiguous();
    const int64_t B = S.size(0) / N, Q = X.size(0);
    std::vector<int64_t> begin(static_cast<size_t>(B + 1), 0);
    for (int64_t i = 0; i < Q; i++) {
      const int64_t b = ints(of)[i];
      if (b < 0 || b >= B || (i > 0 && b < ints(of)[i - 1]))
        throw std::invalid_argument("queries are not in the order of their tasks");
      begin[b + 1]++;
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    auto dS = at::zeros_like(S), dX = at::zeros_like(X);
    std::vector<double> losses(static_cast<size_t>(B), 0);
    at::parallel_for(0, B, 1, [&](int64_t from, int64_t to) {
      for (int64_t b = from; b < to; b++) {
        const int64_t first = begin[b], last = begin[b + 1];
        if (first == last) continue;
        const auto x = at::cat({S.slice(0, b * N, (b + 1) * N), X.slice(0, first, last)});
        const auto t = at::cat({s.slice(0, b * N, (b + 1) * N), q.slice(0, first, last)});
        const auto j = joint(x, t, N, order);
        losses[b] = j.loss;
        dS.slice(0, b * N, (b + 1) * N).copy_(j.back.slice(0, 0, N));
        dX.slice(0, first, last).copy_(j.back.slice(0, N));
      }
    });
    double sum = 0;
    for (const double l : losses) sum += l;
    const auto share = 1 / static_cast<double>(B);
    save(ctx, Saved{(dS * share).to(support.options()), (dX * share).to(query.options())});
    return at::full({}, sum * share, support.options());
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    return {s.support * grads[0], s.query * grads[0], Tensor(), Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

Tensor tensor_of(const Three &x) { return at::tensor(std::vector<double>(x.begin(), x.end()), at::kDouble); }

}  // namespace

// process_loss_op gives one number: the mean over tasks of −log N(t_Q; m, V), each at the
// minimum of its support's loss. Inputs: support [B·N, d], queries [Q, d], labels [B·N] and
// [Q], tasks of the queries [Q]. Integers: N, Order.
template <class Path>
void process_loss_op(Args &a) {
  auto support = a.tensor(), query = a.tensor(), labels = a.tensor(), asked = a.tensor(), task = a.tensor();
  const int64_t N = a.integer();
  if (N < 1) throw std::invalid_argument("no support molecules");
  expect("queries", query, {kAny, kAny});
  expect("support", support, {support.size(0) / N * N, query.size(1)});
  expect("labels of the support", labels, {support.size(0)});
  expect("labels of the queries", asked, {query.size(0)});
  expect("tasks of the queries", task, {query.size(0)});
  a.give(Outer::apply(support, query, labels, asked, task, N, a.choice<Order>()));
}
PACIA_OP("gaussian process loss", process_loss_op)

// process_fit_op fits a task. Inputs: support [N, d], labels [N]; none, or a point η [3] that
// replaces the minimum. Outputs: η [3] and α [N] in float64, on the support's device; then, on
// the CPU, L, its gradient [3] and Hessian [3, 3] with respect to η, and the kernel s² k [N, N].
template <class Path>
void process_fit_op(Args &a) {
  auto support = a.tensor(), labels = a.tensor(), point = a.tensor();
  expect("support", support, {kAny, kAny});
  expect("labels", labels, {support.size(0)});
  const Support s(distances(doubles(support)), targets(labels));
  Three raw{};
  if (point.defined()) {
    expect("point", point, {3});
    auto p = doubles(point);
    std::copy_n(p.data_ptr<double>(), 3, raw.begin());
  }
  const Fitted f = point.defined() ? s.at(raw) : s.fit();
  if (!f.marginal.sound)
    throw std::invalid_argument("the kernel matrix of the support molecules is singular, or their vectors are "
                                "not finite numbers");
  a.give(tensor_of(f.raw).to(support.device()));
  a.give(f.marginal.alpha.to(support.device()));
  a.give(at::full({}, f.loss, at::kDouble));
  a.give(tensor_of(f.gradient));
  a.give(at::stack({tensor_of(f.hessian[0]), tensor_of(f.hessian[1]), tensor_of(f.hessian[2])}));
  a.give(f.kernel.k * f.eta.scale());
}
PACIA_OP("gaussian process fit", process_fit_op)

// process_mean_op gives the logits [M, 1, 2] ∓m/2 for the mean m = K_QS α. Inputs: support
// [N, d], η [3] and α [N] of a fit, queries [M, d].
template <class Path>
void process_mean_op(Args &a) {
  auto support = a.tensor(), raw = a.tensor(), alpha = a.tensor(), query = a.tensor();
  expect("support", support, {kAny, kAny});
  expect("numbers", raw, {3});
  expect("weights", alpha, {support.size(0)});
  expect("queries", query, {kAny, support.size(1)});
  auto S = support.to(at::kDouble), mean = S.mean(0, true), X = query.to(at::kDouble) - mean;
  S = S - mean;
  auto positive = at::softplus(raw, 1, 30);
  auto D = ((X * X).sum(1, true) + (S * S).sum(1) - 2 * at::mm(X, S.t())).clamp_min(0);
  auto square = D * 5 / positive[kLength].square(), r = square.sqrt();
  auto m = at::mv((1 + r + square / 3) * at::exp(-r), alpha) * positive[kScale] * 0.5;
  a.give(at::stack({-m, m}, 1).unsqueeze(1).to(query.scalar_type()));
}
PACIA_OP("gaussian process mean", process_mean_op)

}  // namespace pacia

// The adaptive classifier (Eqs. 16 to 20). Networks convert the prototype of a class, which is
// the mean of its support molecules, to the weights and the bias of its logit.
//
// Legend: Q queries, L layers, N support molecules, n = N+1, d width, R = L·Q sets.
#include "core/libtorch.hh"

#include "core/registry.hh"

#include "labels.hh"
#include "mlp.hh"

#include <ATen/ops/matmul.h>

namespace pacia {

namespace {

// Logits computes w·query + b [Q, L, 2] from w [2, L·Q, d], b [2, L·Q], query [L·Q, d].
struct Logits : Function<Logits> {
  struct Saved {
    Tensor w, query;
    auto fields() { return std::tie(w, query); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &weight, const Tensor &bias,
                        const Tensor &query, int64_t L) {
    auto w = weight.contiguous(), b = bias.contiguous();
    const int64_t rows = query.size(0), Q = rows / L;
    auto y = at::empty({Q, L, 2}, w.options());
    PACIA_LAUNCH(logits, w, warp_blocks(2 * rows), w, b, query, L, Q, w.size(2), y);
    save(ctx, Saved{w, query});
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto dy = grads[0].contiguous(), dw = at::empty_like(s.w), dq = at::empty_like(s.query);
    const int64_t Q = dy.size(0), L = dy.size(1), rows = L * Q;
    auto db = at::empty({2, rows}, dy.options());
    PACIA_LAUNCH(logits_back, dy, warp_blocks(rows), dy, s.w, s.query, L, Q, dq.size(1), dw, db, dq);
    return {dw, db, dq, Tensor()};
  }
};

// Classes has MLP_w and MLP_b, once for both classes or once for each class.
struct Classes {
  std::vector<Mlp> w, b;
  size_t of(size_t k) const { return w.size() == 2 ? k : 0; }
};

template <class Path>
Tensor logits(Path, const Classes &net, const std::vector<Tensor> &layers, const Tensor &labels,
              const Tensor &task, int64_t N) {
  auto c = class_weights(one_hot(labels_of_sets(labels, task, N), layers.at(0)), N);
  auto nodes = at::stack(layers, 1);
  auto prototypes = at::matmul(c.unsqueeze(1), nodes.slice(2, 0, N));  // [Q, L, 2, d]
  auto query = nodes.select(2, N);
  std::vector<Tensor> logits;
  for (size_t k = 0; k < 2; k++) {
    auto r = prototypes.select(2, static_cast<int64_t>(k));
    logits.push_back((net.w[net.of(k)].run(Path{}, r) * query).sum(-1) +
                     net.b[net.of(k)].run(Path{}, r).squeeze(-1));
  }
  return at::stack(logits, -1);
}

Tensor logits(Kernels, const Classes &net, const std::vector<Tensor> &layers, const Tensor &labels,
              const Tensor &task, int64_t N) {
  auto nodes = at::stack(layers);
  const int64_t L = nodes.size(0), rows = L * nodes.size(1), d = nodes.size(3);
  expect("nodes", nodes, {L, task.size(0), kAny, d});
  auto means = ClassMeans::apply(nodes.view({-1, d}), Sets::of(nodes.flatten(0, 1), labels, task, N),
                                 true, true);
  if (net.w.size() == 1)
    return Logits::apply(net.w[0].run(Kernels{}, means[0]),
                         net.b[0].run(Kernels{}, means[0]).view({2, rows}), means[1], L);
  auto prototypes = means[0].unbind();
  std::vector<Tensor> weights, biases;
  for (size_t k = 0; k < 2; k++) {
    weights.push_back(net.w[k].run(Kernels{}, prototypes[k]));
    biases.push_back(net.b[k].run(Kernels{}, prototypes[k]).flatten());
  }
  return Logits::apply(at::stack(weights), at::stack(biases), means[1], L);
}

}  // namespace

// classifier_op gives the logits [Q, L, 2] of the query at each of L layers. Inputs: labels
// [B·N], tasks of the queries [Q], L layers of nodes [Q, n, d], then the weights of MLP_w and
// MLP_b, once or for each class (inactive first). Integers: L, N, number of sets of weights,
// flags of one MLP.
template <class Path>
void classifier_op(Args &a) {
  auto labels = a.tensor(), task = a.tensor();
  const auto layers = a.tensors(a.integer());
  const int64_t N = a.integer(), sets = a.integer();
  const auto flags = a.integers();
  const auto each = 2 * static_cast<int64_t>(flags.size());
  Classes net;
  for (int64_t k = 0; k < sets; k++) {
    net.w.push_back({a.tensors(each), flags, {}});
    net.b.push_back({a.tensors(each), flags, {}});
  }
  a.give(logits(Path{}, net, layers, labels, task, N));
}
PACIA_OP_ALL("classifier", classifier_op)

}  // namespace pacia

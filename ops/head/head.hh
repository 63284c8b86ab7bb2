// The end of the model: weighting layers by their plausibility (Eqs. 4, 5 and
// the choice of Eq. 12), the adaptive classifier (Eqs. 13 to 17) and the loss
// (Eq. 10).
//
// Legend: Q queries, L layers, N support molecules, n = N+1, d width.
#pragma once

#include "hyper.hh"

namespace pacia {

// plausibility joins the last columns of L outputs of a depth hypernetwork,
// [R, c] each, to p [R, L].
inline Tensor plausibility(const std::vector<Tensor> &outputs) {
  std::vector<Tensor> columns;
  // The backward pass of a view launches nothing.
  for (auto &o : outputs)
    columns.push_back(o.size(1) == 1 && !on_cpu(o) ? o.flatten() : o.select(1, -1));
  return at::stack(columns, 1);
}

// spread_weights gives each of R rows the weights [S, L] of its segment, whose
// rows are ptr[s]..ptr[s+1].
inline Tensor spread_weights(const Tensor &weight, const Tensor &ptr, int64_t R) {
  if (on_cpu(weight)) return weight.index_select(0, segments(ptr));
  // The rows of a segment are a mask here: nothing is looked at or added up in
  // an order of its own. S·R·L numbers are few beside the layers.
  auto row = at::arange(R, ptr.options());
  auto ends = ptr.unsqueeze(1);
  auto outside = row.lt(ends.slice(0, 0, -1)).logical_or(row.ge(ends.slice(0, 1)));
  return weight.unsqueeze(1).expand({-1, R, -1}).masked_fill(outside.unsqueeze(2), 0).sum(0);
}

// mix_op weights L layers [R, …] by softmax(p) (Eq. 5), or takes the layer of
// the largest p. Inputs: row offsets of p's segments or none, then L layers,
// then L outputs of the depth hypernetwork. Integers: L, whether to choose.
// Outputs: the mixture; p.
inline void mix_op(const Positional &a) {
  const int64_t L = a.integer(0);
  auto all = a.rest(1);
  auto p = plausibility({all.begin() + L, all.end()});
  auto weight = a.integer(1) ? one_hot(p.argmax(1), L, p) : p.softmax(1);
  if (auto ptr = a.in(0); ptr.defined()) weight = spread_weights(weight, ptr, all[0].size(0));
  std::vector<int64_t> shape(all[0].dim(), 1);
  shape[0] = weight.size(0);
  Tensor sum;
  for (int64_t l = 0; l < L; l++) {
    auto part = all[l] * weight.select(1, l).reshape(shape);
    sum = sum.defined() ? sum + part : part;
  }
  a.out(0, sum);
  a.out(1, p);
}

// Logits: w·query + b [Q, L, 2], of w [2, L·Q, d], b [2, L·Q], query [L·Q, d].
struct Logits : torch::autograd::Function<Logits> {
  static Tensor forward(AutogradContext *ctx, const Tensor &weight, const Tensor &bias,
                        const Tensor &query, int64_t L) {
    auto w = weight.contiguous(), b = bias.contiguous();
    const int64_t rows = query.size(0), Q = rows / L;
    auto y = at::empty({Q, L, 2}, w.options());
    PACIA_LAUNCH(logits, w, warp_blocks(2 * rows), w, b, query, L, Q, w.size(2), y);
    ctx->save_for_backward({w, query});
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    auto dy = grads[0].contiguous(), dw = at::empty_like(s[0]), dq = at::empty_like(s[1]);
    const int64_t Q = dy.size(0), L = dy.size(1), rows = L * Q;
    auto db = at::empty({2, rows}, dy.options());
    PACIA_LAUNCH(logits_back, dy, warp_blocks(rows), dy, s[0], s[1], L, Q, dq.size(1), dw, db, dq);
    return {dw, db, dq, Tensor()};
  }
};

// ClassifierNet is MLP_w and MLP_b, once, or once for each class.
struct ClassifierNet {
  std::vector<Mlp> w, b;

  // loops takes the weights [R, 2, N] of the class means, nodes [Q, L, n, d].
  Tensor loops(const Tensor &nodes, const Tensor &c, int64_t N) const {
    auto prototypes = at::matmul(c.unsqueeze(1), nodes.slice(2, 0, N));  // [Q, L, 2, d]
    auto query = nodes.select(2, N);
    std::vector<Tensor> logits;
    for (size_t k = 0; k < 2; k++) {
      const size_t net = w.size() == 2 ? k : 0;
      auto r = prototypes.select(2, static_cast<int64_t>(k));
      logits.push_back((w[net].run(r) * query).sum(-1) + b[net].run(r).squeeze(-1));
    }
    return at::stack(logits, -1);
  }

  // kernels takes nodes [L, Q, n, d].
  Tensor kernels(const Tensor &nodes, const Tensor &labels, const Tensor &task, int64_t N) const {
    const int64_t L = nodes.size(0), rows = L * nodes.size(1), d = nodes.size(3);
    expect("nodes", nodes, {L, task.size(0), kAny, d});
    auto s = Sets::of(nodes.flatten(0, 1), labels, task, N);
    auto of = ClassMeans::apply(nodes.view({-1, d}), s, true, true);
    if (w.size() == 1)
      return Logits::apply(w[0].run(of[0]), b[0].run(of[0]).view({2, rows}), of[1], L);
    auto prototypes = at::unbind(of[0]);
    std::vector<Tensor> weights, biases;
    for (size_t k = 0; k < 2; k++) {
      weights.push_back(w[k].run(prototypes[k]));
      biases.push_back(b[k].run(prototypes[k]).flatten());
    }
    return Logits::apply(at::stack(weights), at::stack(biases), of[1], L);
  }
};

// classifier_op gives the logits [Q, L, 2] of the query at each of L layers.
// Inputs: labels [B·N], tasks of the queries [Q], L layers of nodes
// [Q, n, d], then the weights of MLP_w and MLP_b, once, or once for each
// class (inactive first). Integers: L, N, sets of weights, flags of one MLP.
inline void classifier_op(const Positional &a) {
  const int64_t L = a.integer(0), N = a.integer(1), sets = a.integer(2);
  auto all = a.rest(2);
  const at::TensorList layers(all.data(), static_cast<size_t>(L));
  std::vector<Tensor> weights(all.begin() + L, all.end());
  const auto depth = static_cast<int64_t>(weights.size()) / (4 * sets);
  auto flags = a.integers(3, depth);
  ClassifierNet net;
  for (int64_t k = 0; k < sets; k++) {
    auto first = weights.begin() + k * 4 * depth, middle = first + 2 * depth;
    net.w.push_back({{first, middle}, flags, {}});
    net.b.push_back({{middle, middle + 2 * depth}, flags, {}});
  }
  if (!on_cpu(all[0])) return a.out(0, net.kernels(at::stack(layers), a.in(0), a.in(1), N));
  auto c = class_weights(labels_of_sets(a.in(0), a.in(1), N), N, all[0]);
  a.out(0, net.loops(at::stack(layers, 1), c, N));
}

// LossKernels returns the loss and the cross entropies [Q, L]; p only where the
// expectation goes by it.
struct LossKernels : torch::autograd::Function<LossKernels> {
  static variable_list forward(AutogradContext *ctx, const Tensor &logits, const Tensor &labels,
                               const Tensor &weight, const Optional &p, LayerLoss form,
                               int64_t tasks) {
    const int64_t Q = logits.size(0), L = logits.size(1);
    auto x = logits.contiguous(), d = at::empty_like(x);
    auto ce = at::empty({Q, L}, x.options()), share = at::empty({Q}, x.options());
    auto dp = p ? at::empty_like(*p) : Tensor();
    PACIA_LAUNCH(loss, x, blocks(Q), x, labels, weight, p.value_or(Tensor()), Q, L, form, tasks, ce,
                 share, d, dp);
    ctx->save_for_backward({d, dp});
    ctx->mark_non_differentiable({ce});
    ctx->set_materialize_grads(false);  // no zeros for ce
    return {share.sum(), ce};
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    auto dp = s[1].defined() ? s[1] * grads[0] : Tensor();
    return {s[0] * grads[0], Tensor(), Tensor(), dp, Tensor(), Tensor()};
  }
};

// loss_op: inputs logits [Q, L, 2], labels [Q], weights of the queries [Q]
// (each task's sum to 1/B), then L outputs of the depth hypernetwork or
// nothing. Integers: the form, B. Outputs: the loss, cross entropies [Q, L], p.
//
//   last      Σ_q weight · CE of the last layer
//   expected  Σ_q weight · Σ_l softmax(p_q)_l CE_ql
//   uniform   Σ_l Σ_q CE_ql, mean over tasks: what the published code computes
inline void loss_op(const Positional &a) {
  auto logits = a.in(0), labels = a.in(1), weight = a.in(2);
  const int64_t Q = logits.size(0), L = logits.size(1);
  const auto form = static_cast<LayerLoss>(a.integer(0));
  Tensor p, loss;
  if (a.inputs() > 3) p = plausibility(a.rest(3));
  if (p.defined()) a.out(2, p);
  if (!on_cpu(logits)) {
    expect("labels", labels, {Q});
    expect("weights", weight, {Q});
    if (form == LayerLoss::expected) expect("p", p, {Q, L});
    auto out = LossKernels::apply(logits, labels, weight,
                                  form == LayerLoss::expected ? optional(p) : c10::nullopt, form,
                                  a.integer(1));
    a.out(0, out[0]);
    a.out(1, out[1]);
    return;
  }
  auto y = index(labels).unsqueeze(1).expand({Q, L}).unsqueeze(2);
  auto ce = -logits.log_softmax(2).gather(2, y).squeeze(2);
  switch (form) {
    case LayerLoss::last:
      loss = (ce.select(1, L - 1) * weight).sum();
      break;
    case LayerLoss::expected:
      loss = ((p.softmax(1) * ce).sum(1) * weight).sum();
      break;
    case LayerLoss::uniform:
      loss = ce.sum() / static_cast<double>(a.integer(1));
      break;
  }
  a.out(0, loss);
  a.out(1, ce);
}

}  // namespace pacia

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
  for (auto &o : outputs) columns.push_back(o.select(1, -1));
  return at::stack(columns, 1);
}

// mix_op weights L layers [R, …] by softmax(p) (Eq. 5), or takes the layer of
// the largest p. Inputs: row offsets of p's segments or none, then L layers,
// then L outputs of the depth hypernetwork. Integers: L, whether to choose.
// Outputs: the mixture; p.
inline void mix_op(const Args &a) {
  const int64_t L = a.integer(0);
  auto all = a.rest(1);
  auto p = plausibility({all.begin() + L, all.end()});
  auto weight = a.integer(1) ? at::one_hot(p.argmax(1), L).to(p.scalar_type()) : p.softmax(1);
  if (auto ptr = a.in(0); ptr.defined()) weight = weight.index_select(0, segments(ptr));
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

// classifier_op gives the logits [Q, L, 2] of the query at each of L layers.
// Inputs: labels [B·N], tasks of the queries [Q], L layers of nodes
// [Q, n, d], then the weights of MLP_w and MLP_b, once, or once for each
// class (inactive first). Integers: L, N, sets of weights, flags of one MLP.
inline void classifier_op(const Args &a) {
  const int64_t L = a.integer(0), N = a.integer(1), sets = a.integer(2);
  auto all = a.rest(2);
  auto nodes = at::stack(at::TensorList(all.data(), L), 1);  // [Q, L, n, d]
  std::vector<Tensor> weights(all.begin() + L, all.end());
  const auto depth = static_cast<int64_t>(weights.size()) / (4 * sets);
  auto flags = a.integers(3, depth);
  auto c = class_weights(labels_of_sets(a.in(0), a.in(1), N), N, nodes).unsqueeze(1);
  auto prototypes = at::matmul(c, nodes.slice(2, 0, N));  // [Q, L, 2, d]
  auto query = nodes.select(2, N);
  std::vector<Tensor> logits;
  for (int64_t k = 0; k < 2; k++) {
    auto first = weights.begin() + (sets == 2 ? k * 4 * depth : 0);
    Mlp w{{first, first + 2 * depth}, flags, {}}, b{{first + 2 * depth, first + 4 * depth}, flags, {}};
    auto r = prototypes.select(2, k);
    logits.push_back((w.run(r) * query).sum(-1) + b.run(r).squeeze(-1));
  }
  a.out(0, at::stack(logits, -1));
}

enum class LayerLoss { last, expected, uniform };

// loss_op: inputs logits [Q, L, 2], labels [Q], weights of the queries [Q]
// (each task's sum to 1/B), then L outputs of the depth hypernetwork or
// nothing. Integer: the form. Outputs: the loss, cross entropies [Q, L], p.
//
//   last      Σ_q weight · CE of the last layer
//   expected  Σ_q weight · Σ_l softmax(p_q)_l CE_ql
//   uniform   Σ_l Σ_q CE_ql, mean over tasks: what the published code computes
inline void loss_op(const Args &a) {
  auto logits = a.in(0), weight = a.in(2);
  const int64_t Q = logits.size(0), L = logits.size(1);
  auto y = index(a.in(1)).unsqueeze(1).expand({Q, L}).unsqueeze(2);
  auto ce = -logits.log_softmax(2).gather(2, y).squeeze(2);
  Tensor p, loss;
  if (a.inputs() > 3) p = plausibility(a.rest(3));
  switch (static_cast<LayerLoss>(a.integer(0))) {
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
  if (p.defined()) a.out(2, p);
}

}  // namespace pacia

// Uses of the plausibility p of each layer: the mean of the layers weighted by softmax(p), or
// the layer with the largest p (Eqs. 7, 8 and 13), and the loss over layers (Eq. 12).
//
// Legend: Q queries, L layers, R rows of p.
#include "core/libtorch.hh"

#include <iterator>
#include <stdexcept>

#include "core/args.hh"
#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "core/launch.hh"

namespace pacia {

namespace {

// plausibility joins the last columns of L outputs [R, c] of a depth hypernetwork to p [R, L].
Tensor plausibility(Plain, const std::vector<Tensor> &outputs) {
  std::vector<Tensor> columns;
  for (auto &o : outputs) columns.push_back(o.select(1, -1));
  return at::stack(columns, 1);
}

// The backward pass of a view launches no kernel.
Tensor plausibility(Kernels, const std::vector<Tensor> &outputs) {
  std::vector<Tensor> columns;
  for (auto &o : outputs) columns.push_back(o.size(1) == 1 ? o.flatten() : o.select(1, -1));
  return at::stack(columns, 1);
}

// largest returns 1 at the largest entry of each row of p, and 0 elsewhere. ATen's one_hot is
// not used here, because it reads the indices and so waits for a GPU.
Tensor largest(const Tensor &p) {
  auto all = at::arange(p.size(1), p.options().dtype(at::kLong));
  return p.argmax(1).unsqueeze(1).eq(all).to(p.scalar_type());
}

// spread_weights returns for each of R rows the weights [S, L] of its segment. Segment s has
// the rows ptr[s]..ptr[s+1].
Tensor spread_weights(Plain, const Tensor &weight, const Tensor &ptr, int64_t) {
  return weight.index_select(0, segments(ptr));
}

// The rows of a segment are a mask here. So no index is read, and the order of sums is fixed.
// The S·R·L numbers are few compared to the layers.
Tensor spread_weights(Kernels, const Tensor &weight, const Tensor &ptr, int64_t R) {
  auto row = at::arange(R, ptr.options());
  auto ends = ptr.unsqueeze(1);
  auto outside = row.lt(ends.slice(0, 0, -1)).logical_or(row.ge(ends.slice(0, 1)));
  return weight.unsqueeze(1).expand({-1, R, -1}).masked_fill(outside.unsqueeze(2), 0).sum(0);
}

// Losses has the inputs of loss_op. p is undefined without outputs of a depth hypernetwork.
struct Losses {
  Tensor logits, labels, weight, p;
  LayerLoss form;
  int64_t tasks;
};

// losses returns the loss and the cross entropies [Q, L].
variable_list losses(Plain, const Losses &in) {
  const int64_t Q = in.logits.size(0), L = in.logits.size(1);
  auto y = index(in.labels).unsqueeze(1).expand({Q, L}).unsqueeze(2);
  auto ce = -in.logits.log_softmax(2).gather(2, y).squeeze(2);
  switch (in.form) {
    case LayerLoss::last:
      return {(ce.select(1, L - 1) * in.weight).sum(), ce};
    case LayerLoss::expected:
      return {((in.p.softmax(1) * ce).sum(1) * in.weight).sum(), ce};
    case LayerLoss::uniform:
      return {ce.sum() / static_cast<double>(in.tasks), ce};
  }
  throw std::invalid_argument("no loss of this number");
}

// kLosses are the losses, for Go.
constexpr pacia_layer_loss kLosses[] = {
#define LOSS(name, weight, by_p, text) {#name, text, by_p},
    LAYER_LOSSES
#undef LOSS
};

// LossKernels depends on p only in forms that softmax(p) weights.
struct LossKernels : Function<LossKernels> {
  struct Saved {
    Tensor d, dp;
    auto fields() { return std::tie(d, dp); }
  };

  static variable_list forward(AutogradContext *ctx, const Tensor &logits, const Optional &p,
                               const Losses &in) {
    const int64_t Q = logits.size(0), L = logits.size(1);
    auto x = logits.contiguous(), d = at::empty_like(x);
    auto ce = at::empty({Q, L}, x.options()), share = at::empty({Q}, x.options());
    auto dp = p ? at::empty_like(*p) : Tensor();
    PACIA_LAUNCH(loss, x, blocks(Q), x, in.labels, in.weight, p.value_or(Tensor()), Q, L, in.form,
                 in.tasks, ce, share, d, dp);
    save(ctx, Saved{d, dp});
    ctx->mark_non_differentiable({ce});
    ctx->set_materialize_grads(false);  // no zeros for the gradient of ce
    return {share.sum(), ce};
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    return {s.d * grads[0], s.dp.defined() ? s.dp * grads[0] : Tensor(), Tensor()};
  }
};

variable_list losses(Kernels, const Losses &in) {
  const int64_t Q = in.logits.size(0), L = in.logits.size(1);
  const bool by_p = kLosses[static_cast<int>(in.form)].by_p;
  expect("labels", in.labels, {Q});
  expect("weights", in.weight, {Q});
  if (by_p) expect("p", in.p, {Q, L});
  return LossKernels::apply(in.logits, by_p ? optional(in.p) : c10::nullopt, in);
}

}  // namespace

// mix_op gives the mean of L layers [R, …] weighted by softmax(p) (Eqs. 7 and 8), or the layer
// with the largest p. Inputs: row offsets of p's segments or none, then L layers, then L
// outputs of the depth hypernetwork. Integers: L, 1 to choose the layer with the largest p.
// Outputs: the mixture; p.
template <class Path>
void mix_op(Args &a) {
  auto ptr = a.tensor();
  const int64_t L = a.integer();
  const auto layers = a.tensors(L);
  auto p = plausibility(Path{}, a.tensors(L));
  auto weight = a.flag() ? largest(p) : p.softmax(1);
  if (ptr.defined()) weight = spread_weights(Path{}, weight, ptr, layers.at(0).size(0));
  std::vector<int64_t> shape(layers.at(0).dim(), 1);
  shape[0] = weight.size(0);
  Tensor sum;
  for (int64_t l = 0; l < L; l++) {
    auto part = layers[l] * weight.select(1, l).reshape(shape);
    sum = sum.defined() ? sum + part : part;
  }
  a.give(sum);
  a.give(p);
}
PACIA_OP_KERNELS("mixture of layers", mix_op)

// loss_op: inputs logits [Q, L, 2], labels [Q], weights of the queries [Q] (the weights of each
// task sum to 1/B), then L outputs of the depth hypernetwork or nothing. Integers: the form, B.
// Outputs: the loss, cross entropies [Q, L], p.
//
//   last      Σ_q weight · CE of the last layer
//   expected  Σ_q weight · Σ_l softmax(p_q)_l CE_ql
//   uniform   Σ_l Σ_q CE_ql / B, the loss of the published code
template <class Path>
void loss_op(Args &a) {
  Losses in{a.tensor(), a.tensor(), a.tensor(), {}, a.choice<LayerLoss>(), a.integer()};
  const auto scores = a.tensors();
  if (!scores.empty()) in.p = plausibility(Path{}, scores);
  const auto out = losses(Path{}, in);
  a.give(out[0]);
  a.give(out[1]);
  if (in.p.defined()) a.give(in.p);
}
PACIA_OP_KERNELS("loss", loss_op)

}  // namespace pacia

extern "C" const pacia_layer_loss *pacia_layer_loss_at(size_t i) {
  return i < std::size(pacia::kLosses) ? &pacia::kLosses[i] : nullptr;
}

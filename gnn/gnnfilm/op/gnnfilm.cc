// A layer of GNN-FiLM (Brockschmidt 2020). Messages pass along bonds of T types, and along a
// self loop of each atom. Self loops have their own type:
//
//   1. s_v = Σ_t Σ_(u→v of type t) act(γ_tv ∘ (W_t h_u) + β_tv),   [γ_tv | β_tv] = F_t h_v
//   2. y   = LN(s), optionally LN of that again, optionally tanh(D y); then dropout
//
// The first state of an atom is tanh(W x) of its features.
//
// Legend: A atoms, E bonds counted in both directions, T bond types, d width, k features.
#include "core/libtorch.hh"

#include <ATen/ops/elu.h>
#include <ATen/ops/layer_norm.h>

#include "core/check.hh"
#include "core/registry.hh"
#include "core/emulation.hh"
#include "layers/dropout.hh"
#include "layers/linear.hh"
#include "messages.hh"

namespace pacia {

namespace {

// The ε of TensorFlow's layer norm, which the published code uses.
constexpr double kEps = 1e-12;

// Act selects the activation of messages.
enum class Act : int64_t { elu, relu, tanh };

Tensor active(const Tensor &z, Act act) {
  switch (act) {
    case Act::elu:
      return at::elu(z);
    case Act::relu:
      return z.relu();
    case Act::tanh:
      return z.tanh();
  }
  throw std::invalid_argument("unknown activation");
}

// LayerNorm has the scale and the offset [d], or none. They are applied outside ATen's layer
// norm, because the order of the sums in its gradients of them depends on the number of threads.
struct LayerNorm {
  Tensor gamma, beta;

  Tensor of(const Tensor &x) const {
    return gamma.defined() ? at::layer_norm(x, {x.size(1)}, {}, {}, kEps) * gamma + beta : x;
  }
};

// Layer has the inputs of gnnfilm_op.
struct Layer {
  Tensor h;
  Bonds g;
  Tensor w, f;  // [T+1, d, d], [T+1, 2d, d]
  LayerNorm norm, between;
  Tensor dense;  // [d, d], or none
  Act act;
  Dropout drop;
};

template <class Path>
Tensor gnnfilm(Path path, const Layer &l) {
  const int64_t A = l.h.size(0), kinds = l.w.size(0);
  auto of_types = [&](const Tensor &w) {
    return layer(path, l.h, w.flatten(0, 1), {}, {}).view({A, kinds, w.size(1)});
  };
  auto y = arrived(path, active(modulated(path, of_types(l.w), of_types(l.f), l.g), l.act), l.g);
  y = l.between.of(l.norm.of(y));
  if (l.dense.defined()) y = layer(path, y, l.dense, {}, {}).tanh();
  return dropout(path, y, l.drop);
}

void expect_norm(const char *name, const LayerNorm &n, int64_t d) {
  expect(name, n.gamma, {d});
  expect(name, n.beta, {d});
}

// expect_types throws if a bond is not of one of T types; see expect_below.
void expect_types(const Tensor &code, int64_t T) {
  if (!by_loops(code)) return;
  const auto *c = code.data_ptr<uint8_t>();
  for (int64_t k = 0; k < code.size(0); k++)
    if (c[k] / kDirections >= T)
      throw std::invalid_argument("bond " + std::to_string(k) + " is of type " + std::to_string(c[k] / kDirections) +
                                  ", out of range of 0 to " + std::to_string(T - 1));
}

void check(const Layer &l) {
  expect("h", l.h, {l.g.rowptr.size(0) - 1, kAny});
  const int64_t d = l.h.size(1);
  expect("W of the messages", l.w, {kAny, d, d});
  expect("F of the messages", l.f, {l.w.size(0), 2 * d, d});
  expect_norm("the layer norm", l.norm, d);
  if (l.between.gamma.defined()) expect_norm("the layer norm between layers", l.between, d);
  if (l.dense.defined()) expect("D", l.dense, {d, d});
  expect_offsets("molecules", l.g.mol, l.h.size(0));
  expect_offsets("bonds", l.g.rowptr, l.g.col.size(0));
  expect_types(l.g.code, l.w.size(0) - 1);
}

}  // namespace

// gnnfilm_op: inputs h [A, d]; offsets of the bonds, their other ends, their codes, atom
// offsets; W, F; γ and β of the layer norm, then those of the layer norm between layers or
// none; D or none. Integers: Act, and that of dropout_of. Real: that of dropout_of.
template <class Path>
void gnnfilm_op(Args &a) {
  const Layer l{a.tensor(),
                {a.tensor(), a.tensor(), a.tensor(), a.tensor()},
                a.tensor(),
                a.tensor(),
                {a.tensor(), a.tensor()},
                {a.tensor(), a.tensor()},
                a.tensor(),
                a.choice<Act>(),
                dropout_of(a)};
  check(l);
  a.give(gnnfilm(Path{}, l));
}
PACIA_OP_ALL("gnn-film layer", gnnfilm_op)

// gnnfilm_embed_op gives tanh(W x), then dropout. Inputs: features [A, k] of any type, W
// [d, k]. Integer and real: those of dropout_of.
template <class Path>
void gnnfilm_embed_op(Args &a) {
  auto x = a.tensor(), w = a.tensor();
  if (!x.defined()) throw std::invalid_argument("the molecules have no atom features");
  expect("W", w, {kAny, x.size(1)});
  auto h = layer(Path{}, x.to(w.scalar_type()), w, {}, {}).tanh();
  a.give(dropout(Path{}, h, dropout_of(a)));
}
PACIA_OP_ALL("gnn-film embedding", gnnfilm_embed_op)

}  // namespace pacia

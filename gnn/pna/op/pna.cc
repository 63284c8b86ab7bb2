// One block of PNA on each of the paths; block.hh has the equations. There are no kernels of its
// own: the kernels' path uses the plain form except for the dropout, and no call in it waits for
// the device.
#include "core/libtorch.hh"

#include <ATen/ops/einsum.h>
#include <ATen/ops/layer_norm.h>

#include "block.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "core/owners.hh"
#include "layers/linear.hh"
#include "layers/shared.hh"

namespace pacia {

namespace {

// aggregates returns all aggregates with their scalers: [A, H·12p].
Tensor aggregates(const Tensor &h, const PnaGraph &g, const PnaTowers &t) {
  const int64_t A = h.size(0), E = g.col.size(0), H = t.H(), p = t.p();
  auto to = owners(g.rowptr, E);
  auto end = [&](const Tensor &of) { return of_owner(h, of).view({E, H, t.e()}); };
  auto pair = at::cat({end(index(g.col)), end(to)}, 2);
  // Every bond is multiplied by the weights of every type, and the result for its own type is
  // selected. Finding the bonds of a type would wait for a GPU.
  auto all = at::einsum("ehk,htok->ehto", {pair, t.w}) + t.b;
  auto type = index(g.code).div(kDirections, "floor").view({E, 1, 1, 1}).expand({E, H, 1, 3 * p});
  auto m = all.gather(2, type).squeeze(2).relu().split(p, 2);
  auto n = (g.rowptr.slice(0, 1) - g.rowptr.slice(0, 0, -1)).to(h.scalar_type()).view({A, 1, 1});
  auto mean = added(m[1], to, A) / n.clamp_min(1);
  auto of_bond = of_owner(mean, to);
  // (m − μ)(m + μ) is 0 if both are equal; the difference of rounded squares may not be.
  auto deviation = ((m[1] - of_bond) * (m[1] + of_bond)).relu() + kPnaEps;
  // The deviation of an atom without bonds is set to 0, because the second derivative of the
  // square root at 0 is not finite.
  auto spread = added(deviation, to, A);
  auto alone = spread.eq(0);
  auto std = spread.masked_fill(alone, 1).sqrt().masked_fill(alone, 0);
  auto x = at::cat({added(m[0], to, A), mean, std, highest(m[2], to, A, 0)}, 2);
  auto l = (n + 1).log();
  return at::cat({x, x * (l / kPnaDelta), x * (kPnaDelta / (l + kPnaEps))}, 2).flatten(1);
}

// Block has the inputs of pna_op.
struct Block {
  Tensor h;
  PnaGraph g;
  PnaTowers t;
  Tensor alpha;
  PnaBoom m;
  Dropout drop;
};

template <class Path>
Tensor pna(Path path, const Block &b) {
  const auto &[h, g, t, alpha, m, drop] = b;
  auto x = shared(path, aggregates(h, g, t), g.self);
  auto r = shared(path, h, g.self) + alpha * dropout(path, at::linear(x, t.out, t.ob), drop.at(0));
  auto u = at::layer_norm(r, {r.size(1)}, m.gamma, m.beta, kLayerNormEps);
  auto a = dropout(path, leaky(at::linear(u, m.w1, m.b1)), drop.at(1));
  return shared(path, r + alpha * dropout(path, at::linear(a, m.w2, m.b2), drop.at(2)), g.row);
}

Tensor pna(Loops path, const Block &b) {
  auto y = boom(path, shared(path, b.h, b.g.self), towers(path, b.h, b.g, b.t), b.alpha, b.m, b.drop);
  return shared(path, y, b.g.row);
}

void check(const Block &b) {
  const auto &[h, g, t, alpha, m, drop] = b;
  expect("h", h, {g.rowptr.size(0) - 1, kAny});
  const int64_t d = h.size(1);
  expect("W of the messages", t.w, {kAny, kAny, kAny, kAny});
  if (t.w.size(2) % 3 != 0 || t.w.size(3) * t.H() != 2 * d)
    throw std::invalid_argument("W of the messages has shape " + sizes_text(t.w.sizes()) +
                                ", not [H, types, 3p, 2e] with towers H·e = " + std::to_string(d));
  expect("b of the messages", t.b, {t.H(), t.types(), 3 * t.p()});
  expect("W of the towers", t.out, {d, t.H() * 12 * t.p()});
  expect("b of the towers", t.ob, {d});
  expect("alpha", alpha, {1});
  expect("gamma", m.gamma, {d});
  expect("beta", m.beta, {d});
  expect("W1", m.w1, {kAny, d});
  expect("b1", m.b1, {m.w1.size(0)});
  expect("W2", m.w2, {d, m.w1.size(0)});
  expect("b2", m.b2, {d});
  expect_offsets("molecules", g.mol, h.size(0));
  expect_offsets("bonds", g.rowptr, g.col.size(0));
  if (!g.self.defined()) return;
  expect_below("atoms of rows", g.self, h.size(0));
  expect("rows of atoms", g.row, {h.size(0)});
  expect_below("rows of atoms", g.row, g.self.size(0));
}

}  // namespace

// pna_op: inputs h, offsets of the bonds, their other ends, their codes, atom offsets, atoms of rows and rows of
// atoms or nothing, then W and b of the messages, W and b of the towers, α, γ, β, W1, b1, W2, b2. Integer and real:
// those of dropout_of.
template <class Path>
void pna_op(Args &a) {
  const Block b{a.tensor(),
                {a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor()},
                {a.tensor(), a.tensor(), a.tensor(), a.tensor()},
                a.tensor(),
                {a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor()},
                dropout_of(a)};
  check(b);
  a.give(pna(Path{}, b));
}
PACIA_OP_ALL("pna block", pna_op)

// pna_embed_op gives h⁰ = W x. Inputs: features [A, k] of any type, W [d, k].
template <class Path>
void pna_embed_op(Args &a) {
  auto x = a.tensor(), w = a.tensor();
  if (!x.defined())
    throw std::invalid_argument(
        "the molecules have no atom features; read them from files of FS-Mol's form");
  expect("W", w, {kAny, x.size(1)});
  a.give(layer(Path{}, x.to(w.scalar_type()), w, {}, {}));
}
PACIA_OP_ALL("embed features", pna_embed_op)

}  // namespace pacia

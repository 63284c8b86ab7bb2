// One block of FS-Mol's PNA; pna_reference.hh has the equations. On the CPU the
// products go by product.hh and the messages by the loops of pna_towers.hh; on
// a GPU the plain reference runs.
//
// Legend: A atoms, d width, f inner width of the last layer, H towers.
#pragma once

#include "linear.hh"
#include "pna_boom.hh"
#include "pna_towers.hh"

namespace pacia {

inline Tensor pna(const Tensor &h, const PnaGraph &g, const PnaTowers &t, const Tensor &alpha,
                  const PnaBoom &m, const Dropout &d) {
  auto z = PnaTowersFunction::apply(h, t.w, t.b, t.out, t.ob, g);
  return PnaBoomFunction::apply(h, z, alpha, m.gamma, m.beta, m.w1, m.b1, m.w2, m.b2, d);
}

inline void check_pna(const Tensor &h, const PnaGraph &g, const PnaTowers &t, const Tensor &alpha,
                      const PnaBoom &m) {
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
}

// pna_op: inputs h, offsets of the bonds, their other ends, their codes, atom
// offsets, then W and b of the messages, W and b of the towers, α, γ, β, W1, b1,
// W2, b2. Integer: key. Real: p of dropout.
inline void pna_op(const Args &a, bool plain) {
  const PnaGraph g{a.in(1), a.in(2), a.in(3), a.in(4)};
  const PnaTowers t{a.in(5), a.in(6), a.in(7), a.in(8)};
  const PnaBoom m{a.in(10), a.in(11), a.in(12), a.in(13), a.in(14), a.in(15)};
  const auto h = a.in(0), alpha = a.in(9);
  check_pna(h, g, t, alpha, m);
  const auto d = dropout_of(a, 0);
  a.out(0, plain || !on_cpu(h) ? reference::pna(h, g, t, alpha, m, d) : pna(h, g, t, alpha, m, d));
}

// pna_embed_op: inputs features [A, k] of any type, W [d, k]: h⁰ = W x.
inline void pna_embed_op(const Args &a) {
  if (!a.in(0).defined())
    throw std::invalid_argument(
        "the molecules come without the atoms' features; read them from files of FS-Mol's form");
  expect("W", a.in(1), {kAny, a.in(0).size(1)});
  a.out(0, layer(a.in(0).to(a.in(1).scalar_type()), a.in(1), {}, {}));
}

}  // namespace pacia

// One layer of GAT with edge embeddings, as the public weights of Hu et al.
// (2020) were trained. For each of H heads, with z_u' = z_u + e:
//
//   z_u  = W h_u + b,   e = E1[type] + E2[direction]
//   r_uv = LeakyReLU_0.2(a · [z_v | z_u'])
//   p_uv = exp(r_uv) / Σ_w exp(r_uw)         over the edges from one source u
//   m_v  = Σ_{u ∈ N(v) ∪ {v}} p_uv z_u', the mean over heads, plus c
//   y    = dropout(ReLU(batch norm(m)))      no ReLU after the last layer
//
// A softmax is over the edges that an atom sends, not over those that it
// gets. Scores are sums of three numbers: q_v of a target, k_u of a source,
// t of the bond's code. On the CPU loops take the sums; on a GPU the plain
// reference does.
//
// Legend: A atoms, E bonds, H heads, d width.
#pragma once

#include "attention_reference.hh"
#include "linear.hh"
#include "message.hh"
#include "normalise.hh"
#include "product/vector.hh"

namespace pacia {

// Heads is what the loops below look at.
template <class T>
struct Heads {
  Heads(const Tensor &z, const Tensor &table, const Tensor &s, const Tensor &t, const Graph &g)
      : A(z.size(0)), H(s.size(0)), d(z.size(1) / H), z(z.data_ptr<T>()),
        table(table.data_ptr<T>()), s(s.data_ptr<T>()), t(t.data_ptr<T>()), ptr(ints(g.rowptr)),
        col(ints(g.col)), code(g.code.data_ptr<uint8_t>()) {}

  const int64_t A, H, d;
  const T *z, *table, *s, *t;
  const int32_t *ptr, *col;
  const uint8_t *code;

  const T *atom(int64_t u, int64_t h) const { return z + (u * H + h) * d; }
  const T *bond(int64_t c, int64_t h) const { return table + (c * H + h) * d; }

  // raw is r_uv before its LeakyReLU.
  T raw(int64_t u, int64_t v, int64_t c, int64_t h) const {
    return s[(h * A + v) * 2] + s[(h * A + u) * 2 + 1] + t[h * kCodes + c];
  }
  T score(int64_t u, int64_t v, int64_t c, int64_t h) const {
    const T r = raw(u, v, c, h);
    return r > 0 ? r : static_cast<T>(kScoreLeak) * r;
  }

  // around calls f(neighbour, code, bond) for the edges of atom v, which are
  // alike in both directions; the self loop comes last, as bond −1.
  template <class F>
  void around(int64_t v, const F &f) const {
    for (int32_t k = ptr[v]; k < ptr[v + 1]; k++) f(int64_t{col[k]}, int64_t{code[k]}, int64_t{k});
    f(v, kSelfLoop, int64_t{-1});
  }

  // softmax sets to[0] to the largest score of the edges from u and to[1] to the
  // sum of powers above it. (Their logarithm in one number would be as coarse as
  // the scores are large.)
  void softmax(int64_t u, int64_t h, T *to) const {
    to[0] = -std::numeric_limits<T>::infinity(), to[1] = 0;
    around(u, [&](int64_t v, int64_t c, int64_t) { to[0] = std::max(to[0], score(u, v, c, h)); });
    around(u, [&](int64_t v, int64_t c, int64_t) { to[1] += std::exp(score(u, v, c, h) - to[0]); });
  }

  // share is p_uv / H; softmax is of all atoms and heads.
  T share(int64_t u, int64_t v, int64_t c, int64_t h, const T *softmax) const {
    const T *s = softmax + (u * H + h) * 2;
    return std::exp(score(u, v, c, h) - s[0]) / (s[1] * static_cast<T>(H));
  }
};

// HeadGradients is what the backward pass fills: of z, of s, of the score of
// each bond [E, H]; and sums by code, of the shares that an atom gets
// [H, A, 18] and of the gradients of the scores that it gives [A, H, 18].
template <class T>
struct HeadGradients {
  T *z, *s, *bond, *got, *given;

  // edges_of adds what the edges from u and to u have, from dm [A, d]. With p/H
  // in place of p, dz_u' = Σ_v p dm_v, and the gradient of a score before its
  // LeakyReLU is p (dm_v·z_u' − Σ_w p dm_w·z_u') times the slope.
  void edges_of(int64_t u, int64_t h, const Heads<T> &x, const T *softmax, const T *dm,
                std::vector<T> &products) const {
    const int64_t d = x.d;
    T mean = 0;
    products.clear();
    x.around(u, [&](int64_t v, int64_t c, int64_t) {
      const T p = x.share(u, v, c, h, softmax), *from = dm + v * d;
      products.push_back(dot(from, x.atom(u, h), d) + dot(from, x.bond(c, h), d));
      mean += p * static_cast<T>(x.H) * products.back();
      axpy(z + (u * x.H + h) * d, from, p, d);
      got[(h * x.A + u) * kCodes + c] += x.share(v, u, c, h, softmax);
    });
    const T *product = products.data();
    x.around(u, [&](int64_t v, int64_t c, int64_t k) {
      T r = x.share(u, v, c, h, softmax) * (*product++ - mean);
      if (x.raw(u, v, c, h) <= 0) r *= static_cast<T>(kScoreLeak);
      given[(u * x.H + h) * kCodes + c] += r;
      s[(h * x.A + u) * 2 + 1] += r;
      (k < 0 ? s[(h * x.A + u) * 2] : bond[k * x.H + h]) += r;
    });
  }
};

struct AttentionFunction : torch::autograd::Function<AttentionFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &z, const Tensor &table, const Tensor &s,
                        const Tensor &t, const Graph &g) {
    const int64_t A = z.size(0), H = s.size(0), d = z.size(1) / H;
    auto softmax = at::empty({A, H, 2}, z.options()), m = at::zeros({A, d}, z.options());
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "attention", [&] {
      const Heads<scalar_t> x(z, table, s, t, g);
      auto *soft = softmax.data_ptr<scalar_t>(), *y = m.data_ptr<scalar_t>();
      rows(A, 64 * H, [&](int64_t begin, int64_t end) {
        for (int64_t u = begin; u < end; u++)
          for (int64_t h = 0; h < H; h++) x.softmax(u, h, soft + (u * H + h) * 2);
      });
      rows(A, 8 * H * d, [&](int64_t begin, int64_t end) {
        for (int64_t v = begin; v < end; v++)
          for (int64_t h = 0; h < H; h++)
            x.around(v, [&](int64_t u, int64_t c, int64_t) {
              message(y + v * d, x.atom(u, h), x.bond(c, h), x.share(u, v, c, h, soft), d);
            });
      });
    });
    ctx->save_for_backward({z, table, s, t, softmax, g.rowptr, g.col, g.code});
    return m;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    auto z = saved[0], table = saved[1], s = saved[2], t = saved[3], dm = grads[0].contiguous();
    const Graph g{saved[5], saved[6], saved[7], {}, {}, {}};
    const int64_t A = z.size(0), H = s.size(0), d = z.size(1) / H, E = g.col.size(0);
    auto dz = at::zeros_like(z), ds = at::zeros_like(s), bond = at::zeros({E, H}, z.options());
    auto got = at::zeros({H, A, kCodes}, z.options());
    auto given = at::zeros({A, H, kCodes}, z.options());
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "attention_backward", [&] {
      const Heads<scalar_t> x(z, table, s, t, g);
      const HeadGradients<scalar_t> to{dz.data_ptr<scalar_t>(), ds.data_ptr<scalar_t>(),
                                       bond.data_ptr<scalar_t>(), got.data_ptr<scalar_t>(),
                                       given.data_ptr<scalar_t>()};
      const auto *soft = saved[4].data_ptr<scalar_t>(), *dy = dm.data_ptr<scalar_t>();
      rows(A, 16 * H * d, [&](int64_t begin, int64_t end) {
        std::vector<scalar_t> products;
        for (int64_t u = begin; u < end; u++)
          for (int64_t h = 0; h < H; h++) to.edges_of(u, h, x, soft, dy, products);
      });
      // What targets get comes from rows of several threads: one adds it up.
      for (int64_t k = 0; k < E; k++)
        for (int64_t h = 0; h < H; h++) to.s[(h * A + x.col[k]) * 2] += to.bond[k * H + h];
    });
    auto dtable = at::matmul(got.transpose(1, 2), dm).transpose(0, 1).reshape(table.sizes());
    return {dz, dtable, ds, given.sum(0), Tensor()};
  }
};

// attention_op: inputs h [A, any], W [H·d, any], b [H·d], a [H, 2d], c [d],
// E1 and E2 [·, H·d], γ, β, running mean, running variance, then the bonds and
// groups. Integers and the real: normalise's.
inline void attention_op(const Args &a, bool plain) {
  const Graph g{a.in(11), a.in(12), a.in(13), {}, {}, a.in(14)};
  expect("h", a.in(0), {g.rowptr.size(0) - 1, kAny});
  expect("a", a.in(3), {kAny, kAny});
  const int64_t H = a.in(3).size(0), d = a.in(3).size(1) / 2;
  expect("a", a.in(3), {H, 2 * d});
  expect("W", a.in(1), {H * d, a.in(0).size(1)});
  expect("b", a.in(2), {H * d});
  expect("c", a.in(4), {d});
  expect("E1", a.in(5), {kTypes, H * d});
  expect("E2", a.in(6), {kDirections, H * d});
  auto z = plain ? linear(a.in(0), a.in(1), a.in(2)) : layer(a.in(0), a.in(1), a.in(2), {});
  auto table = bond_table(a.in(5), a.in(6));
  auto by_head = [&](const Tensor &x) { return x.view({-1, H, d}).transpose(0, 1); };
  auto weights = a.in(3).view({H, 2, d}).transpose(1, 2);
  auto s = at::bmm(by_head(z), weights).contiguous();
  auto t = at::bmm(by_head(table), weights.slice(2, 1)).squeeze(2).contiguous();
  auto m = plain || !on_cpu(z) ? reference::attention(z, table, s, t, g)
                               : AttentionFunction::apply(z.contiguous(), table, s, t, g);
  normalise(a, 7, m + a.in(4), g.group, plain);
}

}  // namespace pacia

// One layer of GAT with edge embeddings, as the public weights of Hu et al.
// (2020) were trained. For each of H heads, with z_u' = z_u + e:
//
//   z_u  = W h_u + b,   e = E1[type] + E2[direction]
//   r_uv = LeakyReLU_0.2(a · [z_v | z_u'])
//   p_uv = exp(r_uv) / Σ_w exp(r_uw)         over the edges from one source u
//   m_v  = Σ_{u ∈ N(v) ∪ {v}} p_uv z_u', the mean over heads, plus c
//   y    = dropout(ReLU(batch norm(m)))      no ReLU after the last layer
//
// A softmax is over the edges that leave an atom, not over those that reach it. Scores are sums
// of three numbers: q_v of the target, k_u of the source, t of the bond's code. The sums have
// no kernel; the kernels' path uses the plain form.
//
// Legend: A atoms, E bonds, H heads, d width.
#pragma once

#include <ATen/ops/matmul.h>

#include "core/args.hh"
#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "core/graph.hh"
#include "layers/linear.hh"
#include "layers/norm.hh"
#include "message.hh"
#include "product/vector.hh"

namespace pacia {

namespace {

// Slope of the LeakyReLU of scores.
constexpr double kScoreLeak = 0.2;

// Heads has the inputs of the loops below.
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

  // raw returns r_uv before its LeakyReLU.
  T raw(int64_t u, int64_t v, int64_t c, int64_t h) const {
    return s[(h * A + v) * 2] + s[(h * A + u) * 2 + 1] + t[h * kCodes + c];
  }
  T score(int64_t u, int64_t v, int64_t c, int64_t h) const {
    const T r = raw(u, v, c, h);
    return r > 0 ? r : static_cast<T>(kScoreLeak) * r;
  }

  // around calls f(neighbour, code, bond) for the edges of atom v, which are the same in both
  // directions. The self loop comes last, as bond −1.
  template <class F>
  void around(int64_t v, const F &f) const {
    for (int32_t k = ptr[v]; k < ptr[v + 1]; k++) f(int64_t{col[k]}, int64_t{code[k]}, int64_t{k});
    f(v, kSelfLoop, int64_t{-1});
  }

  // softmax sets to[0] to the largest score of the edges from u, and to[1] to the sum of
  // exponentials relative to it. (A single number, their logarithm, would lose precision for
  // large scores.)
  void softmax(int64_t u, int64_t h, T *to) const {
    to[0] = -std::numeric_limits<T>::infinity(), to[1] = 0;
    around(u, [&](int64_t v, int64_t c, int64_t) { to[0] = std::max(to[0], score(u, v, c, h)); });
    around(u, [&](int64_t v, int64_t c, int64_t) { to[1] += std::exp(score(u, v, c, h) - to[0]); });
  }

  // share returns p_uv / H; softmax has the results for all atoms and heads.
  T share(int64_t u, int64_t v, int64_t c, int64_t h, const T *softmax) const {
    const T *s = softmax + (u * H + h) * 2;
    return std::exp(score(u, v, c, h) - s[0]) / (s[1] * static_cast<T>(H));
  }
};

// HeadGradients has the results of the backward pass: the gradients of z, of s, and of the
// score of each bond [E, H]. It also has sums by code: of the shares that reach an atom
// [H, A, 18], and of the gradients of the scores of edges that leave it [A, H, 18].
template <class T>
struct HeadGradients {
  T *z, *s, *bond, *got, *given;

  // edges_of adds the gradients of the edges from u and to u, from dm [A, d]. With p/H in place
  // of p, dz_u' = Σ_v p dm_v. The gradient of a score before its LeakyReLU is p (dm_v·z_u' −
  // Σ_w p dm_w·z_u') times the slope.
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

struct AttentionFunction : Function<AttentionFunction> {
  struct Saved {
    Tensor z, table, s, t, softmax;
    Graph g;
    auto fields() { return std::tie(z, table, s, t, softmax, g); }
  };

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
    save(ctx, Saved{z, table, s, t, softmax, g});
    return m;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto in = saved<Saved>(ctx);
    const Tensor &z = in.z, &s = in.s;
    auto dm = grads[0].contiguous();
    const int64_t A = z.size(0), H = s.size(0), d = z.size(1) / H, E = in.g.col.size(0);
    auto dz = at::zeros_like(z), ds = at::zeros_like(s), bond = at::zeros({E, H}, z.options());
    auto got = at::zeros({H, A, kCodes}, z.options());
    auto given = at::zeros({A, H, kCodes}, z.options());
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "attention_backward", [&] {
      const Heads<scalar_t> x(z, in.table, s, in.t, in.g);
      const HeadGradients<scalar_t> to{dz.data_ptr<scalar_t>(), ds.data_ptr<scalar_t>(),
                                       bond.data_ptr<scalar_t>(), got.data_ptr<scalar_t>(),
                                       given.data_ptr<scalar_t>()};
      const auto *soft = in.softmax.data_ptr<scalar_t>(), *dy = dm.data_ptr<scalar_t>();
      rows(A, 16 * H * d, [&](int64_t begin, int64_t end) {
        std::vector<scalar_t> products;
        for (int64_t u = begin; u < end; u++)
          for (int64_t h = 0; h < H; h++) to.edges_of(u, h, x, soft, dy, products);
      });
      // The gradients of targets come from rows of several threads. One thread adds them up.
      for (int64_t k = 0; k < E; k++)
        for (int64_t h = 0; h < H; h++) to.s[(h * A + x.col[k]) * 2] += to.bond[k * H + h];
    });
    auto dtable = at::matmul(got.transpose(1, 2), dm).transpose(0, 1).reshape(in.table.sizes());
    return {dz, dtable, ds, given.sum(0), Tensor()};
  }
};

// attention returns m [A, d] from z [A, H·d], table [18, H·d], the scores s [H, A, 2] of an
// atom as target and as source, and t [H, 18] of a bond.
Tensor attention(Plain, const Tensor &z, const Tensor &table, const Tensor &s,
                 const Tensor &t, const Graph &g) {
  const int64_t A = z.size(0), H = s.size(0);
  auto e = edges(g);
  auto of = [&](int64_t role, const Tensor &row) {
    return padded(s.select(2, role).t()).index_select(0, row);
  };
  auto score = of(0, e.to) + of(1, e.from) + t.t().index_select(0, e.code);
  score = at::leaky_relu(score, kScoreLeak);
  // A softmax over the edges from each source. Every row except row A has an edge.
  auto source = e.from.unsqueeze(1).expand({-1, H});
  auto none = at::full({A + 1, H}, -std::numeric_limits<double>::infinity(), score.options());
  auto largest = none.scatter_reduce(0, source, score.detach(), "amax");
  auto power = (score - largest.index_select(0, e.from)).exp();
  auto sum = at::zeros_like(none).index_add(0, e.from, power);
  auto p = power / sum.index_select(0, e.from);
  auto message = padded(z).index_select(0, e.from) + table.index_select(0, e.code);
  return summed(message.view({-1, H, z.size(1) / H}) * p.unsqueeze(2), e, A).mean(1);
}

Tensor attention(Loops, const Tensor &z, const Tensor &table, const Tensor &s, const Tensor &t,
                 const Graph &g) {
  return AttentionFunction::apply(z.contiguous(), table, s, t, g);
}
Tensor attention(Kernels, const Tensor &z, const Tensor &table, const Tensor &s, const Tensor &t,
                 const Graph &g) {
  return attention(Plain{}, z, table, s, t, g);
}

}  // namespace

// attention_op: inputs h [A, any], W [H·d, any], b [H·d], a [H, 2d], c [d], E1 and E2 [·, H·d],
// the inputs of batch_norm_of, then the bonds and groups. Integers and the real: those of
// batch_norm_of.
template <class Path>
void attention_op(Args &a) {
  const Tensor h = a.tensor(), w = a.tensor(), b = a.tensor(), score = a.tensor(), c = a.tensor(),
               e1 = a.tensor(), e2 = a.tensor();
  const BatchNorm n = batch_norm_of(a);
  const Graph g = bonds_of(a);
  expect("h", h, {g.rowptr.size(0) - 1, kAny});
  expect("a", score, {kAny, kAny});
  const int64_t H = score.size(0), d = score.size(1) / 2;
  expect("a", score, {H, 2 * d});
  expect("W", w, {H * d, h.size(1)});
  expect("b", b, {H * d});
  expect("c", c, {d});
  expect("E1", e1, {kTypes, H * d});
  expect("E2", e2, {kDirections, H * d});
  check_norm(n, g.group, h.size(0), d);
  auto z = layer(Path{}, h, w, b, {}), table = bond_table(e1, e2);
  auto by_head = [&](const Tensor &x) { return x.view({-1, H, d}).transpose(0, 1); };
  auto weights = score.view({H, 2, d}).transpose(1, 2);
  auto s = at::bmm(by_head(z), weights).contiguous();
  auto t = at::bmm(by_head(table), weights.slice(2, 1)).squeeze(2).contiguous();
  auto m = attention(Path{}, z, table, s, t, g) + c;
  give_norm(a, norm(Path{}, m, g.group, n), n);
}
PACIA_OP_ALL("attention layer", attention_op)

}  // namespace pacia

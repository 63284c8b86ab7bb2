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
#include "normalise.hh"
#include "vector.hh"

namespace pacia {

// Heads is what the loops below look at.
template <class T>
struct Heads {
  Heads(const Tensor &z, const Tensor &table, const Tensor &s, const Tensor &t, const Graph &g)
      : A(z.size(0)), H(s.size(0)), d(z.size(1) / H), z(z.data_ptr<T>()), table(table.data_ptr<T>()),
        s(s.data_ptr<T>()), t(t.data_ptr<T>()), ptr(ints(g.rowptr)), col(ints(g.col)),
        code(g.code.data_ptr<uint8_t>()) {}

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

  // total is log Σ_v exp(r_uv) of the edges from u.
  T total(int64_t u, int64_t h) const {
    T largest = -std::numeric_limits<T>::infinity(), sum = 0;
    around(u, [&](int64_t v, int64_t c, int64_t) { largest = std::max(largest, score(u, v, c, h)); });
    around(u, [&](int64_t v, int64_t c, int64_t) { sum += std::exp(score(u, v, c, h) - largest); });
    return largest + std::log(sum);
  }
};

struct AttentionFunction : torch::autograd::Function<AttentionFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &z, const Tensor &table, const Tensor &s,
                        const Tensor &t, const Graph &g) {
    const int64_t A = z.size(0), H = s.size(0), d = z.size(1) / H;
    auto total = at::empty({A, H}, z.options()), m = at::zeros({A, d}, z.options());
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "attention", [&] {
      const Heads<scalar_t> x(z, table, s, t, g);
      auto *sum = total.data_ptr<scalar_t>(), *y = m.data_ptr<scalar_t>();
      rows(A, 64 * H, [&](int64_t begin, int64_t end) {
        for (int64_t u = begin; u < end; u++)
          for (int64_t h = 0; h < H; h++) sum[u * H + h] = x.total(u, h);
      });
      rows(A, 8 * H * d, [&](int64_t begin, int64_t end) {
        for (int64_t v = begin; v < end; v++)
          for (int64_t h = 0; h < H; h++)
            x.around(v, [&](int64_t u, int64_t c, int64_t) {
              const scalar_t p = std::exp(x.score(u, v, c, h) - sum[u * H + h]) / static_cast<scalar_t>(H);
              axpy(y + v * d, x.atom(u, h), p, d);
              axpy(y + v * d, x.bond(c, h), p, d);
            });
      });
    });
    ctx->save_for_backward({z, table, s, t, total, g.rowptr, g.col, g.code});
    return m;
  }

  // With p/H in place of p: dz_u' = Σ_v p dm_v, and of the score before its
  // LeakyReLU, p (dm_v·z_u' − Σ_w p dm_w·z_u') times the slope.
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    auto z = saved[0], table = saved[1], s = saved[2], t = saved[3], dm = grads[0].contiguous();
    const Graph g{saved[5], saved[6], saved[7], {}, {}, {}};
    const int64_t A = z.size(0), H = s.size(0), d = z.size(1) / H, E = g.col.size(0);
    auto dz = at::zeros_like(z), ds = at::zeros_like(s), dr = at::empty({E, H}, z.options());
    auto share = at::zeros({H, A, kCodes}, z.options());   // of the bonds of a code that an atom gets
    auto slope = at::zeros({A, H, kCodes}, z.options());   // of the scores of the edges that it sends
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "attention_backward", [&] {
      const Heads<scalar_t> x(z, table, s, t, g);
      const auto *sum = saved[4].data_ptr<scalar_t>(), *dy = dm.data_ptr<scalar_t>();
      auto *to = dz.data_ptr<scalar_t>(), *edge = dr.data_ptr<scalar_t>(), *end = ds.data_ptr<scalar_t>();
      auto *got = share.data_ptr<scalar_t>(), *sent = slope.data_ptr<scalar_t>();
      const scalar_t heads = static_cast<scalar_t>(H), leak = static_cast<scalar_t>(kScoreLeak);
      auto part = [&](int64_t u, int64_t v, int64_t c, int64_t h) {
        return std::exp(x.score(u, v, c, h) - sum[u * H + h]) / heads;
      };
      rows(A, 16 * H * d, [&](int64_t first, int64_t last) {
        std::vector<scalar_t> grad;  // dm_v·z_u' of each edge from u
        for (int64_t u = first; u < last; u++)
          for (int64_t h = 0; h < H; h++) {
            scalar_t mean = 0;
            grad.clear();
            x.around(u, [&](int64_t v, int64_t c, int64_t) {
              const scalar_t p = part(u, v, c, h);
              grad.push_back(dot(dy + v * d, x.atom(u, h), d) + dot(dy + v * d, x.bond(c, h), d));
              mean += p * heads * grad.back();
              axpy(to + (u * H + h) * d, dy + v * d, p, d);
              got[(h * A + u) * kCodes + c] += part(v, u, c, h);
            });
            const scalar_t *own = grad.data();
            x.around(u, [&](int64_t v, int64_t c, int64_t k) {
              scalar_t r = part(u, v, c, h) * (*own++ - mean);
              if (x.raw(u, v, c, h) <= 0) r *= leak;
              sent[(u * H + h) * kCodes + c] += r;
              end[(h * A + u) * 2 + 1] += r;
              if (k < 0)
                end[(h * A + u) * 2] += r;
              else
                edge[k * H + h] = r;
            });
          }
      });
      // What targets get comes from rows of several threads: one adds it up.
      for (int64_t k = 0; k < E; k++)
        for (int64_t h = 0; h < H; h++) end[(h * A + x.col[k]) * 2] += edge[k * H + h];
    });
    auto dtable = at::matmul(share.transpose(1, 2), dm).transpose(0, 1).reshape(table.sizes());
    return {dz, dtable, ds, slope.sum(0), Tensor()};
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

// One layer of GIN with edge embeddings (Eq. 9 of the paper, Hu et al. 2020):
//
//   m_v = Σ_{u ∈ N(v) ∪ {v}} (h_u + E1[type] + E2[direction])
//   z   = W2 ReLU(W1 m + b1) + b2
//   y   = dropout(ReLU(batch norm(z)))       no ReLU after the last layer
//
// Legend: A atoms, E bonds counted in both directions, G groups, d width,
// d' inner width. A bond's two directions carry the same embedding, so the
// neighbours that a backward pass sums over are those of the forward pass.
#pragma once

#include "check.hh"
#include "gin_reference.hh"
#include "norm.hh"

namespace pacia {

template <class T>
PACIA_INLINE void add_row(T *to, const T *x, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) to[i] += x[i];
}
PACIA_SIMD void add(float *to, const float *x, int64_t d) { add_row(to, x, d); }
PACIA_SIMD void add(double *to, const double *x, int64_t d) { add_row(to, x, d); }

// neighbours adds to every row of h its neighbours' rows, and, if table
// [18, d] is defined, the embeddings of the bonds and of the self loop.
inline Tensor neighbours(const Tensor &h, const Graph &g, const Tensor &table) {
  auto out = h.clone();
  const int64_t A = h.size(0), d = h.size(1);
  const int32_t *ptr = ints(g.rowptr), *col = ints(g.col);
  const uint8_t *code = g.code.data_ptr<uint8_t>();
  AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "neighbours", [&] {
    const auto *x = h.data_ptr<scalar_t>();
    const auto *e = table.defined() ? table.data_ptr<scalar_t>() : nullptr;
    auto *y = out.data_ptr<scalar_t>();
    rows(A, 4 * d, [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; v++) {
        for (int32_t k = ptr[v]; k < ptr[v + 1]; k++) {
          add(y + v * d, x + col[k] * d, d);
          if (e) add(y + v * d, e + code[k] * d, d);
        }
        if (e) add(y + v * d, e + kSelfLoop * d, d);
      }
    });
  });
  return out;
}

// bonds counts, for every atom, its bonds of each code and its self loop:
// [A, 18]. The gradient of the embedding table is its product with dm.
inline Tensor bonds(const Graph &g, const Tensor &like) {
  const int64_t A = g.rowptr.size(0) - 1;
  auto out = at::zeros({A, kCodes}, like.options());
  const int32_t *ptr = ints(g.rowptr);
  const uint8_t *code = g.code.data_ptr<uint8_t>();
  AT_DISPATCH_FLOATING_TYPES(like.scalar_type(), "bonds", [&] {
    auto *c = out.data_ptr<scalar_t>();
    for (int64_t v = 0; v < A; v++) {
      for (int32_t k = ptr[v]; k < ptr[v + 1]; k++) c[v * kCodes + code[k]] += 1;
      c[v * kCodes + kSelfLoop] += 1;
    }
  });
  return out;
}

// GinFunction keeps m, ReLU(W1 m + b1) and z; everything else of the
// backward pass is drawn or computed again.
struct GinFunction : torch::autograd::Function<GinFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Tensor &w1, const Tensor &b1,
                        const Tensor &w2, const Tensor &b2, const Tensor &e1, const Tensor &e2,
                        const Tensor &gamma, const Tensor &beta, const Tensor &mean,
                        const Tensor &var, const Graph &g, const NormMode &mode) {
    auto table = (e1.unsqueeze(1) + e2.unsqueeze(0)).view({kCodes, h.size(1)});
    auto m = neighbours(h.contiguous(), g, table);
    auto a = at::linear(m, w1, b1).relu_();
    auto z = at::linear(a, w2, b2);
    auto s = norm_statistics(z, g.group, mean, var, mode);
    auto y = norm_forward(z, g.group, s, gamma, beta, mode);
    ctx->save_for_backward({m, a, z, s.mean, s.rstd, w1, w2, gamma, beta, g.rowptr, g.col, g.code,
                            g.group});
    mode.save(ctx);
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    auto mode = NormMode::load(ctx);
    Graph g{s[9], s[10], s[11], s[12]};
    auto n = norm_backward(grads[0].contiguous(), s[2], g.group, {s[3], s[4]}, s[7], s[8], mode);
    auto da = at::mm(n.dz, s[6]).mul_(s[1].gt(0));
    auto dm = at::mm(da, s[5]);
    auto dtable = at::mm(bonds(g, dm).t(), dm).view({kTypes, kDirections, -1});
    return {neighbours(dm, g, {}),
            at::mm(da.t(), s[0]), da.sum(0),
            at::mm(n.dz.t(), s[1]), n.dz.sum(0),
            dtable.sum(1), dtable.sum(0),
            n.dgamma, n.dbeta,
            Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

inline void check_gin(const Args &a, const Graph &g) {
  expect("h", a.in(0), {g.rowptr.size(0) - 1, kAny});
  expect("W1", a.in(1), {kAny, a.in(0).size(1)});
  const int64_t d = a.in(0).size(1), inner = a.in(1).size(0);
  expect("b1", a.in(2), {inner});
  expect("W2", a.in(3), {d, inner});
  expect("E1", a.in(5), {kTypes, d});
  expect("E2", a.in(6), {kDirections, d});
  const char *names[] = {"b2", "", "", "gamma", "beta", "mean", "var"};
  for (int64_t i : {4, 7, 8, 9, 10}) expect(names[i - 4], a.in(i), {d});
  expect_offsets("groups", g.group, a.in(0).size(0));
}

// gin_op: inputs h, W1, b1, W2, b2, E1, E2, γ, β, running mean, running
// variance, then the graph; integers training, ReLU, key; reals p.
inline void gin_op(const Args &a, bool plain) {
  auto mode = NormMode{a.integer(0) != 0, a.integer(1) != 0,
                       {a.real(0), static_cast<uint64_t>(a.integer(2))}};
  Graph g{a.in(11), a.in(12), a.in(13), a.in(14)};
  check_gin(a, g);
  if (plain || !on_cpu(a.in(0))) {
    a.out(0, reference::gin(a, g, mode));
    return;
  }
  a.out(0, GinFunction::apply(a.in(0), a.in(1), a.in(2), a.in(3), a.in(4), a.in(5), a.in(6),
                              a.in(7), a.in(8), a.in(9), a.in(10), g, mode));
}

}  // namespace pacia

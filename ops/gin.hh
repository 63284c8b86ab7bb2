// One layer of GIN with edge embeddings (Eq. 9 of the paper, Hu et al. 2020):
//
//   m_v = Σ_{u ∈ N(v) ∪ {v}} (h_u + E1[type] + E2[direction])
//   z   = W2 ReLU(W1 m + b1) + b2
//   y   = dropout(ReLU(batch norm(z)))       no ReLU after the last layer
//
// m and z are computed once for rows that stand for many atoms; see Graph.
//
// Legend: R rows, P rows of the states before, A rows of the states after,
// E bonds, G groups, d width, d' inner width.
#pragma once

#include "check.hh"
#include "gin_reference.hh"
#include "linear.hh"
#include "norm.hh"
#include "product/product.hh"
#include "rows.hh"

namespace pacia {

// chunks_of is the number of parts that gradients of tables are added up in.
inline unsigned chunks_of(int64_t rows) {
  return static_cast<unsigned>((rows + kTableChunk - 1) / kTableChunk);
}

// column_chunks gives every 32 of d columns of every chunk a block of a warp.
inline pacia_cuda_grid column_chunks(int64_t d, int64_t rows) {
  return {static_cast<unsigned>((d + kTile - 1) / kTile), chunks_of(rows), kTile};
}

// neighbours [R, d] adds to every row its neighbours' rows of h [P, d], and,
// if E1 [6, d] and E2 [3, d] are defined, the embeddings of the bonds and of the
// self loop.
inline Tensor neighbours(const Tensor &h, const Graph &g, const Tensor &e1, const Tensor &e2) {
  if (!on_cpu(h)) {
    TORCH_CHECK(!g.self.defined(), "kernels run on atoms, not on rows that stand for many");
    auto m = at::empty_like(h);
    PACIA_LAUNCH(neighbours, h, row_blocks(h.size(0), h.size(1)), h, g.rowptr, g.col, g.code, e1, e2,
                 m, h.size(1));
    return m;
  }
  auto table = e1.defined() ? (e1.unsqueeze(1) + e2.unsqueeze(0)).view({kCodes, h.size(1)}) : e1;
  const int64_t R = g.rowptr.size(0) - 1, d = h.size(1);
  auto out = at::empty({R, d}, h.options());
  const int32_t *ptr = ints(g.rowptr), *col = ints(g.col);
  const int32_t *self = g.self.defined() ? ints(g.self) : nullptr;
  const uint8_t *code = g.code.data_ptr<uint8_t>();
  AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "neighbours", [&] {
    const auto *x = h.data_ptr<scalar_t>();
    const auto *e = table.defined() ? table.data_ptr<scalar_t>() : nullptr;
    auto *y = out.data_ptr<scalar_t>();
    rows(R, 4 * d, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; r++) {
        std::copy_n(x + (self ? self[r] : r) * d, d, y + r * d);
        for (int32_t k = ptr[r]; k < ptr[r + 1]; k++) {
          add(y + r * d, x + col[k] * d, d);
          if (e) add(y + r * d, e + code[k] * d, d);
        }
        if (e) add(y + r * d, e + kSelfLoop * d, d);
      }
    });
  });
  return out;
}

// neighbours_gradient [P, d] is the backward pass of neighbours. The two
// directions of a bond between atoms are alike, so that for atoms the sum is
// over the neighbours again.
inline Tensor neighbours_gradient(const Tensor &dm, const Graph &g, int64_t P) {
  if (!g.self.defined()) return neighbours(dm, g, {}, {});
  const int64_t R = dm.size(0), d = dm.size(1);
  auto out = at::zeros({P, d}, dm.options());
  const int32_t *ptr = ints(g.rowptr), *col = ints(g.col), *self = ints(g.self);
  AT_DISPATCH_FLOATING_TYPES(dm.scalar_type(), "neighbours_gradient", [&] {
    const auto *x = dm.data_ptr<scalar_t>();
    auto *y = out.data_ptr<scalar_t>();
    columns(4 * R, d, [&](int64_t first, int64_t width) {
      for (int64_t r = 0; r < R; r++) {
        const auto *from = x + r * d + first;
        add(y + self[r] * d + first, from, width);
        for (int32_t k = ptr[r]; k < ptr[r + 1]; k++) add(y + col[k] * d + first, from, width);
      }
    });
  });
  return out;
}

// bonds counts, for every row, its bonds of each code and its self loop:
// [R, 18]. The gradient of the embedding table is its product with dm.
inline Tensor bonds(const Graph &g, const Tensor &like) {
  const int64_t R = g.rowptr.size(0) - 1;
  auto out = at::zeros({R, kCodes}, like.options());
  const int32_t *ptr = ints(g.rowptr);
  const uint8_t *code = g.code.data_ptr<uint8_t>();
  AT_DISPATCH_FLOATING_TYPES(like.scalar_type(), "bonds", [&] {
    auto *c = out.data_ptr<scalar_t>();
    for (int64_t r = 0; r < R; r++) {
      for (int32_t k = ptr[r]; k < ptr[r + 1]; k++) c[r * kCodes + code[k]] += 1;
      c[r * kCodes + kSelfLoop] += 1;
    }
  });
  return out;
}

// Update is the two linear layers between m and z.
struct Update {
  Tensor w1, b1, w2, b2;

  // forward returns a = ReLU(W1 m + b1) [R, d'] and z [R, d].
  std::pair<Tensor, Tensor> forward(const Tensor &m) const {
    if (!on_cpu(m)) {
      auto a = at::_addmm_activation(b1, m, w1.t());
      return {a, at::addmm(b2, a, w2.t())};
    }
    auto a = times(m, w1, true, {b1, After::relu, {}});
    return {a, times(a, w2, true, {b2, After::nothing, {}})};
  }

  struct Gradients {
    Tensor dm, dw1, db1, dw2, db2;
  };

  Gradients backward(const Tensor &dz, const Tensor &m, const Tensor &a) const {
    if (!on_cpu(m)) {
      auto da = at::mm(dz, w2), db1 = sums_back(da, {a, 0}, {}, {}, da);
      return {at::mm(da, w1), at::mm(da.t(), m), db1, at::mm(dz.t(), a),
              sums_back(dz, {}, {}, {}, {})};
    }
    auto da = times(dz, w2, false, {{}, After::relu_back, a});
    return {times(da, w1, false), across(da, m), da.sum(0), across(dz, a), dz.sum(0)};
  }
};

// table_gradients returns those of E1 and E2, from dm [R, d].
inline std::pair<Tensor, Tensor> table_gradients(const Tensor &dm, const Graph &g) {
  const int64_t R = dm.size(0), d = dm.size(1);
  if (!on_cpu(dm)) {
    auto part = at::empty({chunks_of(R), kBondRows, d}, dm.options());
    auto sum = at::empty({kBondRows, d}, dm.options());
    PACIA_LAUNCH(bonds_back, dm, column_chunks(d, R), g.rowptr, g.code, dm, part, R, d);
    PACIA_LAUNCH(chunks_sum, dm, blocks(kBondRows * d), part, sum, part.size(0), kBondRows * d);
    return {sum.slice(0, 0, kTypes), sum.slice(0, kTypes)};
  }
  auto t = at::mm(bonds(g, dm).t(), dm).view({kTypes, kDirections, -1});
  return {t.sum(1), t.sum(0)};
}

// GinFunction keeps m, ReLU(W1 m + b1) and z, spread to the atoms; everything
// else of the backward pass is drawn or computed again.
struct GinFunction : torch::autograd::Function<GinFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Tensor &w1, const Tensor &b1,
                        const Tensor &w2, const Tensor &b2, const Tensor &e1, const Tensor &e2,
                        const Tensor &gamma, const Tensor &beta, const Tensor &mean,
                        const Tensor &var, const Graph &g, const NormMode &mode) {
    auto m = neighbours(h.contiguous(), g, e1, e2);
    auto [a, z] = Update{w1, b1, w2, b2}.forward(m);
    if (g.spread.defined()) z = spread(z, g.spread);
    auto s = norm_statistics(z, g.group, mean, var, mode);
    auto y = norm_forward(z, g.group, s, gamma, beta, mode);
    ctx->save_for_backward({m, a, z, s.mean, s.rstd, w1, w2, gamma, beta, g.rowptr, g.col, g.code,
                            g.self, g.spread, g.group});
    ctx->saved_data["before"] = h.size(0);
    mode.save(ctx);
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    Graph g{s[9], s[10], s[11], s[12], s[13], s[14]};
    auto n = norm_backward(grads[0].contiguous(), s[2], g.group, {s[3], s[4]}, s[7], s[8],
                           NormMode::load(ctx));
    auto dz = g.spread.defined() ? collect(n.dz, g.spread, s[0].size(0)) : n.dz;
    auto u = Update{s[5], {}, s[6], {}}.backward(dz, s[0], s[1]);
    auto [de1, de2] = table_gradients(u.dm, g);
    return {neighbours_gradient(u.dm, g, ctx->saved_data["before"].toInt()),
            u.dw1, u.db1, u.dw2, u.db2, de1, de2, n.dgamma, n.dbeta,
            Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

inline void check_gin(const Args &a, const Graph &g, int64_t before) {
  expect("h", a.in(0), {before, kAny});
  expect("W1", a.in(1), {kAny, a.in(0).size(1)});
  const int64_t d = a.in(0).size(1), inner = a.in(1).size(0), rows = g.rowptr.size(0) - 1;
  expect("b1", a.in(2), {inner});
  expect("W2", a.in(3), {d, inner});
  expect("E1", a.in(5), {kTypes, d});
  expect("E2", a.in(6), {kDirections, d});
  const char *names[] = {"b2", "", "", "gamma", "beta", "mean", "var"};
  for (int64_t i : {4, 7, 8, 9, 10}) expect(names[i - 4], a.in(i), {d});
  if (g.self.defined()) expect("self", g.self, {rows});
  expect_offsets("groups", g.group, g.spread.defined() ? g.spread.size(0) : rows);
}

// gin_op: inputs h, W1, b1, W2, b2, E1, E2, γ, β, running mean, running
// variance, then the graph; integers training, ReLU, key, P, whether the
// running averages stay as they are. Then the statistics of the last group
// are outputs 1 and 2, as a running average takes them. Reals: p.
inline void gin_op(const Args &a, bool plain) {
  auto mode = NormMode{a.integer(0) != 0, a.integer(1) != 0,
                       dropout_of(a, 2)};
  Graph g{a.in(11), a.in(12), a.in(13), a.in(14), a.in(15), a.in(16)};
  check_gin(a, g, a.integer(3));
  auto mean = a.in(9), var = a.in(10);
  if (a.integer(4)) {
    mean = at::zeros_like(mean);
    var = at::zeros_like(var);
    mode.momentum = 1;
    a.out(1, mean);
    a.out(2, var);
  }
  if (plain) {
    a.out(0, reference::gin(a, g, mean, var, mode));
    return;
  }
  a.out(0, GinFunction::apply(a.in(0), a.in(1), a.in(2), a.in(3), a.in(4), a.in(5), a.in(6),
                              a.in(7), a.in(8), mean, var, g, mode));
}

}  // namespace pacia

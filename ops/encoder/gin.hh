// One layer of GIN with edge embeddings (Eq. 14 of the paper, Hu et al. 2020):
//
//   m_v = Σ_{u ∈ N(v) ∪ {v}} (h_u + E1[type] + E2[direction])
//   z   = W2 ReLU(W1 m + b1) + b2
//   y   = dropout(ReLU(batch norm(z)))       no ReLU after the last layer
//
// m and z are computed once for each row, which may represent many atoms; see Graph.
//
// Legend: R rows, P rows of the previous states, A rows of the next states, E bonds, G groups,
// d width, d' inner width.
#pragma once

#include <ATen/ops/_addmm_activation.h>

#include "core/args.hh"
#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "core/graph.hh"
#include "core/rows.hh"
#include "layers/linear.hh"
#include "layers/norm.hh"
#include "product/product.hh"
#include "tables.hh"

namespace pacia {

namespace {

// neighbours [R, d] returns for every row the sum of its own and its neighbours' rows of h
// [P, d]. If E1 [6, d] and E2 [3, d] are defined, the sum includes the embeddings of the bonds
// and of the self loop.
Tensor neighbours(Loops, const Tensor &h, const Graph &g, const Tensor &e1, const Tensor &e2) {
  auto table = e1.defined() ? bond_table(e1, e2) : e1;
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

Tensor neighbours(Kernels, const Tensor &h, const Graph &g, const Tensor &e1, const Tensor &e2) {
  TORCH_CHECK(!g.self.defined(), "kernels require a row for each atom");
  auto m = at::empty_like(h);
  PACIA_LAUNCH(neighbours, h, row_blocks(h.size(0), h.size(1)), h, g.rowptr, g.col, g.code, e1, e2,
               m, h.size(1));
  return m;
}

// neighbours_gradient [P, d] is the backward pass of neighbours. Both directions of a bond
// between atoms are the same, so that for atoms it is again the sum over neighbours.
Tensor neighbours_gradient(Kernels, const Tensor &dm, const Graph &g, int64_t) {
  return neighbours(Kernels{}, dm, g, {}, {});
}
Tensor neighbours_gradient(Loops, const Tensor &dm, const Graph &g, int64_t P) {
  if (!g.self.defined()) return neighbours(Loops{}, dm, g, {}, {});
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

// codes_back [18, d] returns the sums of dm [R, d] over the bonds of each code and over the
// self loops.
Tensor codes_back(const Tensor &dm, const Graph &g) {
  const int64_t R = dm.size(0), d = dm.size(1);
  auto out = at::zeros({kCodes, d}, dm.options());
  const int32_t *ptr = ints(g.rowptr);
  const uint8_t *code = g.code.data_ptr<uint8_t>();
  AT_DISPATCH_FLOATING_TYPES(dm.scalar_type(), "codes_back", [&] {
    columns(4 * R, d, [&](int64_t first, int64_t width) {
      auto *y = out.data_ptr<scalar_t>() + first;
      const auto *x = dm.data_ptr<scalar_t>() + first;
      for (int64_t r = 0; r < R; r++, x += d) {
        add(y + kSelfLoop * d, x, width);
        for (int32_t k = ptr[r]; k < ptr[r + 1]; k++) add(y + code[k] * d, x, width);
      }
    });
  });
  return out;
}

// Update has the two linear layers between m and z.
struct Update {
  Tensor w1, b1, w2, b2;

  // forward returns a = ReLU(W1 m + b1) [R, d'] and z [R, d].
  std::pair<Tensor, Tensor> forward(Loops, const Tensor &m) const {
    auto a = times(m, w1, true, {b1, After::relu, {}});
    return {a, outer(a)};
  }
  Tensor outer(const Tensor &a) const { return times(a, w2, true, {b2, After::nothing, {}}); }
  std::pair<Tensor, Tensor> forward(Kernels, const Tensor &m) const {
    auto a = at::_addmm_activation(b1, m, w1.t());
    return {a, at::addmm(b2, a, w2.t())};
  }

  struct Gradients {
    Tensor dm, dw1, db1, dw2, db2;
  };

  // Outer has the gradients that follow from dz [R, d]: da [R, d'] before the ReLU, and the
  // gradients of W2 and b2.
  struct Outer {
    Tensor da, dw2, db2;
  };
  Outer outer_back(const Tensor &dz, const Tensor &a) const {
    return {times(dz, w2, false, {{}, After::relu_back, a}), across(dz, a), dz.sum(0)};
  }

  Gradients backward(Loops, const Tensor &dz, const Tensor &m, const Tensor &a) const {
    auto o = outer_back(dz, a);
    return {times(o.da, w1, false), across(o.da, m), o.da.sum(0), o.dw2, o.db2};
  }
  Gradients backward(Kernels, const Tensor &dz, const Tensor &m, const Tensor &a) const {
    auto da = at::mm(dz, w2), db1 = sums_back(da, {a, 0}, {}, {}, da);
    return {at::mm(da, w1), at::mm(da.t(), m), db1, at::mm(dz.t(), a),
            sums_back(dz, {}, {}, {}, {})};
  }
};

// table_gradients returns the gradients of E1 and E2, from dm [R, d].
std::pair<Tensor, Tensor> table_gradients(Loops, const Tensor &dm, const Graph &g) {
  auto t = codes_back(dm, g).view({kTypes, kDirections, -1});
  return {t.sum(1), t.sum(0)};
}
std::pair<Tensor, Tensor> table_gradients(Kernels, const Tensor &dm, const Graph &g) {
  const int64_t R = dm.size(0), d = dm.size(1);
  auto part = at::empty({chunks_of(R), kBondRows, d}, dm.options());
  PACIA_LAUNCH(bonds_back, dm, column_chunks(d, R), g.rowptr, g.code, dm, part, R, d);
  auto sum = sum_of_chunks(part);
  return {sum.slice(0, 0, kTypes), sum.slice(0, kTypes)};
}

// GinFunction keeps m, ReLU(W1 m + b1), and z of each atom. The backward pass computes all other
// values again, including the dropout mask.
template <class Path>
struct GinFunction : Function<GinFunction<Path>> {
  struct Saved {
    Tensor m, a, w1, w2;
    Graph g;
    NormSaved norm;
    int64_t before;
    auto fields() { return std::tie(m, a, w1, w2, g, norm, before); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Tensor &w1, const Tensor &b1,
                        const Tensor &w2, const Tensor &b2, const Tensor &e1, const Tensor &e2,
                        const Tensor &gamma, const Tensor &beta, const Graph &g,
                        const BatchNorm &n) {
    Saved s{neighbours(Path{}, h.contiguous(), g, e1, e2), {}, w1, w2, g, {}, h.size(0)};
    auto [a, z] = Update{w1, b1, w2, b2}.forward(Path{}, s.m);
    s.a = a;
    if (g.spread.defined()) z = spread(z, g.spread);
    auto y = norm_forward(Path{}, z, g.group, n, s.norm);
    save(ctx, s);
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto n = norm_backward(Path{}, grads[0].contiguous(), s.norm);
    auto dz = s.g.spread.defined() ? collect(n.dz, s.g.spread, s.m.size(0)) : n.dz;
    auto u = Update{s.w1, {}, s.w2, {}}.backward(Path{}, dz, s.m, s.a);
    auto [de1, de2] = table_gradients(Path{}, u.dm, s.g);
    return {neighbours_gradient(Path{}, u.dm, s.g, s.before),
            u.dw1, u.db1, u.dw2, u.db2, de1, de2, n.dgamma, n.dbeta, Tensor(), Tensor()};
  }
};

// Layer has the inputs of gin_op.
struct Layer {
  Tensor h;
  Update u;
  Tensor e1, e2;
  BatchNorm n;
  Graph g;
};

Tensor gin(Plain, const Layer &l) {
  const Graph &g = l.g;
  auto code = index(g.code);
  auto type = code.div(kDirections, "floor"), direction = code.remainder(kDirections);
  auto message = l.h.index_select(0, index(g.col)) + l.e1.index_select(0, type) +
                 l.e2.index_select(0, direction);
  auto self = g.self.defined() ? l.h.index_select(0, index(g.self)) : l.h;
  auto m = (self + l.e1[kSelfType] + l.e2[0]).index_add(0, segments(g.rowptr), message);
  auto z = at::linear(at::linear(m, l.u.w1, l.u.b1).relu(), l.u.w2, l.u.b2);
  if (g.spread.defined()) z = z.index_select(0, index(g.spread));
  return norm(Plain{}, z, g.group, l.n);
}

Tensor gin(Loops, const Layer &l);

Tensor gin(Kernels, const Layer &l) {
  return GinFunction<Kernels>::apply(l.h, l.u.w1, l.u.b1, l.u.w2, l.u.b2, l.e1, l.e2, l.n.gamma, l.n.beta, l.g, l.n);
}

void check(const Layer &l, int64_t before) {
  expect("h", l.h, {before, kAny});
  expect("W1", l.u.w1, {kAny, l.h.size(1)});
  const int64_t d = l.h.size(1), inner = l.u.w1.size(0), rows = l.g.rowptr.size(0) - 1;
  expect("b1", l.u.b1, {inner});
  expect("W2", l.u.w2, {d, inner});
  expect("b2", l.u.b2, {d});
  expect("E1", l.e1, {kTypes, d});
  expect("E2", l.e2, {kDirections, d});
  if (l.g.self.defined()) expect("self", l.g.self, {rows});
  check_norm(l.n, l.g.group, l.g.spread.defined() ? l.g.spread.size(0) : rows, d);
}

}  // namespace

// gin_op: inputs h, W1, b1, W2, b2, E1, E2, the inputs of batch_norm_of, the graph, then like
// [A] or nothing. Integers: those of batch_norm_of, and P. Real: p.
template <class Path>
void gin_op(Args &a) {
  Layer l{a.tensor(), {a.tensor(), a.tensor(), a.tensor(), a.tensor()}, a.tensor(), a.tensor(),
                batch_norm_of(a), graph_of(a)};
  l.n.like = a.tensor();
  check(l, a.integer());
  give_norm(a, gin(Path{}, l), l.n);
}
PACIA_OP_ALL("gin layer", gin_op)

}  // namespace pacia

// One layer of GCN or GraphSAGE with edge embeddings, as the public weights of
// Hu et al. (2020) were trained:
//
//   z_u = W h_u + b
//   m_v = Σ_{u ∈ N(v) ∪ {v}} α_v β_u (z_u + E1[type] + E2[direction])
//   y   = dropout(ReLU(batch norm(m)))       no ReLU after the last layer
//
//   GCN        α_v = β_v = 1/√deg v
//   GraphSAGE  α_v = 1/deg v, β_v = 1; then m_v is divided by its length
//
// deg v includes the self loop. The sums have no kernel; the kernels' path uses the plain form.
//
// Legend: A atoms, E bonds, G groups, d width.
#pragma once

#include <ATen/ops/ones_like.h>

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

enum class MeanForm : int64_t { gcn, sage };

// weighted_neighbours [A, d] is m of the equation above, by loops, without the terms of the
// bonds if table is undefined.
Tensor weighted_neighbours(const Tensor &z, const Tensor &table, const Tensor &alpha,
                                  const Tensor &beta, const Graph &g) {
  const int64_t A = z.size(0), d = z.size(1);
  auto out = at::zeros({A, d}, z.options());
  const int32_t *ptr = ints(g.rowptr), *col = ints(g.col);
  const uint8_t *code = g.code.data_ptr<uint8_t>();
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "weighted_neighbours", [&] {
    const auto *x = z.data_ptr<scalar_t>();
    const auto *a = alpha.data_ptr<scalar_t>(), *b = beta.data_ptr<scalar_t>();
    const auto *e = table.defined() ? table.data_ptr<scalar_t>() : nullptr;
    auto *y = out.data_ptr<scalar_t>();
    rows(A, 8 * d, [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; v++) {
        auto take = [&](int64_t u, int64_t c) {
          if (e)
            message(y + v * d, x + u * d, e + c * d, a[v] * b[u], d);
          else
            axpy(y + v * d, x + u * d, a[v] * b[u], d);
        };
        for (int32_t k = ptr[v]; k < ptr[v + 1]; k++) take(col[k], code[k]);
        take(v, kSelfLoop);
      }
    });
  });
  return out;
}

// bond_weights [A, 18] returns for each atom the sum of the weights of its edges of each code.
// The gradient of the table is its product with dm.
Tensor bond_weights(const Tensor &alpha, const Tensor &beta, const Graph &g) {
  const int64_t A = alpha.size(0);
  auto out = at::zeros({A, kCodes}, alpha.options());
  const int32_t *ptr = ints(g.rowptr), *col = ints(g.col);
  const uint8_t *code = g.code.data_ptr<uint8_t>();
  AT_DISPATCH_FLOATING_TYPES(alpha.scalar_type(), "bond_weights", [&] {
    const auto *a = alpha.data_ptr<scalar_t>(), *b = beta.data_ptr<scalar_t>();
    auto *w = out.data_ptr<scalar_t>();
    for (int64_t v = 0; v < A; v++, w += kCodes) {
      for (int32_t k = ptr[v]; k < ptr[v + 1]; k++) w[code[k]] += a[v] * b[col[k]];
      w[kSelfLoop] += a[v] * b[v];
    }
  });
  return out;
}

// MeanFunction: both directions of a bond are the same. The backward pass is therefore over the
// neighbours again, with α and β exchanged.
struct MeanFunction : Function<MeanFunction> {
  struct Saved {
    Tensor alpha, beta;
    Graph g;
    auto fields() { return std::tie(alpha, beta, g); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &z, const Tensor &table,
                        const Tensor &alpha, const Tensor &beta, const Graph &g) {
    save(ctx, Saved{alpha, beta, g});
    return weighted_neighbours(z.contiguous(), table, alpha, beta, g);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto dm = grads[0].contiguous();
    return {weighted_neighbours(dm, {}, s.beta, s.alpha, s.g),
            at::mm(bond_weights(s.alpha, s.beta, s.g).t(), dm), Tensor(), Tensor(), Tensor()};
  }
};

// means [A, d] is m, from z [A, d], table [18, d], α and β [A].
Tensor means(Plain, const Tensor &z, const Tensor &table, const Tensor &alpha, const Tensor &beta,
             const Graph &g) {
  auto e = edges(g);
  auto weight = padded(alpha).index_select(0, e.to) * padded(beta).index_select(0, e.from);
  auto message = padded(z).index_select(0, e.from) + table.index_select(0, e.code);
  return summed(message * weight.unsqueeze(1), e, z.size(0));
}
Tensor means(Loops, const Tensor &z, const Tensor &table, const Tensor &alpha, const Tensor &beta,
             const Graph &g) {
  return MeanFunction::apply(z, table, alpha, beta, g);
}
Tensor means(Kernels, const Tensor &z, const Tensor &table, const Tensor &alpha,
             const Tensor &beta, const Graph &g) {
  return means(Plain{}, z, table, alpha, beta, g);
}

}  // namespace

// mean_op: inputs h [A, any], W, b, E1, E2, the inputs of batch_norm_of, then the bonds and
// groups. Integers: those of batch_norm_of, and the form. Real: p.
template <class Path>
void mean_op(Args &a) {
  const Tensor h = a.tensor(), w = a.tensor(), b = a.tensor(), e1 = a.tensor(), e2 = a.tensor();
  const BatchNorm n = batch_norm_of(a);
  const Graph g = bonds_of(a);
  const bool gcn = a.choice<MeanForm>() == MeanForm::gcn;
  expect("h", h, {g.rowptr.size(0) - 1, kAny});
  expect("W", w, {kAny, h.size(1)});
  const int64_t d = w.size(0);
  expect("b", b, {d});
  expect("E1", e1, {kTypes, d});
  expect("E2", e2, {kDirections, d});
  check_norm(n, g.group, h.size(0), d);
  auto z = layer(Path{}, h, w, b, {});
  auto degree = degrees(g, z);
  auto alpha = gcn ? degree.rsqrt() : degree.reciprocal();
  auto beta = gcn ? alpha : at::ones_like(alpha);
  auto m = means(Path{}, z, bond_table(e1, e2), alpha, beta, g);
  if (!gcn) m = m / m.norm(2, -1, /*keepdim=*/true).clamp_min(kLeastLength);
  give_norm(a, norm(Path{}, m, g.group, n), n);
}
PACIA_OP_ALL("mean layer", mean_op)

}  // namespace pacia

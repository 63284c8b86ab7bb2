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
// deg v counts the self loop. On the CPU loops take the sums; on a GPU the
// plain reference does.
//
// Legend: A atoms, E bonds, G groups, d width.
#pragma once

#include "linear.hh"
#include "mean_reference.hh"
#include "message.hh"
#include "normalise.hh"
#include "product/vector.hh"

namespace pacia {

enum class MeanForm : int64_t { gcn, sage };

// Of torch's normalize: a length is taken no smaller.
constexpr double kLeastLength = 1e-12;

// weighted_neighbours [A, d] is m of the equation above, by loops; without the
// bonds' part where table is undefined.
inline Tensor weighted_neighbours(const Tensor &z, const Tensor &table, const Tensor &alpha,
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

// bond_weights [A, 18] adds up, for every atom, the weights of its edges of each
// code. The gradient of the table is its product with dm.
inline Tensor bond_weights(const Tensor &alpha, const Tensor &beta, const Graph &g) {
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

// MeanFunction: the two directions of a bond are alike, so that the backward
// pass is over the neighbours again, with α and β in each other's place.
struct MeanFunction : torch::autograd::Function<MeanFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &z, const Tensor &table,
                        const Tensor &alpha, const Tensor &beta, const Graph &g) {
    ctx->save_for_backward({alpha, beta, g.rowptr, g.col, g.code});
    return weighted_neighbours(z.contiguous(), table, alpha, beta, g);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    auto dm = grads[0].contiguous();
    const Graph g{s[2], s[3], s[4], {}, {}, {}};
    return {weighted_neighbours(dm, {}, s[1], s[0], g),
            at::mm(bond_weights(s[0], s[1], g).t(), dm), Tensor(), Tensor(), Tensor()};
  }
};

// mean_op: inputs h [A, any], W, b, E1, E2, γ, β, running mean, running
// variance, then the bonds and groups. Integers and the real: normalise's;
// integer 4 is the form.
inline void mean_op(const Args &a, bool plain) {
  const Graph g{a.in(9), a.in(10), a.in(11), {}, {}, a.in(12)};
  expect("h", a.in(0), {g.rowptr.size(0) - 1, kAny});
  expect("W", a.in(1), {kAny, a.in(0).size(1)});
  const int64_t d = a.in(1).size(0);
  expect("b", a.in(2), {d});
  expect("E1", a.in(3), {kTypes, d});
  expect("E2", a.in(4), {kDirections, d});
  auto z = plain ? linear(a.in(0), a.in(1), a.in(2)) : layer(a.in(0), a.in(1), a.in(2), {});
  auto table = bond_table(a.in(3), a.in(4)), degree = degrees(g, z);
  const bool gcn = static_cast<MeanForm>(a.integer(4)) == MeanForm::gcn;
  auto alpha = gcn ? degree.rsqrt() : degree.reciprocal();
  auto beta = gcn ? alpha : at::ones_like(alpha);
  auto m = plain || !on_cpu(z) ? reference::mean(z, table, alpha, beta, g)
                               : MeanFunction::apply(z, table, alpha, beta, g);
  if (!gcn) m = m / m.norm(2, -1, /*keepdim=*/true).clamp_min(kLeastLength);
  normalise(a, 5, m, g.group, plain);
}

}  // namespace pacia

// FS-Mol's "combined" readout of the joined states x of all layers, [A, s]:
//
//   (i)   Σ_v softmax over the molecule of s_k(x_v) · V_k(x_v), all heads k joined, times C₁ᵀ
//   (ii)  Σ_v sigmoid(s_k(x_v)) · V_k(x_v), times C₂ᵀ
//   (iii) max_v x_v, times C₃ᵀ
//   y = C ReLU[(i) | (ii) | (iii)]
//
// s [H] and V [H·c] are MLPs with one hidden layer of width q and a ReLU. The second layer of V
// is linear. It is therefore applied to the sums of the hidden layer over a molecule's atoms,
// weighted by each head, and not to every atom.
//
// Atoms with the same state may share a row of x.
//
// Legend: A atoms, R rows, n molecules, H heads of c numbers, q hidden width.
#include "core/libtorch.hh"

#include <ATen/ops/threshold_backward.h>

#include "core/check.hh"
#include "core/registry.hh"
#include "core/owners.hh"
#include "heads.hh"
#include "layers/linear.hh"
#include "layers/shared.hh"
#include "product/product.hh"
#include "pool.hh"

namespace pacia {

namespace {

// Pooler has the weights of (i) or (ii): of the scores, of the values, and C.
struct Pooler {
  Tensor sw1, sb1, sw2, sb2;  // [q, s], [q], [H, q], [H]
  Tensor vw1, vb1, vw2, vb2;  // [q, s], [q], [H·c, q], [H·c]
  Tensor c;                   // [out, H·c]
};

Pooler pooler_of(Args &a) {
  return {a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor(),
          a.tensor(), a.tensor(), a.tensor(), a.tensor()};
}

struct Combined {
  Pooler mean, sum;
  Tensor max, out;  // [o, s], [o, 3o]
};

Tensor weighted(Plain, const Tensor &x, const Tensor &mol, const Pooler &w, bool softmax) {
  const int64_t n = mol.size(0) - 1;
  auto owner = owners(mol, x.size(0));
  auto a = at::linear(at::linear(x, w.sw1, w.sb1).relu(), w.sw2, w.sb2);
  auto values = at::linear(at::linear(x, w.vw1, w.vb1).relu(), w.vw2, w.vb2);
  if (softmax) {
    auto most = highest(a.detach(), owner, n, -std::numeric_limits<double>::infinity());
    a = (a - of_owner(most, owner)).clamp_max(0).exp();  // padding could overflow otherwise
    a = a / of_owner(added(a, owner, n), owner);
  } else {
    a = a.sigmoid();
  }
  auto heads = a.unsqueeze(2) * values.view({x.size(0), a.size(1), -1});
  return at::linear(added(heads.flatten(1), owner, n), w.c);
}

Tensor combined(Plain path, const Tensor &rows, const Tensor &mol, const Tensor &row, const Combined &w) {
  auto x = shared(path, rows, row);
  auto parts = at::cat({weighted(path, x, mol, w.mean, true), weighted(path, x, mol, w.sum, false),
                        at::linear(pool(path, x, mol, kPoolMax), w.max)}, 1);
  return at::linear(parts.relu(), w.out);
}

// FirstLayersFunction computes ReLU(W_i x + b_i) for several layers with the same x. The
// gradients of x are summed where they are computed.
struct FirstLayersFunction : Function<FirstLayersFunction> {
  static variable_list forward(AutogradContext *ctx, const Tensor &x, at::TensorList weights,
                               at::TensorList biases) {
    variable_list y, saved{x};
    for (size_t i = 0; i < weights.size(); i++) {
      y.push_back(times(x, weights[i], true, {biases[i], After::relu, {}}));
      saved.push_back(weights[i]);
    }
    saved.insert(saved.end(), y.begin(), y.end());
    ctx->save_for_backward(saved);
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    const size_t n = grads.size();
    variable_list dw, db;
    auto dx = at::empty_like(s[0]);
    for (size_t i = 0; i < n; i++) {
      auto g = at::threshold_backward(grads[i].contiguous(), s[1 + n + i], 0);
      times_into(dx, g, s[1 + i], false, {}, i > 0);
      dw.push_back(across(g, s[0]));
      db.push_back(g.sum(0));
    }
    variable_list all{dx};
    all.insert(all.end(), dw.begin(), dw.end());
    all.insert(all.end(), db.begin(), db.end());
    return all;
  }
};

// weighted returns (i) or (ii), from the hidden layers of the scores and the values.
Tensor weighted(Loops path, const Tensor &scores, const Tensor &values, const Tensor &mol,
                const Tensor &row, const Pooler &w, bool softmax) {
  const int64_t H = w.sw2.size(0), n = mol.size(0) - 1;
  auto heads = HeadsLoops::apply(layer(path, scores, w.sw2, w.sb2, {}), values, mol, row, softmax);
  auto second = w.vw2.view({H, -1, w.vw2.size(1)}), bias = w.vb2.view({H, 1, -1});
  auto y = at::bmm(heads[0], second.transpose(1, 2)) + bias * heads[1].t().unsqueeze(2);
  return at::linear(y.transpose(0, 1).reshape({n, -1}), w.c);
}

Tensor combined(Loops path, const Tensor &x, const Tensor &mol, const Tensor &row, const Combined &w) {
  const Tensor weights[] = {w.mean.sw1, w.mean.vw1, w.sum.sw1, w.sum.vw1};
  const Tensor biases[] = {w.mean.sb1, w.mean.vb1, w.sum.sb1, w.sum.vb1};
  auto z = FirstLayersFunction::apply(x.contiguous(), at::TensorList(weights), at::TensorList(biases));
  auto parts = at::cat({weighted(path, z[0], z[1], mol, row, w.mean, true),
                        weighted(path, z[2], z[3], mol, row, w.sum, false),
                        at::linear(pool(path, x, mol, kPoolMax, row), w.max)}, 1);
  return at::linear(parts.relu(), w.out);
}

void check_pooler(const Pooler &w, int64_t s, int64_t out) {
  expect("W1 of the scores", w.sw1, {kAny, s});
  expect("W2 of the scores", w.sw2, {kAny, w.sw1.size(0)});
  expect("W1 of the values", w.vw1, {kAny, s});
  expect("W2 of the values", w.vw2, {kAny, w.vw1.size(0)});
  expect("b1 of the scores", w.sb1, {w.sw1.size(0)});
  expect("b2 of the scores", w.sb2, {w.sw2.size(0)});
  expect("b1 of the values", w.vb1, {w.vw1.size(0)});
  expect("b2 of the values", w.vb2, {w.vw2.size(0)});
  expect("C of a pooler", w.c, {out, w.vw2.size(0)});
  if (w.vw2.size(0) % w.sw2.size(0) != 0)
    throw std::invalid_argument("the width " + std::to_string(w.vw2.size(0)) + " of the values is not a multiple of " +
                                std::to_string(w.sw2.size(0)) + " heads");
}

}  // namespace

// combined_op: inputs x, atom offsets, rows of atoms or nothing, the poolers of the softmax and of the
// sigmoid, C of the maximum, C.
template <class Path>
void combined_op(Args &a) {
  const Tensor x = a.tensor(), mol = a.tensor(), row = a.tensor();
  const Combined w{pooler_of(a), pooler_of(a), a.tensor(), a.tensor()};
  expect("x", x, {kAny, kAny});
  expect_offsets("molecules", mol, row.defined() ? row.size(0) : x.size(0));
  if (row.defined()) expect_below("rows of atoms", row, x.size(0));
  expect("C", w.out, {kAny, kAny});
  expect("C of the maximum", w.max, {w.out.size(1) / 3, x.size(1)});
  check_pooler(w.mean, x.size(1), w.out.size(1) / 3);
  check_pooler(w.sum, x.size(1), w.out.size(1) / 3);
  a.give(combined(Path{}, x, mol, row, w));
}
PACIA_OP_LOOPS("combined readout", combined_op)

}  // namespace pacia

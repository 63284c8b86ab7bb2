// Sums over the atoms of each molecule, weighted by each of several heads, by loops.
//
// Legend: A atoms, R rows, which atoms share, n molecules, H heads, q width.
#pragma once

#include "core/autograd.hh"
#include "core/rows.hh"
#include "product/vector.hh"

namespace pacia {

// HeadsLoops sums the rows of z [R, q] of a molecule's atoms, weighted in each head by a
// softmax over these atoms of the scores [R, H], or by their sigmoid: [H, n, q]. It also
// returns the sums of the weights [n, H]. row [A] is the row of each atom; it is undefined if
// each atom has its own row.
struct HeadsLoops : Function<HeadsLoops> {
  struct Saved {
    Tensor a, z, mol, row;
    bool softmax;
    auto fields() { return std::tie(a, z, mol, row, softmax); }
  };

  static variable_list forward(AutogradContext *ctx, const Tensor &scores, const Tensor &z,
                               const Tensor &mol, const Tensor &row, bool softmax) {
    const int64_t n = mol.size(0) - 1, H = scores.size(1), q = z.size(1);
    auto in = z.contiguous(), a = softmax ? scores : scores.sigmoid();
    a = row.defined() ? spread(a.contiguous(), row) : a.clone(at::MemoryFormat::Contiguous);
    auto sums = at::zeros({H, n, q}, z.options()), total = at::zeros({n, H}, z.options());
    const int32_t *p = ints(mol), *of = row.defined() ? ints(row) : nullptr;
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "heads", [&] {
      const auto *x = in.data_ptr<scalar_t>();
      auto *w = a.data_ptr<scalar_t>(), *y = sums.data_ptr<scalar_t>(), *t = total.data_ptr<scalar_t>();
      rows(n, 16 * H * q, [&](int64_t begin, int64_t end) {
        for (int64_t m = begin; m < end; m++)
          for (int64_t k = 0; k < H; k++) {
            if (softmax) normalise(w + k, p[m], p[m + 1], H);
            for (int32_t v = p[m]; v < p[m + 1]; v++) {
              axpy(y + (k * n + m) * q, x + (of ? of[v] : v) * q, w[v * H + k], q);
              t[m * H + k] += w[v * H + k];
            }
          }
      });
    });
    save(ctx, Saved{a, in, mol, row, softmax});
    return {sums, total};
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    const bool softmax = s.softmax;
    auto a = s.a, z = s.z, dy = grads[0].contiguous(), dt = grads[1].contiguous();
    const int64_t n = dt.size(0), H = dt.size(1), q = z.size(1);
    auto da = at::empty_like(a), dz = at::zeros({a.size(0), q}, z.options());
    const int32_t *p = ints(s.mol), *row = s.row.defined() ? ints(s.row) : nullptr;
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "heads_back", [&] {
      const auto *x = z.data_ptr<scalar_t>(), *w = a.data_ptr<scalar_t>();
      const auto *g = dy.data_ptr<scalar_t>(), *gt = dt.data_ptr<scalar_t>();
      auto *to = dz.data_ptr<scalar_t>(), *ds = da.data_ptr<scalar_t>();
      rows(n, 32 * H * q, [&](int64_t begin, int64_t end) {
        for (int64_t m = begin; m < end; m++)
          for (int64_t k = 0; k < H; k++) {
            const auto *of = g + (k * n + m) * q;
            scalar_t mean = 0;
            for (int64_t v = p[m]; v < p[m + 1]; v++) {
              const scalar_t weight = w[v * H + k], slope = dot(of, x + (row ? row[v] : v) * q, q) + gt[m * H + k];
              axpy(to + v * q, of, weight, q);
              ds[v * H + k] = weight * slope;
              mean += weight * slope;
            }
            for (int64_t v = p[m]; v < p[m + 1]; v++)
              ds[v * H + k] = softmax ? ds[v * H + k] - w[v * H + k] * mean
                                      : ds[v * H + k] * (1 - w[v * H + k]);
          }
      });
    });
    if (!row) return {da, dz, Tensor(), Tensor(), Tensor()};
    const int64_t R = z.size(0);
    return {collect(da, s.row, R), collect(dz, s.row, R), Tensor(), Tensor(), Tensor()};
  }

 private:
  // normalise replaces scores w[v·H] of atoms first..last by their softmax.
  template <class T>
  static void normalise(T *w, int64_t first, int64_t last, int64_t H) {
    T most = w[first * H], sum = 0;
    for (int64_t v = first; v < last; v++) most = std::max(most, w[v * H]);
    for (int64_t v = first; v < last; v++) sum += w[v * H] = std::exp(w[v * H] - most);
    for (int64_t v = first; v < last; v++) w[v * H] /= sum;
  }
};

}  // namespace pacia

// Pooling: one vector of a molecule from those of its atoms, by sum, mean or
// maximum, or weighted by each of several heads.
//
// Legend: A atoms, n molecules, H heads, d and q widths.
#pragma once

#include "pna_reference.hh"
#include "rows.hh"
#include "product/vector.hh"

namespace pacia {

// The forms of pool.
constexpr int64_t kPoolMean = 0, kPoolSum = 1, kPoolMax = 2;

namespace reference {

inline Tensor pool(const Tensor &h, const Tensor &mol, int64_t form) {
  const int64_t n = mol.size(0) - 1;
  auto owner = owners(mol, h.size(0));
  if (form == kPoolMax) return highest(h, owner, n, -std::numeric_limits<double>::infinity());
  auto sum = added(h, owner, n);
  auto atoms = (index(mol).slice(0, 1) - index(mol).slice(0, 0, -1)).unsqueeze(1);
  return form == kPoolSum ? sum : sum / atoms.to(h.scalar_type());
}

}  // namespace reference

// PoolFunction is for the CPU. Atoms whose entries are the largest alike share
// its gradient.
struct PoolFunction : torch::autograd::Function<PoolFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &h, const Tensor &mol, int64_t form) {
    const int64_t n = mol.size(0) - 1, d = h.size(1);
    auto in = h.contiguous(), out = at::zeros({n, d}, h.options());
    const int32_t *p = ints(mol);
    AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "pool", [&] {
      const auto *x = in.data_ptr<scalar_t>();
      auto *y = out.data_ptr<scalar_t>();
      rows(n, 16 * d, [&](int64_t begin, int64_t end) {
        for (int64_t m = begin; m < end; m++) {
          auto *to = y + m * d;
          for (int32_t v = p[m]; v < p[m + 1]; v++) {
            const auto *of = x + v * d;
            if (form != kPoolMax)
              add(to, of, d);
            else if (v == p[m])
              std::copy_n(of, d, to);
            else
              for (int64_t i = 0; i < d; i++) to[i] = of[i] > to[i] || of[i] != of[i] ? of[i] : to[i];
          }
          if (form == kPoolMean)
            for (int64_t i = 0; i < d; i++) to[i] /= static_cast<scalar_t>(p[m + 1] - p[m]);
        }
      });
    });
    ctx->saved_data["form"] = form;
    ctx->saved_data["atoms"] = in.size(0);
    ctx->save_for_backward({mol, form == kPoolMax ? in : Tensor(), form == kPoolMax ? out : Tensor()});
    return out;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    auto dy = grads[0].contiguous();
    const int64_t form = ctx->saved_data["form"].toInt(), d = dy.size(1), n = dy.size(0);
    auto dh = at::empty({ctx->saved_data["atoms"].toInt(), d}, dy.options());
    const int32_t *p = ints(s[0]);
    AT_DISPATCH_FLOATING_TYPES(dy.scalar_type(), "pool_back", [&] {
      const auto *g = dy.data_ptr<scalar_t>();
      const auto *x = form == kPoolMax ? s[1].data_ptr<scalar_t>() : nullptr;
      const auto *most = form == kPoolMax ? s[2].data_ptr<scalar_t>() : nullptr;
      auto *to = dh.data_ptr<scalar_t>();
      rows(n, 16 * d, [&](int64_t begin, int64_t end) {
        std::vector<scalar_t> share(static_cast<size_t>(d));
        for (int64_t m = begin; m < end; m++) {
          const int64_t first = p[m], last = p[m + 1];
          std::fill(share.begin(), share.end(), form == kPoolMean ? scalar_t(last - first) : scalar_t(1));
          if (form == kPoolMax) std::fill(share.begin(), share.end(), scalar_t(0));
          for (int64_t v = first; x && v < last; v++)
            for (int64_t i = 0; i < d; i++) share[i] += x[v * d + i] == most[m * d + i];
          for (int64_t i = 0; i < d; i++) share[i] = g[m * d + i] / share[i];
          for (int64_t v = first; v < last; v++)
            for (int64_t i = 0; i < d; i++)
              to[v * d + i] = !x || x[v * d + i] == most[m * d + i] ? share[i] : scalar_t(0);
        }
      });
    });
    return {dh, Tensor(), Tensor()};
  }
};

// pool is the mean, the sum or the maximum over the atoms of each molecule of
// h [A, d].
inline Tensor pool(const Tensor &h, const Tensor &mol, int64_t form) {
  return on_cpu(h) ? PoolFunction::apply(h, mol, form) : reference::pool(h, mol, form);
}

// HeadsFunction sums the rows z [A, q] of a molecule's atoms, weighted in each
// head by a softmax over these atoms of scores [A, H], or by their sigmoid:
// [H, n, q]; and it returns the sums of the weights [n, H].
struct HeadsFunction : torch::autograd::Function<HeadsFunction> {
  static variable_list forward(AutogradContext *ctx, const Tensor &scores, const Tensor &z,
                               const Tensor &mol, bool softmax) {
    const int64_t n = mol.size(0) - 1, H = scores.size(1), q = z.size(1);
    auto in = z.contiguous(), a = softmax ? scores.clone(at::MemoryFormat::Contiguous) : scores.sigmoid();
    auto sums = at::zeros({H, n, q}, z.options()), total = at::zeros({n, H}, z.options());
    const int32_t *p = ints(mol);
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "heads", [&] {
      const auto *x = in.data_ptr<scalar_t>();
      auto *w = a.data_ptr<scalar_t>(), *y = sums.data_ptr<scalar_t>(), *t = total.data_ptr<scalar_t>();
      rows(n, 16 * H * q, [&](int64_t begin, int64_t end) {
        for (int64_t m = begin; m < end; m++)
          for (int64_t k = 0; k < H; k++) {
            if (softmax) normalise(w + k, p[m], p[m + 1], H);
            for (int32_t v = p[m]; v < p[m + 1]; v++) {
              axpy(y + (k * n + m) * q, x + v * q, w[v * H + k], q);
              t[m * H + k] += w[v * H + k];
            }
          }
      });
    });
    ctx->save_for_backward({a, in, mol});
    ctx->saved_data["softmax"] = softmax;
    return {sums, total};
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    const bool softmax = ctx->saved_data["softmax"].toBool();
    auto a = s[0], z = s[1], dy = grads[0].contiguous(), dt = grads[1].contiguous();
    const int64_t n = dt.size(0), H = dt.size(1), q = z.size(1);
    auto da = at::empty_like(a), dz = at::zeros_like(z);
    const int32_t *p = ints(s[2]);
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
              const scalar_t weight = w[v * H + k], slope = dot(of, x + v * q, q) + gt[m * H + k];
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
    return {da, dz, Tensor(), Tensor()};
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

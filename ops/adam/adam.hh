// Adam and AdamW (Kingma and Ba 2015; Loshchilov and Hutter 2019), with the
// norm of all gradients, clipping, the update and the clearing of the
// gradients in one call:
//
//   g ← g·min(1, c/‖g‖)             clip norm c, over all parameters together
//   g ← g + λθ                      Adam;   AdamW instead: θ ← θ − ηλθ
//   m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²
//   θ ← θ − η·m̂/(√v̂ + ε)
//
// A norm that is not finite changes nothing. adamtable.hh does the same on a GPU.
#pragma once

#include <ATen/core/grad_mode.h>

#include "adam.h"
#include "core/base.hh"

namespace pacia {

template <class T>
struct AdamFactors {
  T clip, beta1, beta2, step, root, eps, decay, shrink;
};

template <class T>
PACIA_INLINE void adam_loop(T *p, T *g, T *m, T *v, int64_t n, const AdamFactors<T> &f) {
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    const T x = p[i] * f.shrink, d = g[i] * f.clip + f.decay * x;
    m[i] = f.beta1 * m[i] + (1 - f.beta1) * d;
    v[i] = f.beta2 * v[i] + (1 - f.beta2) * d * d;
    p[i] = x - f.step * m[i] / (std::sqrt(v[i]) * f.root + f.eps);
    g[i] = 0;
  }
}
PACIA_SIMD void adam_rows(float *p, float *g, float *m, float *v, int64_t n,
                          const AdamFactors<float> &f) {
  adam_loop(p, g, m, v, n, f);
}
PACIA_SIMD void adam_rows(double *p, double *g, double *m, double *v, int64_t n,
                          const AdamFactors<double> &f) {
  adam_loop(p, g, m, v, n, f);
}

template <class T>
PACIA_INLINE double squares_loop(const T *x, int64_t n) {
  double s = 0;
#pragma omp simd reduction(+ : s)
  for (int64_t i = 0; i < n; i++) s += static_cast<double>(x[i]) * x[i];
  return s;
}
PACIA_SIMD double squares(const float *x, int64_t n) { return squares_loop(x, n); }
PACIA_SIMD double squares(const double *x, int64_t n) { return squares_loop(x, n); }

inline double grad_norm(const std::vector<Tensor> &grads) {
  double sum = 0;
  for (auto &g : grads) {
    AT_DISPATCH_FLOATING_TYPES(g.scalar_type(), "grad_norm", [&] {
      // Parts of a fixed size, so that the sum is the same for any number of
      // threads.
      constexpr int64_t part = 65536;
      const int64_t n = g.numel(), parts = (n + part - 1) / part;
      std::vector<double> sums(static_cast<size_t>(parts));
      at::parallel_for(0, parts, 4, [&](int64_t begin, int64_t end) {
        for (int64_t k = begin; k < end; k++)
          sums[k] = squares(g.data_ptr<scalar_t>() + k * part, std::min(part, n - k * part));
      });
      for (double s : sums) sum += s;
    });
  }
  return std::sqrt(sum);
}

inline double adam(const std::vector<Tensor> &params, const std::vector<Tensor> &ms,
                   const std::vector<Tensor> &vs, const pacia_adam_options &o) {
  at::NoGradGuard no_grad;
  std::vector<Tensor> grads;
  for (auto &p : params)
    if (p.grad().defined()) {
      p.mutable_grad() = p.grad().contiguous();
      grads.push_back(p.grad());
    }
  const double norm = grad_norm(grads);
  if (!std::isfinite(norm)) return norm;
  const double t = static_cast<double>(o.step);
  AdamFactors<double> f;
  f.clip = o.clip_norm > 0 ? std::min(1.0, o.clip_norm / (norm + kClipSlack)) : 1;
  f.beta1 = o.beta1, f.beta2 = o.beta2, f.eps = o.eps;
  const double rate = o.lr * rate_share({o.warm, o.steps, o.least}, t);
  f.step = rate / (1 - std::pow(o.beta1, t));
  f.root = 1 / std::sqrt(1 - std::pow(o.beta2, t));
  f.decay = o.decoupled ? 0 : o.weight_decay;
  f.shrink = o.decoupled ? 1 - rate * o.weight_decay : 1;
  for (size_t i = 0; i < params.size(); i++) {
    auto p = params[i].detach(), g = params[i].grad();
    if (!g.defined()) continue;
    AT_DISPATCH_FLOATING_TYPES(p.scalar_type(), "adam", [&] {
      using T = scalar_t;
      const AdamFactors<T> k{T(f.clip), T(f.beta1), T(f.beta2), T(f.step),
                             T(f.root), T(f.eps),   T(f.decay), T(f.shrink)};
      at::parallel_for(0, p.numel(), kGrain, [&](int64_t b, int64_t e) {
        adam_rows(p.data_ptr<T>() + b, g.data_ptr<T>() + b, ms[i].data_ptr<T>() + b,
                  vs[i].data_ptr<T>() + b, e - b, k);
      });
    });
  }
  return norm;
}

}  // namespace pacia

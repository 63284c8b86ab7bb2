// Adam and AdamW (Kingma and Ba 2015; Loshchilov and Hutter 2019). One call computes the norm
// of all gradients, clips and applies them, and then releases them:
//
//   g ← g·min(1, c/‖g‖)             clip norm c, over all parameters together
//   g ← g + λθ                      Adam;   AdamW instead: θ ← θ − ηλθ
//   m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²
//   θ ← θ − η·m̂/(√v̂ + ε)
//
// If the norm is not finite, nothing changes. adamtable.hh does the same on a GPU.
//
// Gradients are released and not set to zero, so that the next backward pass stores its
// gradients and does not add them to zeros. A parameter that had a gradient before, and has
// none now, makes the step with g = 0.
//
// Rows of a lagging matrix, which is one with a sparse gradient, postpone the steps with g = 0
// until they are needed. made [rows] holds the number of steps of each row, and catch_up makes
// the missing ones. Its arithmetic is the same, so that the results equal those of a dense
// gradient.
#pragma once

#include <ATen/core/grad_mode.h>

#include <numeric>

#include "adam.h"
#include "core/base.hh"

// No code here reads errno after the square root of a negative number. The declaration of
// the function has to state this, independently of the options of the file. Otherwise the
// compiler keeps a call that sets errno, and the loop cannot use vectors.
extern "C" float sqrtf(float) noexcept __attribute__((const));
extern "C" double sqrt(double) noexcept __attribute__((const));

namespace pacia {

inline float root_of(float x) { return ::sqrtf(x); }
inline double root_of(double x) { return ::sqrt(x); }

template <class T>
struct AdamFactors {
  T clip, beta1, beta2, step, root, eps, decay, shrink;
};

template <class T>
PACIA_INLINE void adam_loop(T *p, const T *g, T *m, T *v, int64_t n, const AdamFactors<T> &factors) {
  const auto f = factors;  // a copy, which no store can change
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    const T x = p[i] * f.shrink, d = g[i] * f.clip + f.decay * x;
    m[i] = f.beta1 * m[i] + (1 - f.beta1) * d;
    v[i] = f.beta2 * v[i] + (1 - f.beta2) * d * d;
    p[i] = x - f.step * m[i] / (root_of(v[i]) * f.root + f.eps);
  }
}
PACIA_SIMD void adam_rows(float *p, const float *g, float *m, float *v, int64_t n,
                          const AdamFactors<float> &f) {
  adam_loop(p, g, m, v, n, f);
}
PACIA_SIMD void adam_rows(double *p, const double *g, double *m, double *v, int64_t n,
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
  // Parts have a fixed size, so that the sum does not depend on the number of threads.
  constexpr int64_t size = 65536;
  struct Part {
    const Tensor &g;
    int64_t first;
  };
  std::vector<Part> parts;
  for (auto &g : grads)
    for (int64_t first = 0; first < g.numel(); first += size) parts.push_back({g, first});
  std::vector<double> sums(parts.size());
  at::parallel_for(0, static_cast<int64_t>(parts.size()), 4, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; k++) {
      const Part &p = parts[k];
      AT_DISPATCH_FLOATING_TYPES(p.g.scalar_type(), "grad_norm", [&] {
        sums[k] = squares(p.g.data_ptr<scalar_t>() + p.first, std::min(size, p.g.numel() - p.first));
      });
    }
  });
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

// factors_of returns the factors of step t, with gradients multiplied by clip.
inline AdamFactors<double> factors_of(const pacia_adam_options &o, double t, double clip) {
  AdamFactors<double> f;
  f.clip = clip, f.beta1 = o.beta1, f.beta2 = o.beta2, f.eps = o.eps;
  const double rate = o.lr * rate_share({o.warm, o.steps, o.least}, t);
  f.step = rate / (1 - std::pow(o.beta1, t));
  f.root = 1 / std::sqrt(1 - std::pow(o.beta2, t));
  f.decay = o.decoupled ? 0 : o.weight_decay;
  f.shrink = o.decoupled ? 1 - rate * o.weight_decay : 1;
  return f;
}

template <class T>
AdamFactors<T> as(const AdamFactors<double> &f) {
  return {T(f.clip), T(f.beta1), T(f.beta2), T(f.step), T(f.root), T(f.eps), T(f.decay), T(f.shrink)};
}

// Lagging is a matrix [rows, d] with its moments, and made, the number of steps of each row.
struct Lagging {
  Tensor p, m, v, made;
};

// catch_up makes the steps of n rows up to the given step. Null for rows selects all rows. No
// row may occur twice.
inline void catch_up(const Lagging &l, const int64_t *rows, int64_t n, const pacia_adam_options &o,
                     int64_t step) {
  const int64_t d = l.p.numel() / std::max<int64_t>(1, l.p.size(0));
  auto *made = l.made.data_ptr<int64_t>();
  const auto row = [&](int64_t i) { return rows ? rows[i] : i; };
  int64_t least = step;
  for (int64_t i = 0; i < n; i++) least = std::min(least, made[row(i)]);
  if (least == step) return;
  AT_DISPATCH_FLOATING_TYPES(l.p.scalar_type(), "adam_catch_up", [&] {
    std::vector<AdamFactors<scalar_t>> since;
    for (int64_t t = least + 1; t <= step; t++)
      since.push_back(as<scalar_t>(factors_of(o, static_cast<double>(t), 1)));
    auto *p = l.p.data_ptr<scalar_t>(), *m = l.m.data_ptr<scalar_t>(), *v = l.v.data_ptr<scalar_t>();
    at::parallel_for(0, n, std::max<int64_t>(1, kGrain / (d * 8)), [&](int64_t begin, int64_t end) {
      std::vector<scalar_t> still(static_cast<size_t>(d));
      for (int64_t i = begin; i < end; i++) {
        const int64_t r = row(i);
        for (int64_t t = made[r]; t < step; t++)
          adam_rows(p + r * d, still.data(), m + r * d, v + r * d, d, since[t - least]);
        made[r] = step;
      }
    });
  });
}

// adam_lagging makes the step on the rows of a sparse gradient.
inline void adam_lagging(const Lagging &l, const Tensor &grad, const pacia_adam_options &o,
                         const AdamFactors<double> &f) {
  const auto rows = grad.indices()[0].contiguous(), g = grad.values();
  const int64_t n = rows.numel(), d = n ? g.numel() / n : 0;
  const auto *row = rows.data_ptr<int64_t>();
  catch_up(l, row, n, o, o.step - 1);
  auto *made = l.made.data_ptr<int64_t>();
  AT_DISPATCH_FLOATING_TYPES(l.p.scalar_type(), "adam_lagging", [&] {
    const auto k = as<scalar_t>(f);
    at::parallel_for(0, n, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, d)), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) {
        const int64_t at = row[i] * d;
        adam_rows(l.p.data_ptr<scalar_t>() + at, g.data_ptr<scalar_t>() + i * d,
                  l.m.data_ptr<scalar_t>() + at, l.v.data_ptr<scalar_t>() + at, d, k);
        made[row[i]] = o.step;
      }
    });
  });
}

// adam_still makes the step with g = 0.
template <class T>
void adam_still(T *p, T *m, T *v, int64_t n, const AdamFactors<T> &f) {
  static const std::vector<T> still(static_cast<size_t>(kGrain));
  for (int64_t i = 0; i < n; i += kGrain)
    adam_rows(p + i, still.data(), m + i, v + i, std::min(kGrain, n - i), f);
}

// adam makes a step. made has a tensor for each lagging parameter. had records for each other
// parameter whether it ever had a gradient.
inline double adam(const std::vector<Tensor> &params, const std::vector<Tensor> &ms,
                   const std::vector<Tensor> &vs, const std::vector<Tensor> &made, bool *had,
                   const pacia_adam_options &o) {
  at::NoGradGuard no_grad;
  std::vector<Tensor> grads;
  for (size_t i = 0; i < params.size(); i++) {
    auto &g = params[i].mutable_grad();
    if (!g.defined()) continue;
    if (g.is_sparse()) {
      TORCH_CHECK(made[i].defined(), "the gradient of parameter ", i, " is sparse, but its rows do not lag");
      g = g.coalesce();
      grads.push_back(g.values());
    } else {
      g = g.contiguous();
      grads.push_back(g);
    }
  }
  const double norm = grad_norm(grads);
  if (!std::isfinite(norm)) return norm;
  const auto f = factors_of(o, static_cast<double>(o.step),
                            o.clip_norm > 0 ? std::min(1.0, o.clip_norm / (norm + kClipSlack)) : 1);
  for (size_t i = 0; i < params.size(); i++) {
    auto p = params[i].detach(), g = params[i].grad();
    if (!g.defined() && !had[i]) continue;
    if (g.defined() && g.is_sparse()) {
      adam_lagging({p, ms[i], vs[i], made[i]}, g, o, f);
      params[i].mutable_grad() = Tensor();
      continue;
    }
    if (made[i].defined()) {  // a lagging parameter with a dense gradient
      catch_up({p, ms[i], vs[i], made[i]}, nullptr, p.size(0), o, o.step - 1);
      made[i].fill_(o.step);
    }
    AT_DISPATCH_FLOATING_TYPES(p.scalar_type(), "adam", [&] {
      using T = scalar_t;
      const auto k = as<T>(f);
      auto *x = p.data_ptr<T>(), *m = ms[i].data_ptr<T>(), *v = vs[i].data_ptr<T>();
      const T *d = g.defined() ? g.data_ptr<T>() : nullptr;
      at::parallel_for(0, p.numel(), kGrain, [&](int64_t b, int64_t e) {
        if (d)
          adam_rows(x + b, d + b, m + b, v + b, e - b, k);
        else
          adam_still(x + b, m + b, v + b, e - b, k);
      });
    });
    p.unsafeGetTensorImpl()->bump_version();  // for values that are computed from parameters and cached (minimol/infer.cc)
    had[i] = !made[i].defined();  // lagging rows make these steps later
    params[i].mutable_grad() = Tensor();
  }
  return norm;
}

}  // namespace pacia

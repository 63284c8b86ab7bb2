// Grouped batch normalisation with the ReLU and the dropout that follow it:
// every group of rows (a task's support, a task's queries) is normalised by
// its own statistics, and the running averages move as if the groups had
// come one after the other. Forward and backward make one pass each beyond
// the statistics.
//
// Legend: A rows, G groups, d width.
#pragma once

#include "norm_reference.hh"

namespace pacia {

struct Statistics {
  Tensor mean, rstd;  // [G, d] in training, [1, d] with running averages
};

// column_sums adds the n rows of x, each minus shift and squared if squared,
// into sum [d], in double: a group may have a million rows.
template <class T>
PACIA_INLINE void column_sums_loop(const T *x, int64_t n, int64_t d, const double *shift,
                                   double *sum) {
  for (int64_t r = 0; r < n; r++)
#pragma omp simd
    for (int64_t i = 0; i < d; i++) {
      double v = x[r * d + i];
      sum[i] += shift ? (v - shift[i]) * (v - shift[i]) : v;
    }
}
PACIA_SIMD void column_sums(const float *x, int64_t n, int64_t d, const double *shift, double *s) {
  column_sums_loop(x, n, d, shift, s);
}
PACIA_SIMD void column_sums(const double *x, int64_t n, int64_t d, const double *shift, double *s) {
  column_sums_loop(x, n, d, shift, s);
}

// norm_statistics returns the statistics to normalise with, and in training
// moves the running averages mean and var [d] group after group.
inline Statistics norm_statistics(const Tensor &z, const Tensor &group, const Tensor &mean,
                                  const Tensor &var, const NormMode &mode) {
  if (!mode.training)
    return {mean.unsqueeze(0), (var + kNormEps).rsqrt().unsqueeze(0)};
  const int64_t G = group.size(0) - 1, d = z.size(1);
  const int32_t *ptr = ints(group);
  auto options = z.options().dtype(at::kDouble);
  auto m = at::zeros({G, d}, options), v = at::zeros({G, d}, options);
  auto *pm = m.data_ptr<double>(), *pv = v.data_ptr<double>();
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_statistics", [&] {
    const auto *x = z.data_ptr<scalar_t>();
    at::parallel_for(0, G, 1, [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; g++) {
        const int64_t n = ptr[g + 1] - ptr[g];
        if (n == 0) continue;
        column_sums(x + ptr[g] * d, n, d, nullptr, pm + g * d);
        for (int64_t i = 0; i < d; i++) pm[g * d + i] /= static_cast<double>(n);
        column_sums(x + ptr[g] * d, n, d, pm + g * d, pv + g * d);
        for (int64_t i = 0; i < d; i++) pv[g * d + i] /= static_cast<double>(n);
      }
    });
  });
  for (int64_t g = 0; g < G; g++) {
    const double n = ptr[g + 1] - ptr[g];
    if (n == 0) continue;
    mean.mul_(1 - mode.momentum).add_(m[g].to(mean.scalar_type()), mode.momentum);
    var.mul_(1 - mode.momentum)
        .add_(v[g].to(var.scalar_type()), mode.momentum * (n > 1 ? n / (n - 1) : 1));
  }
  return {m.to(z.scalar_type()), (v + kNormEps).rsqrt().to(z.scalar_type())};
}

// Row holds what the two loops below need beside one row's data.
template <class T>
struct NormRow {
  const T *mean, *rstd, *gamma, *beta;
  bool relu, drop;
  uint32_t threshold, low, high;
  T scale;
};

template <class T>
PACIA_INLINE void norm_row_loop(const T *z, T *y, int64_t first, int64_t d, const NormRow<T> &r) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    T v = (z[i] - r.mean[i]) * r.rstd[i] * r.gamma[i] + r.beta[i];
    v = r.relu && v <= 0 ? T(0) : v;
    if (r.drop)
      v = hash(static_cast<uint32_t>(first + i), r.low, r.high) >= r.threshold ? v * r.scale : T(0);
    y[i] = v;
  }
}
PACIA_SIMD void norm_row(const float *z, float *y, int64_t f, int64_t d, const NormRow<float> &r) {
  norm_row_loop(z, y, f, d, r);
}
PACIA_SIMD void norm_row(const double *z, double *y, int64_t f, int64_t d,
                         const NormRow<double> &r) {
  norm_row_loop(z, y, f, d, r);
}

// norm_row_back leaves in g the gradient of the normalised, scaled value and
// adds to the column sums of it and of its product with x̂.
template <class T>
PACIA_INLINE void norm_row_back_loop(const T *dy, const T *z, T *g, double *sum, double *dot,
                                     int64_t first, int64_t d, const NormRow<T> &r) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    T x = (z[i] - r.mean[i]) * r.rstd[i];
    T v = dy[i];
    if (r.drop)
      v = hash(static_cast<uint32_t>(first + i), r.low, r.high) >= r.threshold ? v * r.scale : T(0);
    v = r.relu && x * r.gamma[i] + r.beta[i] <= 0 ? T(0) : v;
    g[i] = v;
    sum[i] += v;
    dot[i] += static_cast<double>(v) * x;
  }
}
PACIA_SIMD void norm_row_back(const float *dy, const float *z, float *g, double *sum, double *dot,
                              int64_t f, int64_t d, const NormRow<float> &r) {
  norm_row_back_loop(dy, z, g, sum, dot, f, d, r);
}
PACIA_SIMD void norm_row_back(const double *dy, const double *z, double *g, double *sum,
                              double *dot, int64_t f, int64_t d, const NormRow<double> &r) {
  norm_row_back_loop(dy, z, g, sum, dot, f, d, r);
}

// norm_rows binds the statistics of group g to the loops above.
template <class T>
NormRow<T> norm_rows(const Statistics &s, int64_t g, const Tensor &gamma, const Tensor &beta,
                     const NormMode &m) {
  const int64_t d = gamma.size(0), at = s.mean.size(0) == 1 ? 0 : g * d;
  return {s.mean.data_ptr<T>() + at, s.rstd.data_ptr<T>() + at, gamma.data_ptr<T>(),
          beta.data_ptr<T>(), m.relu, m.drops(), m.dropout.threshold(), m.dropout.low(),
          m.dropout.high(), static_cast<T>(1 / (1 - m.dropout.p))};
}

inline Tensor norm_forward(const Tensor &z, const Tensor &group, const Statistics &s,
                           const Tensor &gamma, const Tensor &beta, const NormMode &mode) {
  auto y = at::empty_like(z);
  const int64_t G = group.size(0) - 1, d = z.size(1);
  const int32_t *ptr = ints(group);
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_forward", [&] {
    const auto *x = z.data_ptr<scalar_t>();
    auto *to = y.data_ptr<scalar_t>();
    for (int64_t g = 0; g < G; g++) {
      auto row = norm_rows<scalar_t>(s, g, gamma, beta, mode);
      rows(ptr[g + 1] - ptr[g], d, [&](int64_t begin, int64_t end) {
        for (int64_t r = ptr[g] + begin; r < ptr[g] + end; r++)
          norm_row(x + r * d, to + r * d, r * d, d, row);
      });
    }
  });
  return y;
}

struct NormGradients {
  Tensor dz, dgamma, dbeta;
};

// norm_apply turns the gradients g of the scaled values, in place, into those
// of z: dz = γ·rstd·(g − (sum + x̂·dot)/n), the last term in training only.
template <class T>
PACIA_INLINE void norm_apply_loop(const T *z, T *g, const double *sum, const double *dot, double n,
                                  int64_t d, const NormRow<T> &r, bool training) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    T v = g[i];
    if (training) {
      T x = (z[i] - r.mean[i]) * r.rstd[i];
      v -= static_cast<T>((sum[i] + dot[i] * x) / n);
    }
    g[i] = v * r.gamma[i] * r.rstd[i];
  }
}
PACIA_SIMD void norm_apply(const float *z, float *g, const double *sum, const double *dot, double n,
                           int64_t d, const NormRow<float> &r, bool training) {
  norm_apply_loop(z, g, sum, dot, n, d, r, training);
}
PACIA_SIMD void norm_apply(const double *z, double *g, const double *sum, const double *dot,
                           double n, int64_t d, const NormRow<double> &r, bool training) {
  norm_apply_loop(z, g, sum, dot, n, d, r, training);
}

inline NormGradients norm_backward(const Tensor &dy, const Tensor &z, const Tensor &group,
                                   const Statistics &s, const Tensor &gamma, const Tensor &beta,
                                   const NormMode &mode) {
  const int64_t G = group.size(0) - 1, d = z.size(1);
  const int32_t *ptr = ints(group);
  auto dz = at::empty_like(z);
  auto sum = at::zeros({G, d}, z.options().dtype(at::kDouble)), dot = at::zeros_like(sum);
  auto *ps = sum.data_ptr<double>(), *pd = dot.data_ptr<double>();
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_backward", [&] {
    const auto *x = z.data_ptr<scalar_t>();
    const auto *grad = dy.data_ptr<scalar_t>();
    auto *to = dz.data_ptr<scalar_t>();
    at::parallel_for(0, G, 1, [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; g++) {
        auto row = norm_rows<scalar_t>(s, g, gamma, beta, mode);
        for (int64_t r = ptr[g]; r < ptr[g + 1]; r++)
          norm_row_back(grad + r * d, x + r * d, to + r * d, ps + g * d, pd + g * d, r * d, d, row);
        for (int64_t r = ptr[g]; r < ptr[g + 1]; r++)
          norm_apply(x + r * d, to + r * d, ps + g * d, pd + g * d, ptr[g + 1] - ptr[g], d, row,
                     mode.training);
      }
    });
  });
  return {dz, dot.sum(0).to(z.scalar_type()), sum.sum(0).to(z.scalar_type())};
}

}  // namespace pacia

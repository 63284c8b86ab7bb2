// Grouped batch normalisation with the ReLU and the dropout that follow it:
// every group of rows (a task's support, a task's queries) is normalised by
// its own statistics, and the running averages move as if the groups had
// come one after the other. Forward and backward make one pass each beyond
// the statistics.
//
// Legend: A rows, G groups, d width.
#pragma once

#include "launch.hh"
#include "norm_reference.hh"

namespace pacia {

struct Statistics {
  Tensor mean, rstd;  // [G, d] in training, [1, d] with running averages
};

// NormLaunch is what the kernels of cuda/kernels/norm.cu take alike.
struct NormLaunch {
  NormLaunch(const Tensor &group, const Statistics &s, const NormMode &m)
      : G(group.size(0) - 1), d(s.mean.size(1)), stride(s.mean.size(0) == 1 ? 0 : d),
        mask(m.drops() ? m.dropout.mask() : Mask{}), scale(m.drops() ? 1 / (1 - m.dropout.p) : 1) {}

  int64_t G, d, stride;
  Mask mask;
  double scale;
};

// Rows that are summed in their own type before the sum joins one in double: a
// group may have a million rows.
constexpr int64_t kRun = 32;

// Norm is what the loops below need beside the rows: the statistics of a
// group, times γ where they scale, and the dropout.
template <class T>
struct Norm {
  const T *mean, *rstd, *gamma, *beta;
  bool relu, drop;
  uint32_t threshold, low, high;
  T scale;
};

// A loop over rows for each of ReLU or not, dropout or not: the inner loops
// are free of branches, and vectors can go through them.
#define PACIA_NORM_CASES(call, relu, drop) \
  do {                                     \
    if ((relu) && (drop)) call(true, true); \
    if ((relu) && !(drop)) call(true, false); \
    if (!(relu) && (drop)) call(false, true); \
    if (!(relu) && !(drop)) call(false, false); \
  } while (false)

// column_sums adds n ≤ kRun rows of x, each minus shift and squared if there
// is one, to sum [d].
template <class T>
PACIA_INLINE void column_sums_loop(const T *x, int64_t n, int64_t d, const T *shift, T *sum) {
  for (int64_t r = 0; r < n; r++, x += d)
    if (shift) {
#pragma omp simd
      for (int64_t i = 0; i < d; i++) sum[i] += (x[i] - shift[i]) * (x[i] - shift[i]);
    } else {
#pragma omp simd
      for (int64_t i = 0; i < d; i++) sum[i] += x[i];
    }
}
PACIA_SIMD void column_sums(const float *x, int64_t n, int64_t d, const float *shift, float *s) {
  column_sums_loop(x, n, d, shift, s);
}
PACIA_SIMD void column_sums(const double *x, int64_t n, int64_t d, const double *shift, double *s) {
  column_sums_loop(x, n, d, shift, s);
}

// group_means returns the means over a group's n rows, of their values or of
// their squared distances from shift.
template <class T>
void group_means(const T *x, int64_t n, int64_t d, const T *shift, double *mean) {
  std::vector<T> part(static_cast<size_t>(d));
  std::fill_n(mean, d, 0.0);
  for (int64_t r = 0; r < n; r += kRun) {
    std::fill(part.begin(), part.end(), T(0));
    column_sums(x + r * d, std::min(kRun, n - r), d, shift, part.data());
    for (int64_t i = 0; i < d; i++) mean[i] += part[i];
  }
  for (int64_t i = 0; i < d; i++) mean[i] /= static_cast<double>(n);
}

inline Statistics norm_statistics_kernels(const Tensor &z, const Tensor &group, const Tensor &mean,
                                          const Tensor &var, const NormMode &mode) {
  const int64_t G = group.size(0) - 1, d = z.size(1);
  Statistics s{at::empty({G, d}, z.options()), at::empty({G, d}, z.options())};
  auto variance = at::empty({G, d}, z.options().dtype(at::kDouble));
  PACIA_LAUNCH(norm_statistics, z, column_blocks(d, G), z, group, s.mean, s.rstd, variance, d,
               kNormEps);
  PACIA_LAUNCH(norm_running, z, blocks(d), group, s.mean, variance, mean, var, G, d, mode.momentum);
  return s;
}

// norm_statistics returns the statistics to normalise with, and in training
// moves the running averages mean and var [d] group after group.
inline Statistics norm_statistics(const Tensor &z, const Tensor &group, const Tensor &mean,
                                  const Tensor &var, const NormMode &mode) {
  if (!mode.training)
    return {mean.unsqueeze(0), (var + kNormEps).rsqrt().unsqueeze(0)};
  if (!on_cpu(z)) return norm_statistics_kernels(z, group, mean, var, mode);
  const int64_t G = group.size(0) - 1, d = z.size(1);
  const int32_t *ptr = ints(group);
  Statistics s{at::zeros({G, d}, z.options()), at::zeros({G, d}, z.options())};
  std::vector<double> v(static_cast<size_t>(G * d));
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_statistics", [&] {
    const auto *x = z.data_ptr<scalar_t>();
    auto *to_mean = s.mean.data_ptr<scalar_t>(), *to_rstd = s.rstd.data_ptr<scalar_t>();
    at::parallel_for(0, G, 1, [&](int64_t begin, int64_t end) {
      std::vector<double> m(static_cast<size_t>(d));
      for (int64_t g = begin; g < end; g++) {
        const int64_t n = ptr[g + 1] - ptr[g];
        if (n == 0) continue;
        group_means(x + ptr[g] * d, n, d, static_cast<const scalar_t *>(nullptr), m.data());
        std::copy(m.begin(), m.end(), to_mean + g * d);
        group_means(x + ptr[g] * d, n, d, to_mean + g * d, v.data() + g * d);
        for (int64_t i = g * d; i < (g + 1) * d; i++)
          to_rstd[i] = static_cast<scalar_t>(1 / std::sqrt(v[i] + kNormEps));
      }
    });
    auto *average = mean.data_ptr<scalar_t>(), *spread = var.data_ptr<scalar_t>();
    for (int64_t g = 0; g < G; g++) {
      const double n = ptr[g + 1] - ptr[g], a = mode.momentum, unbiased = n > 1 ? n / (n - 1) : 1;
      if (n == 0) continue;
      for (int64_t i = 0; i < d; i++) {
        average[i] = static_cast<scalar_t>((1 - a) * average[i] + a * to_mean[g * d + i]);
        spread[i] = static_cast<scalar_t>((1 - a) * spread[i] + a * unbiased * v[g * d + i]);
      }
    }
  });
  return s;
}

// norm_rows_loop normalises n rows; first is the number of their first entry,
// which the dropout goes by.
template <bool relu, bool drop, class T>
PACIA_INLINE void norm_rows_loop(const T *z, T *y, int64_t n, int64_t first, int64_t d,
                                 const Norm<T> &norm) {
  const Norm<T> c = norm;
  for (int64_t r = 0; r < n; r++, z += d, y += d, first += d)
#pragma omp simd
    for (int64_t i = 0; i < d; i++) {
      T v = (z[i] - c.mean[i]) * c.rstd[i] * c.gamma[i] + c.beta[i];
      if (relu) v = v <= 0 ? T(0) : v;
      if (drop) {
        const bool kept = hash(static_cast<uint32_t>(first + i), c.low, c.high) >= c.threshold;
        v = kept ? v * c.scale : T(0);
      }
      y[i] = v;
    }
}
#define PACIA_ROWS(relu, drop) norm_rows_loop<relu, drop>(z, y, n, first, d, c)
PACIA_SIMD void norm_rows(const float *z, float *y, int64_t n, int64_t first, int64_t d,
                          const Norm<float> &c) {
  PACIA_NORM_CASES(PACIA_ROWS, c.relu, c.drop);
}
PACIA_SIMD void norm_rows(const double *z, double *y, int64_t n, int64_t first, int64_t d,
                          const Norm<double> &c) {
  PACIA_NORM_CASES(PACIA_ROWS, c.relu, c.drop);
}
#undef PACIA_ROWS

// norm_back_loop leaves in g, for n ≤ kRun rows, the gradient of the
// normalised, scaled value, and adds to the column sums of it and of its
// product with x̂.
template <bool relu, bool drop, class T>
PACIA_INLINE void norm_back_loop(const T *dy, const T *z, T *g, T *sum, T *dot, int64_t n,
                                 int64_t first, int64_t d, const Norm<T> &norm) {
  const Norm<T> c = norm;
  for (int64_t r = 0; r < n; r++, dy += d, z += d, g += d, first += d)
#pragma omp simd
    for (int64_t i = 0; i < d; i++) {
      const T x = (z[i] - c.mean[i]) * c.rstd[i];
      T v = dy[i];
      if (drop) {
        const bool kept = hash(static_cast<uint32_t>(first + i), c.low, c.high) >= c.threshold;
        v = kept ? v * c.scale : T(0);
      }
      if (relu) v = x * c.gamma[i] + c.beta[i] <= 0 ? T(0) : v;
      g[i] = v;
      sum[i] += v;
      dot[i] += v * x;
    }
}
#define PACIA_BACK(relu, drop) norm_back_loop<relu, drop>(dy, z, g, sum, dot, n, first, d, c)
PACIA_SIMD void norm_back(const float *dy, const float *z, float *g, float *sum, float *dot,
                          int64_t n, int64_t first, int64_t d, const Norm<float> &c) {
  PACIA_NORM_CASES(PACIA_BACK, c.relu, c.drop);
}
PACIA_SIMD void norm_back(const double *dy, const double *z, double *g, double *sum, double *dot,
                          int64_t n, int64_t first, int64_t d, const Norm<double> &c) {
  PACIA_NORM_CASES(PACIA_BACK, c.relu, c.drop);
}
#undef PACIA_BACK

// norm_of binds the statistics of group g to the loops above.
template <class T>
Norm<T> norm_of(const Statistics &s, int64_t g, const Tensor &gamma, const Tensor &beta,
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
  if (!on_cpu(z)) {
    const NormLaunch l(group, s, mode);
    PACIA_LAUNCH(norm_forward, z, row_blocks(z.size(0), d), z, group, s.mean, s.rstd, gamma, beta, y,
                 G, d, l.stride, mode.relu, l.mask, l.scale);
    return y;
  }
  const int32_t *ptr = ints(group);
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_forward", [&] {
    const auto *x = z.data_ptr<scalar_t>();
    auto *to = y.data_ptr<scalar_t>();
    rows(z.size(0), d, [&](int64_t begin, int64_t end) {
      for (int64_t g = 0; g < G; g++) {
        const int64_t first = std::max<int64_t>(begin, ptr[g]), last = std::min<int64_t>(end, ptr[g + 1]);
        if (first < last)
          norm_rows(x + first * d, to + first * d, last - first, first * d, d,
                    norm_of<scalar_t>(s, g, gamma, beta, mode));
      }
    });
  });
  return y;
}

struct NormGradients {
  Tensor dz, dgamma, dbeta;
};

// norm_apply turns the gradients g of n rows of scaled values, in place, into
// those of z: dz = γ·rstd·(g − sum/n − x̂·dot/n), the last terms, given as
// sum and dot, in training only.
template <class T>
PACIA_INLINE void norm_apply_loop(const T *z, T *g, const T *sum, const T *dot, int64_t n,
                                  int64_t d, const Norm<T> &norm) {
  const Norm<T> c = norm;
  for (int64_t r = 0; r < n; r++, z += d, g += d)
#pragma omp simd
    for (int64_t i = 0; i < d; i++) {
      const T x = (z[i] - c.mean[i]) * c.rstd[i];
      g[i] = (g[i] - (sum[i] + dot[i] * x)) * c.gamma[i] * c.rstd[i];
    }
}
PACIA_SIMD void norm_apply(const float *z, float *g, const float *sum, const float *dot, int64_t n,
                           int64_t d, const Norm<float> &c) {
  norm_apply_loop(z, g, sum, dot, n, d, c);
}
PACIA_SIMD void norm_apply(const double *z, double *g, const double *sum, const double *dot,
                           int64_t n, int64_t d, const Norm<double> &c) {
  norm_apply_loop(z, g, sum, dot, n, d, c);
}

// group_back is the backward pass of one group of n rows, from row first on;
// sum and dot [d] get the gradients of β and γ.
template <class T>
void group_back(const T *dy, const T *z, T *dz, int64_t n, int64_t first, int64_t d,
                const Norm<T> &c, bool training, double *sum, double *dot) {
  std::vector<T> part(static_cast<size_t>(2 * d));
  for (int64_t r = 0; r < n; r += kRun) {
    const int64_t at = (first + r) * d;
    std::fill(part.begin(), part.end(), T(0));
    norm_back(dy + at, z + at, dz + at, part.data(), part.data() + d, std::min(kRun, n - r), at, d, c);
    for (int64_t i = 0; i < d; i++) sum[i] += part[i], dot[i] += part[d + i];
  }
  const double share = training ? 1 / static_cast<double>(n) : 0;
  for (int64_t i = 0; i < d; i++) {
    part[i] = static_cast<T>(sum[i] * share);
    part[d + i] = static_cast<T>(dot[i] * share);
  }
  norm_apply(z + first * d, dz + first * d, part.data(), part.data() + d, n, d, c);
}

inline NormGradients norm_backward(const Tensor &dy, const Tensor &z, const Tensor &group,
                                   const Statistics &s, const Tensor &gamma, const Tensor &beta,
                                   const NormMode &mode) {
  const int64_t G = group.size(0) - 1, d = z.size(1);
  auto dz = at::empty_like(z);
  if (!on_cpu(z)) {
    const NormLaunch l(group, s, mode);
    auto sum = at::empty({G, d}, z.options().dtype(at::kDouble)), dot = at::empty_like(sum);
    auto dgamma = at::empty({d}, z.options()), dbeta = at::empty({d}, z.options());
    PACIA_LAUNCH(norm_back_sums, z, column_blocks(d, G), dy, z, group, s.mean, s.rstd, gamma, beta,
                 sum, dot, d, l.stride, mode.relu, l.mask, l.scale);
    PACIA_LAUNCH(norm_back, z, row_blocks(z.size(0), d), dy, z, group, s.mean, s.rstd, gamma, beta,
                 sum, dot, dz, G, d, l.stride, mode.relu, mode.training, l.mask, l.scale);
    PACIA_LAUNCH(norm_back_groups, z, blocks(d), sum, dot, G, d, dgamma, dbeta);
    return {dz, dgamma, dbeta};
  }
  auto sum = at::zeros({G, d}, z.options().dtype(at::kDouble)), dot = at::zeros_like(sum);
  const int32_t *ptr = ints(group);
  auto *ps = sum.data_ptr<double>(), *pd = dot.data_ptr<double>();
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_backward", [&] {
    at::parallel_for(0, G, 1, [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; g++)
        if (ptr[g + 1] > ptr[g])
          group_back(dy.data_ptr<scalar_t>(), z.data_ptr<scalar_t>(), dz.data_ptr<scalar_t>(),
                     ptr[g + 1] - ptr[g], ptr[g], d, norm_of<scalar_t>(s, g, gamma, beta, mode),
                     mode.training, ps + g * d, pd + g * d);
    });
  });
  return {dz, dot.sum(0).to(z.scalar_type()), sum.sum(0).to(z.scalar_type())};
}

#undef PACIA_NORM_CASES

}  // namespace pacia

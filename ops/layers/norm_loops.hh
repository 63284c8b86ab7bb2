// The loops of a grouped batch norm over the rows of a group; see norm.hh.
//
// Legend: n rows of a group, d width.
#pragma once

#include "core/base.hh"

namespace pacia {

// The number of rows that are summed in their own type before their sum is added to a sum in
// double. A group may have a million rows.
constexpr int64_t kRun = 32;

// Norm has the inputs of the loops below besides the rows: the statistics of a group, γ and β,
// and the dropout.
template <class T>
struct Norm {
  const T *mean, *rstd, *gamma, *beta;
  bool relu, drop;
  uint32_t threshold, low, high;
  T scale;
  const int32_t *like;  // null if each row has its own mask

  // entry is the number of the first entry of a row, which selects its mask.
  int64_t entry(int64_t row, int64_t d) const { return (like ? like[row] : row) * d; }
};

// A loop over rows for each combination of ReLU and dropout. The inner loops therefore have no
// branches and are vectorised.
#define PACIA_NORM_CASES(call, relu, drop) \
  do {                                     \
    if ((relu) && (drop)) call(true, true); \
    if ((relu) && !(drop)) call(true, false); \
    if (!(relu) && (drop)) call(false, true); \
    if (!(relu) && !(drop)) call(false, false); \
  } while (false)

// column_sums adds n ≤ kRun rows of x to sum [d] or, if shift is given, their squared distances
// from shift.
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

// group_means returns the means over a group's n rows: of their values, or of their squared
// distances from shift.
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

// norm_rows_loop normalises n rows; the number of the first row is row.
template <bool relu, bool drop, class T>
PACIA_INLINE void norm_rows_loop(const T *z, T *y, int64_t n, int64_t row, int64_t d,
                                 const Norm<T> &norm) {
  const Norm<T> c = norm;
  for (int64_t r = 0; r < n; r++, z += d, y += d) {
    const int64_t first = drop ? c.entry(row + r, d) : 0;
#pragma omp simd
    for (int64_t i = 0; i < d; i++) {
      T v = (z[i] - c.mean[i]) * c.rstd[i] * c.gamma[i] + c.beta[i];
      if (relu) v = v <= 0 ? T(0) : v;
      if (drop) {
        const bool kept = mask_hash(static_cast<uint32_t>(first + i), c.low, c.high) >= c.threshold;
        v = kept ? v * c.scale : T(0);
      }
      y[i] = v;
    }
  }
}
#define PACIA_ROWS(relu, drop) norm_rows_loop<relu, drop>(z, y, n, row, d, c)
PACIA_SIMD void norm_rows(const float *z, float *y, int64_t n, int64_t row, int64_t d,
                          const Norm<float> &c) {
  PACIA_NORM_CASES(PACIA_ROWS, c.relu, c.drop);
}
PACIA_SIMD void norm_rows(const double *z, double *y, int64_t n, int64_t row, int64_t d,
                          const Norm<double> &c) {
  PACIA_NORM_CASES(PACIA_ROWS, c.relu, c.drop);
}
#undef PACIA_ROWS

// norm_back_loop writes to g, for n ≤ kRun rows, the gradient of the normalised and scaled
// value. It adds this gradient, and its product with x̂, to the column sums.
template <bool relu, bool drop, class T>
PACIA_INLINE void norm_back_loop(const T *dy, const T *z, T *g, T *sum, T *dot, int64_t n,
                                 int64_t row, int64_t d, const Norm<T> &norm) {
  const Norm<T> c = norm;
  for (int64_t r = 0; r < n; r++, dy += d, z += d, g += d) {
    const int64_t first = drop ? c.entry(row + r, d) : 0;
#pragma omp simd
    for (int64_t i = 0; i < d; i++) {
      const T x = (z[i] - c.mean[i]) * c.rstd[i];
      T v = dy[i];
      if (drop) {
        const bool kept = mask_hash(static_cast<uint32_t>(first + i), c.low, c.high) >= c.threshold;
        v = kept ? v * c.scale : T(0);
      }
      if (relu) v = x * c.gamma[i] + c.beta[i] <= 0 ? T(0) : v;
      g[i] = v;
      sum[i] += v;
      dot[i] += v * x;
    }
  }
}
#define PACIA_BACK(relu, drop) norm_back_loop<relu, drop>(dy, z, g, sum, dot, n, row, d, c)
PACIA_SIMD void norm_back(const float *dy, const float *z, float *g, float *sum, float *dot,
                          int64_t n, int64_t row, int64_t d, const Norm<float> &c) {
  PACIA_NORM_CASES(PACIA_BACK, c.relu, c.drop);
}
PACIA_SIMD void norm_back(const double *dy, const double *z, double *g, double *sum, double *dot,
                          int64_t n, int64_t row, int64_t d, const Norm<double> &c) {
  PACIA_NORM_CASES(PACIA_BACK, c.relu, c.drop);
}
#undef PACIA_BACK

// norm_apply converts the gradients g of n rows of scaled values, in place, to those of z:
// dz = γ·rstd·(g − sum/n − x̂·dot/n). The last terms, which are passed as sum and dot, only
// occur in training.
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

// group_back is the backward pass of one group of n rows, from row first on. sum and dot [d]
// get the gradients of β and γ.
template <class T>
void group_back(const T *dy, const T *z, T *dz, int64_t n, int64_t first, int64_t d,
                const Norm<T> &c, bool training, double *sum, double *dot) {
  std::vector<T> part(static_cast<size_t>(2 * d));
  for (int64_t r = 0; r < n; r += kRun) {
    const int64_t at = (first + r) * d;
    std::fill(part.begin(), part.end(), T(0));
    norm_back(dy + at, z + at, dz + at, part.data(), part.data() + d, std::min(kRun, n - r),
              first + r, d, c);
    for (int64_t i = 0; i < d; i++) sum[i] += part[i], dot[i] += part[d + i];
  }
  const double share = training ? 1 / static_cast<double>(n) : 0;
  for (int64_t i = 0; i < d; i++) {
    part[i] = static_cast<T>(sum[i] * share);
    part[d + i] = static_cast<T>(dot[i] * share);
  }
  norm_apply(z + first * d, dz + first * d, part.data(), part.data() + d, n, d, c);
}

#undef PACIA_NORM_CASES

}  // namespace pacia

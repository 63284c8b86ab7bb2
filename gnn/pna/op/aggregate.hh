// The four aggregates of an atom's messages in one tower, and their backward pass; block.hh has
// the equations. A message is the ReLU of the sum of two rows, which exist once for each atom
// and not for each bond: W [h_u | h_v] + b is the sum of a product for the bond's source and
// one for its target.
//
// Legend: n bonds into the atom, p width of an aggregate.
#pragma once

#include "block.hh"

namespace pacia {

// NaN stays NaN.
template <class T>
PACIA_INLINE T message(T source, T target) {
  const T v = source + target;
  return v < 0 ? T(0) : v;
}

// aggregate writes x = [sum | mean | std | max] of the messages of n sources s and targets t,
// which have 3p numbers each.
template <class T>
PACIA_INLINE void aggregate_loop(const T *const *s, const T *const *t, int64_t n, int64_t p, T *x) {
  T *sum = x, *mean = x + p, *deviation = x + 2 * p, *most = x + 3 * p;
  std::fill_n(x, 4 * p, T(0));
  for (int64_t k = 0; k < n; k++) {
    const T *a = s[k], *b = t[k];
#pragma omp simd
    for (int64_t i = 0; i < p; i++) sum[i] += message(a[i], b[i]);
#pragma omp simd
    for (int64_t i = 0; i < p; i++) mean[i] += message(a[p + i], b[p + i]);
#pragma omp simd
    for (int64_t i = 0; i < p; i++) {
      const T m = message(a[2 * p + i], b[2 * p + i]);
      most[i] = m > most[i] ? m : most[i];
    }
  }
  const T count = static_cast<T>(std::max<int64_t>(n, 1));
  for (int64_t i = 0; i < p; i++) mean[i] /= count;
  for (int64_t k = 0; k < n; k++) {
    const T *a = s[k] + p, *b = t[k] + p;
#pragma omp simd
    for (int64_t i = 0; i < p; i++) {
      const T m = message(a[i], b[i]), q = (m - mean[i]) * (m + mean[i]);
      deviation[i] += (q < 0 ? T(0) : q) + T(kPnaEps);
    }
  }
  for (int64_t i = 0; i < p; i++) deviation[i] = std::sqrt(deviation[i]);
}
PACIA_SIMD void aggregate(const float *const *s, const float *const *t, int64_t n, int64_t p,
                          float *x) {
  aggregate_loop(s, t, n, p, x);
}
PACIA_SIMD void aggregate(const double *const *s, const double *const *t, int64_t n, int64_t p,
                          double *x) {
  aggregate_loop(s, t, n, p, x);
}

// aggregate_back adds the gradients of the messages, from the gradient g [4p] of x, to those of
// their sources and targets. Messages with the same maximum share its gradient. own is scratch
// memory [4p] of the caller.
template <class T>
PACIA_INLINE void aggregate_back_loop(const T *const *s, const T *const *t, int64_t n, int64_t p,
                                      const T *x, const T *g, T *const *ds, T *const *dt, T *own) {
  const T *mean = x + p, *deviation = x + 2 * p, *most = x + 3 * p;
  T *of_mean = own, *of_square = own + p, *share = own + 2 * p, *above = own + 3 * p;
  std::fill_n(share, 2 * p, T(0));
  for (int64_t k = 0; k < n; k++) {
    const T *a = s[k] + p, *b = t[k] + p;
#pragma omp simd
    for (int64_t i = 0; i < p; i++) {
      const T m = message(a[i], b[i]);
      above[i] += (m - mean[i]) * (m + mean[i]) > 0 ? T(1) : T(0);
      share[i] += message(a[p + i], b[p + i]) == most[i] ? T(1) : T(0);
    }
  }
  const T part = T(1) / static_cast<T>(n);
#pragma omp simd
  for (int64_t i = 0; i < p; i++) {
    of_square[i] = g[2 * p + i] / (2 * deviation[i]);
    of_mean[i] = (g[p + i] - 2 * mean[i] * of_square[i] * above[i]) * part;
    share[i] = g[3 * p + i] / share[i];
  }
  for (int64_t k = 0; k < n; k++) {
    const T *a = s[k], *b = t[k];
    T *da = ds[k], *db = dt[k];
#pragma omp simd
    for (int64_t i = 0; i < p; i++) {
      const T d = a[i] + b[i] > 0 ? g[i] : T(0);
      da[i] += d;
      db[i] += d;
    }
#pragma omp simd
    for (int64_t i = 0; i < p; i++) {
      const T m = message(a[p + i], b[p + i]);
      const T q = (m - mean[i]) * (m + mean[i]) > 0 ? 2 * m * of_square[i] : T(0);
      const T d = m > 0 ? of_mean[i] + q : T(0);
      da[p + i] += d;
      db[p + i] += d;
    }
#pragma omp simd
    for (int64_t i = 0; i < p; i++) {
      const T m = message(a[2 * p + i], b[2 * p + i]);
      const T d = m > 0 && m == most[i] ? share[i] : T(0);
      da[2 * p + i] += d;
      db[2 * p + i] += d;
    }
  }
}
PACIA_SIMD void aggregate_back(const float *const *s, const float *const *t, int64_t n, int64_t p,
                               const float *x, const float *g, float *const *ds, float *const *dt,
                               float *own) {
  aggregate_back_loop(s, t, n, p, x, g, ds, dt, own);
}
PACIA_SIMD void aggregate_back(const double *const *s, const double *const *t, int64_t n, int64_t p,
                               const double *x, const double *g, double *const *ds,
                               double *const *dt, double *own) {
  aggregate_back_loop(s, t, n, p, x, g, ds, dt, own);
}

}  // namespace pacia

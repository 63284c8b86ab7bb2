// Operations on rows of d numbers: x·y, and sums of rows and of weighted rows.
#pragma once

#include "core/simd.hh"

#include <cstdint>

namespace pacia {

// add computes y += x.
void add(float *y, const float *x, int64_t d);
void add(double *y, const double *x, int64_t d);

// sum_of writes the sum of n rows [d] to y; with relu, it sets negative entries to 0.
void sum_of(const float *const *rows, int64_t n, int64_t d, bool relu, float *y);

// axpy computes y += a·x.
void axpy(float *y, const float *x, float a, int64_t d);
void axpy(double *y, const double *x, double a, int64_t d);

// Lanes is a vector of a given number of bytes. A loop uses it if the compiler would not find
// enough independent sums to use the processor fully.
template <class T, int bytes>
struct Lanes {
  static constexpr int64_t n = bytes / sizeof(T);
  typedef T type __attribute__((vector_size(bytes), aligned(alignof(T)), may_alias));
};

// total returns the sum of a vector's numbers. It adds one half to the other, so that few
// additions depend on each other.
template <class T, int bytes>
PACIA_INLINE T total(const typename Lanes<T, bytes>::type &v) {
  constexpr int64_t n = Lanes<T, bytes>::n;
  typedef typename Lanes<T, bytes / 2>::type Half;
  const T *x = reinterpret_cast<const T *>(&v);
  const Half s = *reinterpret_cast<const Half *>(x) + *reinterpret_cast<const Half *>(x + n / 2);
  if constexpr (bytes > 32) return total<T, bytes / 2>(s);
  else if constexpr (n == 4) return s[0] + s[1];
  else return (s[0] + s[2]) + (s[1] + s[3]);
}

// dot_loop is dot inside a function that is itself compiled for several register widths.
template <int bytes, class T>
PACIA_INLINE T dot_loop(const T *x, const T *y, int64_t d) {
  typedef typename Lanes<T, bytes>::type V;
  constexpr int64_t n = Lanes<T, bytes>::n;
  V a = {}, b = {};
  int64_t i = 0;
  for (; i + 2 * n <= d; i += 2 * n) {
    a += *reinterpret_cast<const V *>(x + i) * *reinterpret_cast<const V *>(y + i);
    b += *reinterpret_cast<const V *>(x + i + n) * *reinterpret_cast<const V *>(y + i + n);
  }
  T s = total<T, bytes>(a + b);
  for (; i < d; i++) s += x[i] * y[i];
  return s;
}

// some_dots is dots for R rows: y is read once, and the sums are independent.
template <int bytes, int R, class T>
PACIA_INLINE void some_dots(const T *const *rows, const T *y, int64_t d, T *out) {
  typedef typename Lanes<T, bytes>::type V;
  constexpr int64_t m = Lanes<T, bytes>::n;
  V a[R] = {};
  int64_t i = 0;
  for (; i + m <= d; i += m) {
    const V v = *reinterpret_cast<const V *>(y + i);
#pragma GCC unroll 4
    for (int r = 0; r < R; r++) a[r] += v * *reinterpret_cast<const V *>(rows[r] + i);
  }
#pragma GCC unroll 4
  for (int r = 0; r < R; r++) {
    out[r] = total<T, bytes>(a[r]);
    for (int64_t k = i; k < d; k++) out[r] += y[k] * rows[r][k];
  }
}

// dot returns x·y.
float dot(const float *x, const float *y, int64_t d);
double dot(const double *x, const double *y, int64_t d);

// dots writes x_k·y to out [n], for the rows x_k [d] that rows points to.
void dots(const float *const *rows, int64_t n, const float *y, int64_t d, float *out);
void dots(const double *const *rows, int64_t n, const double *y, int64_t d, double *out);

// weighted_fours computes Σ_k b_k x_r, with r = rows[k], for each of the four columns of b
// [n, 4]. y points to the four results [d]; x is read once.
void weighted_fours(const float *x, const int32_t *rows, const float *b, int64_t n, int64_t d, float *const *y);
void weighted_fours(const double *x, const int32_t *rows, const double *b, int64_t n, int64_t d, double *const *y);

}  // namespace pacia

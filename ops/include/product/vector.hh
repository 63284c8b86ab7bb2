// Rows of d numbers: x·y, and sums of rows and of weighted rows.
#pragma once

#include "core/simd.hh"

#include <cstdint>

namespace pacia {

// add is y += x.
void add(float *y, const float *x, int64_t d);
void add(double *y, const double *x, int64_t d);

// axpy is y += a·x.
void axpy(float *y, const float *x, float a, int64_t d);
void axpy(double *y, const double *x, double a, int64_t d);

// Lanes is a vector of 32 bytes, which a loop names where the compiler would
// not find enough independent sums to keep the processor busy.
template <class T>
struct Lanes {
  static constexpr int64_t n = 32 / sizeof(T);
  typedef T type __attribute__((vector_size(32), aligned(alignof(T)), may_alias));
};

// dot_loop is dot inside of a loop that is compiled for several generations of
// processors itself.
template <class T>
PACIA_INLINE T dot_loop(const T *x, const T *y, int64_t d) {
  typedef typename Lanes<T>::type V;
  constexpr int64_t n = Lanes<T>::n;
  V a = {}, b = {}, c = {}, e = {};
  int64_t i = 0;
  for (; i + 4 * n <= d; i += 4 * n) {
    a += *reinterpret_cast<const V *>(x + i) * *reinterpret_cast<const V *>(y + i);
    b += *reinterpret_cast<const V *>(x + i + n) * *reinterpret_cast<const V *>(y + i + n);
    c += *reinterpret_cast<const V *>(x + i + 2 * n) * *reinterpret_cast<const V *>(y + i + 2 * n);
    e += *reinterpret_cast<const V *>(x + i + 3 * n) * *reinterpret_cast<const V *>(y + i + 3 * n);
  }
  a = (a + b) + (c + e);
  T s = 0;
  for (int64_t k = 0; k < n; k++) s += a[k];
  for (; i < d; i++) s += x[i] * y[i];
  return s;
}
// dot is x·y.
float dot(const float *x, const float *y, int64_t d);
double dot(const double *x, const double *y, int64_t d);

// weighted_rows is y = Σ_k a_k b_k x_k over the n rows of x [n, d].
void weighted_rows(const float *x, const float *a, const float *b, int64_t n, int64_t d, float *y);
void weighted_rows(const double *x, const double *a, const double *b, int64_t n, int64_t d,
                   double *y);

}  // namespace pacia

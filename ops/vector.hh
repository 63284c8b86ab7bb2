// Rows of numbers: y += a·x and x·y.
#pragma once

#include "base.hh"

namespace pacia {

template <class T>
PACIA_INLINE void axpy_loop(T *y, const T *x, T a, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) y[i] += a * x[i];
}
PACIA_SIMD void axpy(float *y, const float *x, float a, int64_t d) { axpy_loop(y, x, a, d); }
PACIA_SIMD void axpy(double *y, const double *x, double a, int64_t d) { axpy_loop(y, x, a, d); }

template <class T>
PACIA_INLINE T dot_loop(const T *x, const T *y, int64_t d) {
  T s = 0;
#pragma omp simd reduction(+ : s)
  for (int64_t i = 0; i < d; i++) s += x[i] * y[i];
  return s;
}
PACIA_SIMD float dot(const float *x, const float *y, int64_t d) { return dot_loop(x, y, d); }
PACIA_SIMD double dot(const double *x, const double *y, int64_t d) { return dot_loop(x, y, d); }

}  // namespace pacia

#include "core/libtorch.hh"

#include "product/vector.hh"

#include <algorithm>

namespace pacia {

template <class T>
PACIA_INLINE void add_loop(T *y, const T *x, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) y[i] += x[i];
}
PACIA_SIMD void add(float *y, const float *x, int64_t d) { add_loop(y, x, d); }
PACIA_SIMD void add(double *y, const double *x, int64_t d) { add_loop(y, x, d); }

template <class T>
PACIA_INLINE void axpy_loop(T *y, const T *x, T a, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) y[i] += a * x[i];
}
PACIA_SIMD void axpy(float *y, const float *x, float a, int64_t d) { axpy_loop(y, x, a, d); }
PACIA_SIMD void axpy(double *y, const double *x, double a, int64_t d) { axpy_loop(y, x, a, d); }

PACIA_SIMD float dot(const float *x, const float *y, int64_t d) { return dot_loop(x, y, d); }
PACIA_SIMD double dot(const double *x, const double *y, int64_t d) { return dot_loop(x, y, d); }

template <class T>
PACIA_INLINE void weighted_rows_loop(const T *x, const T *a, const T *b, int64_t n, int64_t d, T *y) {
  typedef typename Lanes<T>::type V;
  constexpr int64_t m = Lanes<T>::n, wide = 8 * m;
  int64_t first = 0;
  for (; first + wide <= d; first += wide) {
    V s[8] = {};
    for (int64_t k = 0; k < n; k++) {
      const T weight = a[k] * b[k];
      const T *row = x + k * d + first;
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) s[i] += weight * *reinterpret_cast<const V *>(row + i * m);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) *reinterpret_cast<V *>(y + first + i * m) = s[i];
  }
  std::fill(y + first, y + d, T(0));
  for (int64_t k = 0; first < d && k < n; k++)
    for (int64_t i = first; i < d; i++) y[i] += a[k] * b[k] * x[k * d + i];
}
PACIA_SIMD void weighted_rows(const float *x, const float *a, const float *b, int64_t n, int64_t d,
                              float *y) {
  weighted_rows_loop(x, a, b, n, d, y);
}
PACIA_SIMD void weighted_rows(const double *x, const double *a, const double *b, int64_t n,
                              int64_t d, double *y) {
  weighted_rows_loop(x, a, b, n, d, y);
}

}  // namespace pacia

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

template <int bytes>
PACIA_INLINE void sum_of_loop(const float *const *rows, int64_t n, int64_t d, bool relu, float *y) {
  typedef typename Lanes<float, bytes>::type V;
  constexpr int64_t m = Lanes<float, bytes>::n;
  const V zero = {};
  int64_t i = 0;
  for (; i + 4 * m <= d; i += 4 * m) {
    V s[4] = {};
    for (int64_t k = 0; k < n; k++)
#pragma GCC unroll 4
      for (int c = 0; c < 4; c++) s[c] += *reinterpret_cast<const V *>(rows[k] + i + c * m);
#pragma GCC unroll 4
    for (int c = 0; c < 4; c++) *reinterpret_cast<V *>(y + i + c * m) = relu ? (s[c] <= zero ? zero : s[c]) : s[c];
  }
  for (; i < d; i++) {
    float s = 0;
    for (int64_t k = 0; k < n; k++) s += rows[k][i];
    y[i] = relu && s <= 0 ? 0 : s;
  }
}
PACIA_WIDTHS(void sums_of(const float *const *rows, int64_t n, int64_t d, bool relu, float *y), sum_of_loop<bytes>(rows, n, d, relu, y);)
void sum_of(const float *const *rows, int64_t n, int64_t d, bool relu, float *y) { sums_of(rows, n, d, relu, y); }

template <class T>
PACIA_INLINE void axpy_loop(T *y, const T *x, T a, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) y[i] += a * x[i];
}
PACIA_SIMD void axpy(float *y, const float *x, float a, int64_t d) { axpy_loop(y, x, a, d); }
PACIA_SIMD void axpy(double *y, const double *x, double a, int64_t d) { axpy_loop(y, x, a, d); }

// Other files can only call one version of a function, so that these have names of their own.
PACIA_WIDTHS(float dot_of(const float *x, const float *y, int64_t d), return dot_loop<bytes>(x, y, d);)
PACIA_WIDTHS(double dot_of(const double *x, const double *y, int64_t d), return dot_loop<bytes>(x, y, d);)
float dot(const float *x, const float *y, int64_t d) { return dot_of(x, y, d); }
double dot(const double *x, const double *y, int64_t d) { return dot_of(x, y, d); }

template <int bytes, class T>
PACIA_INLINE void dots_loop(const T *const *rows, int64_t n, const T *y, int64_t d, T *out) {
  int64_t k = 0;
  for (; k + 4 <= n; k += 4) some_dots<bytes, 4>(rows + k, y, d, out + k);
  switch (n - k) {
    case 3: return some_dots<bytes, 3>(rows + k, y, d, out + k);
    case 2: return some_dots<bytes, 2>(rows + k, y, d, out + k);
    case 1: return some_dots<bytes, 1>(rows + k, y, d, out + k);
  }
}
PACIA_WIDTHS(void dots_of(const float *const *rows, int64_t n, const float *y, int64_t d, float *out),
             dots_loop<bytes>(rows, n, y, d, out);)
PACIA_WIDTHS(void dots_of(const double *const *rows, int64_t n, const double *y, int64_t d, double *out),
             dots_loop<bytes>(rows, n, y, d, out);)
void dots(const float *const *rows, int64_t n, const float *y, int64_t d, float *out) { dots_of(rows, n, y, d, out); }
void dots(const double *const *rows, int64_t n, const double *y, int64_t d, double *out) { dots_of(rows, n, y, d, out); }

template <int bytes, class T>
PACIA_INLINE void weighted_fours_loop(const T *x, const int32_t *rows, const T *b, int64_t n, int64_t d, T *const *y) {
  typedef typename Lanes<T, bytes>::type V;
  constexpr int64_t m = Lanes<T, bytes>::n;
  int64_t first = 0;
  for (; first + 2 * m <= d; first += 2 * m) {
    V s[4][2] = {};
    for (int64_t k = 0; k < n; k++) {
      const V x0 = *reinterpret_cast<const V *>(x + rows[k] * d + first);
      const V x1 = *reinterpret_cast<const V *>(x + rows[k] * d + first + m);
#pragma GCC unroll 4
      for (int r = 0; r < 4; r++) {
        s[r][0] += b[4 * k + r] * x0;
        s[r][1] += b[4 * k + r] * x1;
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++) {
      *reinterpret_cast<V *>(y[r] + first) = s[r][0];
      *reinterpret_cast<V *>(y[r] + first + m) = s[r][1];
    }
  }
  for (int64_t i = first; i < d; i++)
    for (int r = 0; r < 4; r++) {
      T s = 0;
      for (int64_t k = 0; k < n; k++) s += b[4 * k + r] * x[rows[k] * d + i];
      y[r][i] = s;
    }
}
PACIA_WIDTHS(void fours_of(const float *x, const int32_t *rows, const float *b, int64_t n, int64_t d, float *const *y),
             weighted_fours_loop<bytes>(x, rows, b, n, d, y);)
PACIA_WIDTHS(void fours_of(const double *x, const int32_t *rows, const double *b, int64_t n, int64_t d, double *const *y),
             weighted_fours_loop<bytes>(x, rows, b, n, d, y);)
void weighted_fours(const float *x, const int32_t *rows, const float *b, int64_t n, int64_t d, float *const *y) { fours_of(x, rows, b, n, d, y); }
void weighted_fours(const double *x, const int32_t *rows, const double *b, int64_t n, int64_t d, double *const *y) { fours_of(x, rows, b, n, d, y); }

}  // namespace pacia

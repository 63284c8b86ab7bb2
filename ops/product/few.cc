#include "core/libtorch.hh"

#include "few.hh"

#include <algorithm>

#include "core/rows.hh"

namespace pacia {

// finish_run does the steps after n entries of a row.
PACIA_SIMD static void finish_run(float *y, int64_t n, const float *bias, After after, const float *like) {
  if (bias)
    for (int64_t i = 0; i < n; i++) y[i] += bias[i];
  const float *sign = after == After::relu || after == After::leaky ? y : like;
  const bool leaks = after == After::leaky || after == After::leaky_back;
  if (after == After::nothing) return;
  for (int64_t i = 0; i < n; i++) {
    const float low = leaks ? y[i] * static_cast<float>(kLeak) : 0.0f;
    y[i] = sign[i] <= 0 ? low : y[i];  // NaN stays NaN
  }
}

// finish_columns does the steps after n columns of each row, from first on.
static void finish_columns(const Factors &f, int64_t first, int64_t n, float *y, const Finish &finish) {
  for (int64_t r = 0; r < f.M; r++)
    finish_run(y + r * f.N + first, n, finish.bias ? finish.bias + first : nullptr, finish.after,
               finish.like ? finish.like + r * f.N + first : nullptr);
}

// add_rows adds x_0 w_0 + … + x_R−1 w_R−1 to y [n]; the rows of w are `apart` apart.
template <int bytes, int R>
PACIA_INLINE void add_rows(float *y, const float *x, const float *w, int64_t apart, int64_t n) {
  typedef typename Lanes<float, bytes>::type V;
  constexpr int64_t m = Lanes<float, bytes>::n;
  int64_t i = 0;
  for (; i + m <= n; i += m) {
    V s = *reinterpret_cast<const V *>(y + i);
#pragma GCC unroll 4
    for (int r = 0; r < R; r++) s += x[r] * *reinterpret_cast<const V *>(w + r * apart + i);
    *reinterpret_cast<V *>(y + i) = s;
  }
  for (; i < n; i++)
#pragma GCC unroll 4
    for (int r = 0; r < R; r++) y[i] += x[r] * w[r * apart + i];
}

// add_columns adds n columns of x·w, w [K, N], from first on. Four rows of w at a time stay in
// the first-level cache for all rows of x.
template <int bytes>
PACIA_INLINE void add_columns_loop(const Factors &f, int64_t first, int64_t n, float *y) {
  int64_t k = 0;
  for (; k + 4 <= f.K; k += 4)
    for (int64_t r = 0; r < f.M; r++)
      add_rows<bytes, 4>(y + r * f.N + first, f.x + r * f.K + k, f.w + k * f.N + first, f.N, n);
  for (; k < f.K; k++)
    for (int64_t r = 0; r < f.M; r++)
      add_rows<bytes, 1>(y + r * f.N + first, f.x + r * f.K + k, f.w + k * f.N + first, f.N, n);
}
PACIA_WIDTHS(static void add_columns(const Factors &f, int64_t first, int64_t n, float *y),
             add_columns_loop<bytes>(f, first, n, y);)

// point_to_rows sets pointers to the rows of x [n, K].
static void point_to_rows(const float *x, int64_t n, int64_t K, const float **rows) {
  for (int64_t r = 0; r < n; r++) rows[r] = x + r * K;
}

// dot_columns computes n columns of x·wᵀ, from first on.
static void dot_columns(const Factors &f, int64_t first, int64_t n, float *y, bool add) {
  const float *rows[kFew];
  float out[kFew];
  point_to_rows(f.x, f.M, f.K, rows);
  for (int64_t i = first; i < first + n; i++) {
    dots(rows, f.M, f.w + i * f.K, f.K, out);
    for (int64_t r = 0; r < f.M; r++) y[r * f.N + i] = add ? y[r * f.N + i] + out[r] : out[r];
  }
}

void few_times(const Factors &f, float *y, bool add, const Finish &finish) {
  columns(f.M * f.K, f.N, [&](int64_t first, int64_t n) {
    if (f.transposed) {
      dot_columns(f, first, n, y, add);
    } else {
      if (!add)
        for (int64_t r = 0; r < f.M; r++) std::fill_n(y + r * f.N + first, n, 0.0f);
      add_columns(f, first, n, y);
    }
    finish_columns(f, first, n, y, finish);
  });
}

void narrow_times(const Factors &f, float *y, bool add, const Finish &finish) {
  const float *of[kNarrow];
  point_to_rows(f.w, f.N, f.K, of);
  rows(f.M, f.N * f.K, [&](int64_t begin, int64_t end) {
    float out[kNarrow];
    for (int64_t r = begin; r < end; r++) {
      dots(of, f.N, f.x + r * f.K, f.K, out);
      for (int64_t i = 0; i < f.N; i++) y[r * f.N + i] = add ? y[r * f.N + i] + out[i] : out[i];
      finish_run(y + r * f.N, f.N, finish.bias, finish.after, finish.like ? finish.like + r * f.N : nullptr);
    }
  });
}

// outer_rows computes rows begin to end of xᵀy.
template <int bytes>
PACIA_INLINE void outer_rows_loop(const float *x, const float *y, int64_t M, int64_t N1, int64_t N2, int64_t begin,
                                  int64_t end, float *out) {
  typedef typename Lanes<float, bytes>::type V;
  constexpr int64_t n = Lanes<float, bytes>::n;
  for (int64_t i = begin; i < end; i++) {
    int64_t j = 0;
    for (; j + 2 * n <= N2; j += 2 * n) {
      V a = {}, b = {};
      for (int64_t m = 0; m < M; m++) {
        a += x[m * N1 + i] * *reinterpret_cast<const V *>(y + m * N2 + j);
        b += x[m * N1 + i] * *reinterpret_cast<const V *>(y + m * N2 + j + n);
      }
      *reinterpret_cast<V *>(out + i * N2 + j) = a;
      *reinterpret_cast<V *>(out + i * N2 + j + n) = b;
    }
    for (; j < N2; j++) {
      float s = 0;
      for (int64_t m = 0; m < M; m++) s += x[m * N1 + i] * y[m * N2 + j];
      out[i * N2 + j] = s;
    }
  }
}
PACIA_WIDTHS(static void outer_rows(const float *x, const float *y, int64_t M, int64_t N1, int64_t N2, int64_t begin,
                                    int64_t end, float *out),
             outer_rows_loop<bytes>(x, y, M, N1, N2, begin, end, out);)

void few_across(const float *x, const float *y, int64_t M, int64_t N1, int64_t N2, float *out) {
  rows(N1, M * N2, [&](int64_t begin, int64_t end) { outer_rows(x, y, M, N1, N2, begin, end, out); });
}

}  // namespace pacia

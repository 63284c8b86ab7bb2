#include "core/libtorch.hh"

#include "entries.hh"

#include <algorithm>

#include "core/simd.hh"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#endif

namespace pacia {

// Up to kSpare numbers after the end of a list may be overwritten.
constexpr int64_t kSpare = 16;

// list_row lists those of K numbers of x that are not zero, multiplied by f if it is not null, and
// their columns times unit. It returns their number.
static int64_t list_row(const float *x, int64_t K, const float *f, int32_t unit, int32_t *at, float *v) {
  int64_t n = 0;
  for (int64_t k = 0; k < K; k++) {
    at[n] = static_cast<int32_t>(k) * unit;
    v[n] = f ? x[k] * f[k] : x[k];
    n += x[k] != 0;
  }
  return n;
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target("arch=x86-64-v4"))) static int64_t list_row_v4(const float *x, int64_t K, const float *f, int32_t unit,
                                                                     int32_t *at, float *v) {
  const __m512i each = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  __m512i where = _mm512_mullo_epi32(each, _mm512_set1_epi32(unit));
  const __m512i next = _mm512_set1_epi32(16 * unit);
  int64_t n = 0;
  for (int64_t k = 0; k < K; k += 16, where = _mm512_add_epi32(where, next)) {
    const auto in = static_cast<__mmask16>(K - k < 16 ? (1 << (K - k)) - 1 : 0xffff);
    const __m512 a = _mm512_maskz_loadu_ps(in, x + k);
    const __mmask16 left = _mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_NEQ_UQ);
    _mm512_storeu_ps(v + n, _mm512_maskz_compress_ps(left, f ? _mm512_mul_ps(a, _mm512_maskz_loadu_ps(in, f + k)) : a));
    _mm512_storeu_si512(at + n, _mm512_maskz_compress_epi32(left, where));
    n += __builtin_popcount(left);
  }
  return n;
}
static auto fastest() { return PACIA_HAS_AVX512() ? list_row_v4 : list_row; }
#else
static auto fastest() { return list_row; }
#endif

void list_rows(const Source &s, int64_t n, int64_t K, int64_t unit, Lists &lists) {
  const auto list = fastest();
  lists.room(n, n * (K + kSpare));
  for (int64_t i = 0; i < n; i++) {
    const int64_t first = lists.begin[i] = i * (K + kSpare);
    lists.end[i] = first + list(s.x + i * s.l, K, s.f[i], static_cast<int32_t>(unit), lists.at.data() + first, lists.v.data() + first);
  }
}

void list_columns(const Lists &of, int64_t n, int64_t K, int64_t unit, Lists &lists) {
  lists.room(K, n * K);
  std::fill_n(lists.end.data(), K, 0);
  for (int64_t i = 0; i < n; i++)
    for (int64_t e = of.begin[i]; e < of.end[i]; e++) lists.end[of.at[e]]++;
  for (int64_t k = 0, first = 0; k < K; k++) {
    lists.begin[k] = first;
    first += lists.end[k];
    lists.end[k] = lists.begin[k];
  }
  for (int64_t i = 0; i < n; i++)
    for (int64_t e = of.begin[i]; e < of.end[i]; e++) {
      const int64_t to = lists.end[of.at[e]]++;
      lists.at[to] = static_cast<int32_t>(i * unit);
      lists.v[to] = of.v[e];
    }
}

}  // namespace pacia

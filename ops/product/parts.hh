// Numbers of float32 cut into parts of bf16 (8 bits of mantissa), in the order in which the
// matrix unit reads them.
//
// Legend: K inner size, D inner size padded to a multiple of 32, N rows of x or columns of B, P parts.
#pragma once

#include "bf16.hh"

#ifdef PACIA_HAS_BF16
#define PACIA_AMX static __attribute__((target("arch=x86-64-v4,avx512bf16,amx-tile,amx-bf16")))
#define PACIA_CUT static inline __attribute__((always_inline, target("arch=x86-64-v4,avx512bf16")))

namespace pacia {

// A register of the matrix unit has kRegister numbers: 16 lines of 32.
constexpr int64_t kRegister = kHalf * kDeep;

// Order selects how two vectors of 16 numbers form a line of 32: one after the other, or
// alternating.
enum class Order { runs, pairs };

// places returns the indices of the words of a line. A number's part is its upper word, except
// for P = 1, where words are the numbers.
template <int P>
PACIA_CUT __m512i places(Order order) {
  alignas(64) uint16_t at[32];
  for (int i = 0; i < 32; i++) {
    const int from = order == Order::runs ? i : i / 2 + i % 2 * 16;
    at[i] = static_cast<uint16_t>(P == 1 ? from : 2 * from + 1);
  }
  return _mm512_load_si512(at);
}

// nearest returns v rounded to a part, ties away from zero.
PACIA_CUT __m512 nearest(__m512 v) {
  const __m512i half = _mm512_set1_epi32(0x8000), upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  return _mm512_castsi512_ps(_mm512_and_si512(_mm512_add_epi32(_mm512_castps_si512(v), half), upper));
}

// cut_line writes the parts of 32 numbers, a and b, to lines that are two tiles apart. With
// three parts, a NaN remains NaN in the last part, and infinity becomes NaN.
template <int P>
PACIA_CUT void cut_line(__m512 a, __m512 b, Order order, __m512i places, bf16 *to) {
  if constexpr (P == 1) {
    const auto line = (__m512i)_mm512_cvtne2ps_pbh(b, a);
    _mm512_store_si512(to, order == Order::runs ? line : _mm512_permutexvar_epi16(places, line));
    return;
  }
#pragma GCC unroll 3
  for (int p = 0; p < P; p++) {
    const bool last = p == P - 1;  // which has at most eight bits
    const __m512 ha = last ? a : nearest(a), hb = last ? b : nearest(b);
    _mm512_store_si512(to + 2 * p * kRegister,
                       _mm512_permutex2var_epi16(_mm512_castps_si512(ha), places, _mm512_castps_si512(hb)));
    a = _mm512_sub_ps(a, ha);
    b = _mm512_sub_ps(b, hb);
  }
}

// transposed transposes 16 lines of 16 numbers.
PACIA_CUT void transposed(__m512 (&a)[16]) {
  __m512 b[16];
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) {
    b[2 * i] = _mm512_unpacklo_ps(a[2 * i], a[2 * i + 1]);
    b[2 * i + 1] = _mm512_unpackhi_ps(a[2 * i], a[2 * i + 1]);
  }
  const auto quad = [&](int i, int c) __attribute__((always_inline)) {  // columns c, 4+c, 8+c, 12+c of lines 4i to 4i+3
    const __m512d one = _mm512_castps_pd(b[4 * i + c / 2]), two = _mm512_castps_pd(b[4 * i + 2 + c / 2]);
    return _mm512_castpd_ps(c % 2 ? _mm512_unpackhi_pd(one, two) : _mm512_unpacklo_pd(one, two));
  };
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++) {
    const __m512 low = _mm512_shuffle_f32x4(quad(0, c), quad(1, c), 0x88), high = _mm512_shuffle_f32x4(quad(0, c), quad(1, c), 0xdd);
    const __m512 low2 = _mm512_shuffle_f32x4(quad(2, c), quad(3, c), 0x88);
    const __m512 high2 = _mm512_shuffle_f32x4(quad(2, c), quad(3, c), 0xdd);
    a[c] = _mm512_shuffle_f32x4(low, low2, 0x88);
    a[8 + c] = _mm512_shuffle_f32x4(low, low2, 0xdd);
    a[4 + c] = _mm512_shuffle_f32x4(high, high2, 0x88);
    a[12 + c] = _mm512_shuffle_f32x4(high, high2, 0xdd);
  }
}

// turn writes 16 lines of 16 numbers, which are `apart` apart, as columns. Lines and columns that do
// not exist are zeros.
PACIA_CUT void turn(const float *x, int64_t apart, int64_t lines, int64_t columns, float *to) {
  const __mmask16 m = first(columns);
  __m512 a[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; i++) a[i] = _mm512_maskz_loadu_ps(i < lines ? m : 0, x + i * apart);
  transposed(a);
#pragma GCC unroll 16
  for (int i = 0; i < 16; i++) _mm512_store_ps(to + i * kHalf, a[i]);
}

// Source is 32 of the inner size for 16 rows of x or columns of B. The first K and N of them
// exist. They are sk and sn apart; one of the two is 1.
struct Source {
  const float *x;
  int64_t sk, sn, K, N;
};

// cut_tile writes a source's parts as tiles. With rows, a line is a row of x; otherwise it has a
// pair of each column. Missing entries are zero.
template <int P>
PACIA_CUT void cut_tile(const Source &s, bool rows, bf16 *to) {
  const Order order = rows ? Order::runs : Order::pairs;
  const __m512i words = places<P>(order);
  if ((s.sk == 1) == rows) {
    const __mmask16 low = first(rows ? s.K : s.N), high = rows ? first(s.K - kHalf) : low;
    const int64_t lines = rows ? s.N : s.K, apart = rows ? s.sn : 2 * s.sk, second = rows ? kHalf : s.sk;
    for (int64_t i = 0; i < kHalf; i++) {
      const bool one = (rows ? i : 2 * i) < lines, two = (rows ? i : 2 * i + 1) < lines;
      const float *x = s.x + i * apart;
      cut_line<P>(_mm512_maskz_loadu_ps(one ? low : 0, x), _mm512_maskz_loadu_ps(two ? high : 0, x + second), order,
                  words, to + i * kDeep);
    }
    return;
  }
  alignas(64) float turned[2 * kHalf * kHalf];  // numbers of the inner size, or with rows of half of it and then the other
  for (int64_t k = 0; k < kDeep; k += kHalf)
    if (rows)
      turn(s.x + k * s.sk, s.sk, s.K - k, s.N, turned + k * kHalf);
    else
      turn(s.x + k, s.sn, s.N, s.K - k, turned + k * kHalf);
  for (int64_t i = 0; i < kHalf; i++) {
    const float *x = turned + (rows ? 1 : 2) * i * kHalf;
    cut_line<P>(_mm512_load_ps(x), _mm512_load_ps(x + (rows ? kHalf : 1) * kHalf), order, words, to + i * kDeep);
  }
}

// cut writes N rows of x, or columns of B, of K numbers each, as
// [N/32, D/32, P, 2 halves, 16, 32]. A line has 32 numbers of a row, or pairs of 16 columns.
// Memory is read in the order of its addresses.
template <int P>
PACIA_CUT void cut(const float *x, int64_t sk, int64_t sn, int64_t K, int64_t N, bool rows, bf16 *to) {
  const int64_t D = filled(K, kDeep), step = 2 * P * kRegister;
  const auto side = [&](int64_t k, int64_t n) __attribute__((always_inline)) {
    bf16 *at = to + n * P * D + k / kDeep * step;
    for (int64_t i = 0; i < kSide; i += kHalf, at += kRegister)
      cut_tile<P>({x + k * sk + (n + i) * sn, sk, sn, K - k, N - n - i}, rows, at);
  };
  if (sk == 1)
    for (int64_t n = 0; n < N; n += kSide)
      for (int64_t k = 0; k < K; k += kDeep) side(k, n);
  else
    for (int64_t k = 0; k < K; k += kDeep)
      for (int64_t n = 0; n < N; n += kSide) side(k, n);
}

}  // namespace pacia
#endif

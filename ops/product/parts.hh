// Numbers of float32 cut into parts of bf16 (8 bits of mantissa), in the order in which the
// matrix unit reads them.
//
// Legend: K inner size, N rows of x or columns of B, P parts.
#pragma once

#include "bf16.hh"

#ifdef PACIA_HAS_BF16
#define PACIA_AMX static __attribute__((target("arch=x86-64-v4,avx512bf16,amx-tile,amx-bf16")))
#define PACIA_CUT static inline __attribute__((always_inline, target("arch=x86-64-v4,avx512bf16")))

namespace pacia {

// kRegister numbers are a register of the matrix unit: 16 lines of 32.
constexpr int64_t kRegister = kHalf * kDeep;

// Order is where a line of 32 takes its numbers from two vectors of 16: the one and then the
// other, or one of each in turn.
enum class Order { runs, pairs };

// places are the words that order takes, each number's part being its upper word, or in
// words that are the numbers already (P 1).
template <int P>
PACIA_CUT __m512i places(Order order) {
  alignas(64) uint16_t at[32];
  for (int i = 0; i < 32; i++) {
    const int from = order == Order::runs ? i : i / 2 + i % 2 * 16;
    at[i] = static_cast<uint16_t>(P == 1 ? from : 2 * from + 1);
  }
  return _mm512_load_si512(at);
}

// nearest is v rounded to a part, ties away from zero.
PACIA_CUT __m512 nearest(__m512 v) {
  const __m512i half = _mm512_set1_epi32(0x8000), upper = _mm512_set1_epi32(static_cast<int>(0xffff0000));
  return _mm512_castsi512_ps(_mm512_and_si512(_mm512_add_epi32(_mm512_castps_si512(v), half), upper));
}

// cut_line leaves the parts of 32 numbers, a and b, in lines two tiles apart. What is not a
// number stays so, by the last of three parts; what is infinite is no number then.
template <int P>
PACIA_CUT void cut_line(__m512 a, __m512 b, Order order, __m512i places, bf16 *to) {
  if constexpr (P == 1) {
    const auto line = (__m512i)_mm512_cvtne2ps_pbh(b, a);
    _mm512_store_si512(to, order == Order::runs ? line : _mm512_permutexvar_epi16(places, line));
    return;
  }
#pragma GCC unroll 3
  for (int p = 0; p < P; p++) {
    const bool last = p == P - 1;  // of which eight bits are left
    const __m512 ha = last ? a : nearest(a), hb = last ? b : nearest(b);
    _mm512_store_si512(to + 2 * p * kRegister,
                       _mm512_permutex2var_epi16(_mm512_castps_si512(ha), places, _mm512_castps_si512(hb)));
    a = _mm512_sub_ps(a, ha);
    b = _mm512_sub_ps(b, hb);
  }
}

// transpose turns a tile of 16 lines of 16 pairs.
PACIA_CUT void transpose(bf16 *tile) {
  __m512i a[16], b[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; i++) a[i] = _mm512_load_si512(tile + i * kDeep);
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) {
    b[2 * i] = _mm512_unpacklo_epi32(a[2 * i], a[2 * i + 1]);
    b[2 * i + 1] = _mm512_unpackhi_epi32(a[2 * i], a[2 * i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++)  // a[4i+c] has the columns c, 4+c, 8+c, 12+c of lines 4i to 4i+3
#pragma GCC unroll 2
    for (int h = 0; h < 2; h++) {
      a[4 * i + 2 * h] = _mm512_unpacklo_epi64(b[4 * i + h], b[4 * i + 2 + h]);
      a[4 * i + 2 * h + 1] = _mm512_unpackhi_epi64(b[4 * i + h], b[4 * i + 2 + h]);
    }
#pragma GCC unroll 4
  for (int c = 0; c < 4; c++) {
    const __m512i even = _mm512_shuffle_i32x4(a[c], a[4 + c], 0x88), odd = _mm512_shuffle_i32x4(a[c], a[4 + c], 0xdd);
    const __m512i even2 = _mm512_shuffle_i32x4(a[8 + c], a[12 + c], 0x88);
    const __m512i odd2 = _mm512_shuffle_i32x4(a[8 + c], a[12 + c], 0xdd);
    _mm512_store_si512(tile + c * kDeep, _mm512_shuffle_i32x4(even, even2, 0x88));
    _mm512_store_si512(tile + (8 + c) * kDeep, _mm512_shuffle_i32x4(even, even2, 0xdd));
    _mm512_store_si512(tile + (4 + c) * kDeep, _mm512_shuffle_i32x4(odd, odd2, 0x88));
    _mm512_store_si512(tile + (12 + c) * kDeep, _mm512_shuffle_i32x4(odd, odd2, 0xdd));
  }
}

// cut_tile cuts 32 of the inner size and 16 rows of x, or columns of B, of which the first K
// and N are there and the others zeros. They are sk and sn apart, one of these 1. With rows
// a line of the tile is a row of x, else it is a pair of each column's.
template <int P>
PACIA_CUT void cut_tile(const float *x, int64_t sk, int64_t sn, int64_t K, int64_t N, bool rows, bf16 *to) {
  const Order order = sk == 1 ? Order::runs : Order::pairs;
  const __m512i words = places<P>(order);
  const __mmask16 low = first(K), high = first(K - kHalf), wide = first(N);
  for (int64_t i = 0; i < kHalf; i++) {
    const float *from = x + (order == Order::runs ? i * sn : 2 * i * sk);
    const float *next = from + (order == Order::runs ? kHalf : sk);
    const __mmask16 m = order == Order::runs ? (i < N ? low : 0) : (2 * i < K ? wide : 0);
    const __mmask16 o = order == Order::runs ? (i < N ? high : 0) : (2 * i + 1 < K ? wide : 0);
    cut_line<P>(_mm512_maskz_loadu_ps(m, from), _mm512_maskz_loadu_ps(o, next), order, words, to + i * kDeep);
  }
  if ((order == Order::runs) == rows) return;
#pragma GCC unroll 3
  for (int p = 0; p < P; p++) transpose(to + 2 * p * kRegister);
}

}  // namespace pacia
#endif

// The common part of tiles with factors rounded to bf16. 32 numbers of a row are rounded at a
// time, with pairs of numbers of a row, or of a column of the weights, side by side, as the
// processors' units read them.
//
// Legend: K inner size, N columns.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && __GNUC__ > 10 && !defined(__clang__)
#define PACIA_HAS_BF16 1
// These warnings are about numbers that the compiler's own header leaves undefined and masks out.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include <algorithm>

#include "core/simd.hh"
#include "product/tile.hh"

#define PACIA_BF16 static inline __attribute__((target("arch=x86-64-v4,avx512bf16"), always_inline))

namespace pacia {

typedef uint16_t bf16;

// A register has kHalf rows of kDeep numbers. A tile of the result has kSide rows and columns,
// in four registers.
constexpr int64_t kHalf = 16, kDeep = 32, kSide = 32;

// first returns a mask of the first n of 16 numbers.
PACIA_BF16 __mmask16 first(int64_t n) {
  return static_cast<__mmask16>((1u << std::clamp<int64_t>(n, 0, 16)) - 1);
}

// rounded_run returns 32 numbers from x on, with zeros after the first n.
PACIA_BF16 __m512i rounded_run(const float *x, int64_t n) {
  return (__m512i)_mm512_cvtne2ps_pbh(_mm512_maskz_loadu_ps(first(n - 16), x + 16),
                                      _mm512_maskz_loadu_ps(first(n), x));
}

// rounded_pairs returns the numbers of 16 columns of two rows, x and x + stride, side by side,
// with zeros after the given numbers of columns and rows.
PACIA_BF16 __m512i rounded_pairs(const float *x, int64_t stride, int64_t columns, int64_t rows) {
  const __mmask16 m = first(columns);
  const auto half = [&](int64_t r) __attribute__((always_inline)) {
    const __m512 v = _mm512_maskz_loadu_ps(r < rows ? m : 0, x + r * stride);
    return _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(v));
  };
  return _mm512_or_si512(half(0), _mm512_slli_epi32(half(1), 16));
}

// followed returns 16 sums v after the step `after`; m masks the entries of like that exist.
PACIA_BF16 __m512 followed(__m512 v, After after, __mmask16 m, const float *like) {
  if (after == After::nothing) return v;
  const bool own = after == After::relu || after == After::leaky;
  const bool leaks = after == After::leaky || after == After::leaky_back;
  const __m512 sign = own ? v : _mm512_maskz_loadu_ps(m, like);
  const __m512 slope = _mm512_set1_ps(static_cast<float>(kLeak)), zero = _mm512_setzero_ps();
  const __m512 low = leaks ? _mm512_mul_ps(v, slope) : zero;
  return _mm512_mask_mov_ps(v, _mm512_cmp_ps_mask(sign, zero, _CMP_LE_OQ), low);
}

// amx_tiles and dot_tiles return the kernels for two units, and amx_float_tiles those for
// factors of float32 on the first unit. They return null if the processor does not have the
// unit.
const Tiles *amx_tiles();
const Tiles *amx_float_tiles();
const Tiles *dot_tiles();

}  // namespace pacia
#endif

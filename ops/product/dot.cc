// Tiles of factors rounded to bf16, for processors that sum products of pairs in a vector
// register (AVX512_BF16), such as AMD's from Zen 4 on. 12×32 of the result stay in 24 of 32
// registers, as with float32, and each step processes two of the inner size. Sums are in float32.
//
// Legend: M rows, K inner size, D inner size padded to a multiple of 32, N columns, C registers of a row.
#include "core/libtorch.hh"

#include "parts.hh"

#ifdef PACIA_HAS_BF16
#include <type_traits>

namespace pacia {

// A tile has kTall rows, and kFlat rows at the end.
constexpr int kTall = 12, kFlat = 4;

__attribute__((target("arch=x86-64-v4,avx512bf16"))) static void pack(const float *b, int64_t sk, int64_t sn, int64_t K,
                                                                      int64_t N, float *panels) {
  cut<1>(b, sk, sn, K, N, false, reinterpret_cast<bf16 *>(panels));
}

// Pairs has rows of D/2 pairs of numbers. Rows are `row` apart, and pairs `next`.
struct Pairs {
  const uint32_t *at;
  int64_t row, next;
};

// rounded_rows rounds M rows of x and writes them to `to`, which must have room for kFlat more rows.
PACIA_BF16 Pairs rounded_rows(const float *x, int64_t lx, int64_t sx, int64_t M, int64_t K,
                              int64_t D, uint32_t *to) {
  if (sx == 1) {
    for (int64_t r = 0; r < M; r++)
      for (int64_t k = 0; k < K; k += kDeep)
        _mm512_storeu_si512(to + (r * D + k) / 2, rounded_run(x + r * lx + k, K - k));
    return {to, D / 2, 1};
  }
  const int64_t wide = (M + kHalf - 1) / kHalf * kHalf;
  for (int64_t k = 0; k < D; k += 2)  // lx is 1 here
    for (int64_t r = 0; r < M; r += kHalf)
      _mm512_storeu_si512(to + k / 2 * wide + r, rounded_pairs(x + k * sx + r, sx, M - r, K - k));
  return {to, 1, wide};
}

// finish_run does the steps after the 16 sums v, and stores the first of them to `to`.
PACIA_BF16 void finish_run(__m512 v, float *to, __mmask16 m, bool add, const float *bias,
                           const float *like, After after) {
  if (add) v = _mm512_add_ps(v, _mm512_maskz_loadu_ps(m, to));
  if (bias) v = _mm512_add_ps(v, _mm512_maskz_loadu_ps(m, bias));
  _mm512_mask_storeu_ps(to, m, followed(v, after, m, like));
}

// dot_tile computes R rows and 16·C columns, and stores the first `rows` and `columns` of them
// to y.
template <int R, int C>
PACIA_BF16 void dot_tile(const Pairs &x, const bf16 *panel, int64_t K, int64_t rows,
                         int64_t columns, float *y, int64_t ly, bool add, const Finish &f) {
  __m512 c[R][2];
#pragma GCC unroll 16
  for (int r = 0; r < R; r++) c[r][0] = c[r][1] = _mm512_setzero_ps();
  const uint32_t *at = x.at;
  for (int64_t left = (K + 1) / 2; left > 0; left -= kHalf, panel += kDeep * kSide)
    for (int64_t p = 0; p < std::min(left, kHalf); p++, at += x.next) {
      const auto b0 = (__m512bh)_mm512_loadu_si512(panel + p * kDeep);
      const auto b1 = (__m512bh)_mm512_loadu_si512(panel + (kHalf + p) * kDeep);
#pragma GCC unroll 16
      for (int r = 0; r < R; r++) {
        const auto a = (__m512bh)_mm512_set1_epi32(static_cast<int>(at[r * x.row]));
        c[r][0] = _mm512_dpbf16_ps(c[r][0], a, b0);
        if (C > 1) c[r][1] = _mm512_dpbf16_ps(c[r][1], a, b1);
      }
    }
#pragma GCC unroll 16
  for (int r = 0; r < R; r++) {
    if (r == rows) return;
    float *to = y + r * ly;
    const float *like = f.like ? f.like + r * ly : nullptr;
    finish_run(c[r][0], to, first(columns), add, f.bias, like, f.after);
    if (columns <= kHalf) continue;
    finish_run(c[r][1], to + kHalf, first(columns - kHalf), add, f.bias ? f.bias + kHalf : nullptr,
               like ? like + kHalf : nullptr, f.after);
  }
}

__attribute__((target("arch=x86-64-v4,avx512bf16"))) static void rows_times(
    const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels, int64_t K, int64_t N,
    float *y, int64_t ly, bool add, const Finish &f) {
  const int64_t D = filled(K, kDeep);
  const Room room((M + kHalf) * D / 2 + kHalf * kDeep);
  const Pairs rows = rounded_rows(x, lx, sx, M, K, D, reinterpret_cast<uint32_t *>(room.get()));
  auto *panel = reinterpret_cast<const bf16 *>(panels);
  for (int64_t j = 0; j < N; j += kSide, panel += D * kSide) {
    const auto go = [&](auto R, auto C, int64_t i) __attribute__((always_inline)) {
      const int64_t at = i * ly + j;
      dot_tile<decltype(R)::value, decltype(C)::value>(
          {rows.at + i * rows.row, rows.row, rows.next}, panel, K, M - i, N - j, y + at, ly, add,
          {f.bias ? f.bias + j : nullptr, f.after, f.like ? f.like + at : nullptr});
    };
    const auto all = [&](auto C) __attribute__((always_inline)) {
      int64_t i = 0;
      for (; i + kTall <= M; i += kTall) go(std::integral_constant<int, kTall>(), C, i);
      for (; i < M; i += kFlat) go(std::integral_constant<int, kFlat>(), C, i);
    };
    if (N - j > kHalf) all(std::integral_constant<int, 2>());
    else all(std::integral_constant<int, 1>());
  }
}

const Tiles *dot_tiles() {
  static const Tiles dot{"tiles, AVX512_BF16", kTall, kSide, kDeep, kRowBlock, sizeof(bf16), pack, rows_times};
  static const bool there = PACIA_HAS_AVX512() && __builtin_cpu_supports("avx512bf16");
  return there ? &dot : nullptr;
}

}  // namespace pacia
#endif

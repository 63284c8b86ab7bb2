// Tiles of factors rounded to bf16, for the matrix unit that Intel's processors
// have from Sapphire Rapids on (AMX): 32×32 of the result at a time, from rows
// of 32 numbers. Sums stay in float32.
//
// Legend: M rows, K inner size, D the same filled up to whole rows of a tile, N
// columns.
#include "core/libtorch.hh"

#include "product/tile.hh"

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && __GNUC__ > 10 && !defined(__clang__)
// What the compiler's own header leaves undefined is masked out.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#define PACIA_AMX static __attribute__((target("arch=x86-64-v4,avx512bf16,amx-tile,amx-bf16")))

namespace pacia {

typedef uint16_t bf16;

// kHalf rows of kDeep numbers are a register; kSide rows and columns a tile of
// the result, four registers.
constexpr int64_t kHalf = 16, kDeep = 32, kSide = 32;

// first masks the first n of 16 numbers.
PACIA_AMX __mmask16 first(int64_t n) {
  return static_cast<__mmask16>((1u << std::clamp<int64_t>(n, 0, 16)) - 1);
}

// rounded_run is 32 numbers from x on, zeros behind the first n.
PACIA_AMX __m512i rounded_run(const float *x, int64_t n) {
  return (__m512i)_mm512_cvtne2ps_pbh(_mm512_maskz_loadu_ps(first(n - 16), x + 16),
                                      _mm512_maskz_loadu_ps(first(n), x));
}

// rounded_pairs has side by side the numbers of two rows, x and the one that
// is stride further, of 16 columns; zeros behind the first n columns and rows.
PACIA_AMX __m512i rounded_pairs(const float *x, int64_t stride, int64_t columns, int64_t rows) {
  const __mmask16 m = first(columns);
  const auto half = [&](int64_t r) __attribute__((always_inline)) {
    const __m512 v = _mm512_maskz_loadu_ps(r < rows ? m : 0, x + r * stride);
    return _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(v));
  };
  return _mm512_or_si512(half(0), _mm512_slli_epi32(half(1), 16));
}

// A panel is [D/32, 2 halves, 16 pairs of rows, 16 columns, 2].
PACIA_AMX void pack(const float *b, int64_t sk, int64_t sn, int64_t K, int64_t N, float *panels) {
  auto *to = reinterpret_cast<bf16 *>(panels);
  for (int64_t j = 0; j < (N + kSide - 1) / kSide * kSide; j += kSide)
    for (int64_t k = 0; k < K; k += kDeep)
      for (int64_t n = j; n < j + kSide; n += kHalf, to += kHalf * kDeep)
        for (int64_t i = 0; i < kHalf; i++) {
          if (sn == 1) {
            const float *from = b + (k + 2 * i) * sk + n;
            _mm512_storeu_si512(to + i * kDeep, rounded_pairs(from, sk, N - n, K - k - 2 * i));
            continue;
          }
          uint32_t pairs[kHalf];
          _mm512_storeu_si512(pairs, rounded_run(b + (n + i) * sn + k, n + i < N ? K - k : 0));
          for (int64_t p = 0; p < kHalf; p++) std::memcpy(to + p * kDeep + 2 * i, pairs + p, 4);
        }
}

// round_rows leaves M rows of x as [M, D].
PACIA_AMX void round_rows(const float *x, int64_t lx, int64_t sx, int64_t M, int64_t K, int64_t D,
                          bf16 *to) {
  if (sx == 1) {
    for (int64_t r = 0; r < M; r++)
      for (int64_t k = 0; k < K; k += kDeep)
        _mm512_storeu_si512(to + r * D + k, rounded_run(x + r * lx + k, K - k));
    return;
  }
  const __m512i lines = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i places = _mm512_mullo_epi32(lines, _mm512_set1_epi32(static_cast<int>(D / 2)));
  for (int64_t r = 0; r < M; r += kHalf)  // here lx is 1
    for (int64_t k = 0; k < D; k += 2)
      _mm512_i32scatter_epi32(to + r * D + k, places,
                              rounded_pairs(x + k * sx + r, sx, M - r, K - k), 4);
}

// finish_run does what follows the 16 sums v and stores the first of them at to.
PACIA_AMX void finish_run(__m512 v, float *to, __mmask16 m, bool add, const float *bias,
                          const float *like, After after) {
  if (add) v = _mm512_add_ps(v, _mm512_maskz_loadu_ps(m, to));
  if (bias) v = _mm512_add_ps(v, _mm512_maskz_loadu_ps(m, bias));
  if (after != After::nothing) {
    const bool own = after == After::relu || after == After::leaky;
    const bool leaks = after == After::leaky || after == After::leaky_back;
    const __m512 sign = own ? v : _mm512_maskz_loadu_ps(m, like);
    const __m512 slope = _mm512_set1_ps(static_cast<float>(kLeak)), zero = _mm512_setzero_ps();
    const __m512 low = leaks ? _mm512_mul_ps(v, slope) : zero;
    v = _mm512_mask_mov_ps(v, _mm512_cmp_ps_mask(sign, zero, _CMP_LE_OQ), low);
  }
  _mm512_mask_storeu_ps(to, m, v);
}

// Shapes is what the unit is told of its registers: 16 rows of 64 bytes each.
struct Shapes {
  uint8_t palette = 1, rest[15] = {};
  uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// sum_tile leaves the product of 32 rows [D] with a panel in out [32, 32].
PACIA_AMX void sum_tile(const bf16 *rows, const bf16 *panel, int64_t D, float *out) {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (int64_t k = 0; k < D; k += kDeep) {
    _tile_loadd(4, rows + k, 2 * D);
    _tile_loadd(5, rows + kHalf * D + k, 2 * D);
    _tile_loadd(6, panel + k * kSide, 2 * kDeep);
    _tile_loadd(7, panel + k * kSide + kHalf * kDeep, 2 * kDeep);
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_stored(0, out, 4 * kSide);
  _tile_stored(1, out + kHalf, 4 * kSide);
  _tile_stored(2, out + kHalf * kSide, 4 * kSide);
  _tile_stored(3, out + kHalf * kSide + kHalf, 4 * kSide);
}

PACIA_AMX void rows_times(const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels,
                          int64_t K, int64_t N, float *y, int64_t ly, bool add, const Finish &f) {
  const int64_t D = (K + kDeep - 1) / kDeep * kDeep;
  const Room room((M + kSide - 1) / kSide * kSide * D / 2);
  auto *rows = reinterpret_cast<bf16 *>(room.get());
  round_rows(x, lx, sx, M, K, D, rows);
  const Shapes shapes;
  _tile_loadconfig(&shapes);
  alignas(64) float out[kSide * kSide];
  auto *panel = reinterpret_cast<const bf16 *>(panels);
  for (int64_t j = 0; j < N; j += kSide, panel += D * kSide)
    for (int64_t i = 0; i < M; i += kSide) {
      sum_tile(rows + i * D, panel, D, out);
      for (int64_t r = 0; r < std::min(kSide, M - i); r++)
        for (int64_t n = j; n < std::min(j + kSide, N); n += kHalf) {
          const int64_t at = (i + r) * ly + n;
          finish_run(_mm512_load_ps(out + r * kSide + n - j), y + at, first(N - n), add,
                     f.bias ? f.bias + n : nullptr, f.like ? f.like + at : nullptr, f.after);
        }
    }
  _tile_release();
}

const Tiles *bf16_tiles() {
  static const Tiles amx{"tiles, AMX", kSide, kDeep, pack, rows_times};
  // A process has the registers once it has asked Linux for them.
  constexpr int request = 0x1023, tile_data = 18;
  static const bool there = __builtin_cpu_supports("amx-bf16") &&
                            __builtin_cpu_supports("avx512bf16") &&
                            syscall(SYS_arch_prctl, request, tile_data) == 0;
  return there ? &amx : nullptr;
}

}  // namespace pacia
#else
namespace pacia {
const Tiles *bf16_tiles() { return nullptr; }
}  // namespace pacia
#endif

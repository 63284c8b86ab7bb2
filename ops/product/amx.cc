// Tiles of factors rounded to bf16, for the matrix unit that Intel's processors
// have from Sapphire Rapids on (AMX): 32×32 of the result at a time, from rows
// of 32 numbers. Sums stay in float32.
//
// Legend: M rows, K inner size, D the same filled up to whole rows of a tile, N
// columns.
#include "core/libtorch.hh"

#include "bf16.hh"

#ifdef PACIA_HAS_BF16
#include <sys/syscall.h>
#include <unistd.h>

#define PACIA_AMX static __attribute__((target("arch=x86-64-v4,avx512bf16,amx-tile,amx-bf16")))

namespace pacia {

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

const Tiles *amx_tiles() {
  static const Tiles amx{"tiles, AMX", kSide, kSide, kDeep, sizeof(bf16), pack_bf16, rows_times};
  // A process has the registers once it has asked Linux for them.
  constexpr int request = 0x1023, tile_data = 18;
  static const bool there = PACIA_HAS_AVX512() && __builtin_cpu_supports("amx-bf16") &&
                            __builtin_cpu_supports("avx512bf16") &&
                            syscall(SYS_arch_prctl, request, tile_data) == 0;
  return there ? &amx : nullptr;
}

}  // namespace pacia
#endif

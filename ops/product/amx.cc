// Tiles for the matrix unit of Intel's processors since Sapphire Rapids (AMX), with factors in
// bf16 and sums in float32: 32×32 of the result at a time, 32 of the inner size in each step.
//
// With one part, factors are rounded to bf16. With three, each factor is a sum of three numbers
// in bf16, x = x₁ + x₂ + x₃, which have all 24 bits of a float32. Of the nine products, the six
// that matter in float32 are summed, those of the largest parts last. The omitted products are
// below 2⁻²⁵ of a product. The unit is sixteen times as fast as multiply-adds in vector
// registers, so that six of its products take less time than one of theirs.
//
// Legend: M rows, K inner size, D inner size padded to a multiple of 32, N columns, P parts.
#include "core/libtorch.hh"

#include "parts.hh"

#ifdef PACIA_HAS_BF16
#include <sys/syscall.h>
#include <unistd.h>

namespace pacia {

// kBlock rows of x are cut into parts at a time, so that the parts and the panels stay in the
// second-level cache.
constexpr int64_t kBlock = 64;

template <int P>
PACIA_AMX void pack(const float *b, int64_t sk, int64_t sn, int64_t K, int64_t N, float *panels) {
  cut<P>(b, sk, sn, K, N, false, reinterpret_cast<bf16 *>(panels));
}

// Shapes configures the unit's registers: 16 rows of 64 bytes each.
struct Shapes {
  uint8_t palette = 1, rest[15] = {};
  uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// A product of tiles has up to 32 rows, tall if there are more than 16, and up to 32 columns,
// wide if there are more than 16. Missing rows and columns are omitted.
template <bool tall>
PACIA_AMX void load_rows(const bf16 *part) {
  _tile_loadd(4, part, 2 * kDeep);
  if (tall) _tile_loadd(5, part + kRegister, 2 * kDeep);
}

template <bool wide>
PACIA_AMX void load_columns(const bf16 *part) {
  _tile_loadd(6, part, 2 * kDeep);
  if (wide) _tile_loadd(7, part + kRegister, 2 * kDeep);
}

template <bool tall, bool wide>
PACIA_AMX void add_product() {
  _tile_dpbf16ps(0, 4, 6);
  if (wide) _tile_dpbf16ps(1, 4, 7);
  if (tall) _tile_dpbf16ps(2, 5, 6);
  if (tall && wide) _tile_dpbf16ps(3, 5, 7);
}

// Ends has the address of a tile of the result, and that of its signs or null; their rows are at
// distances of `apart`. prefetch loads the rows for step k of D/32 steps, so that they are in the
// cache when the sum is complete.
struct Ends {
  const float *to, *like;
  int64_t apart, rows;

  __attribute__((always_inline)) void prefetch(int64_t k, int64_t steps) const {
    for (int64_t r = k * rows / steps; r < (k + 1) * rows / steps; r++)
      for (int64_t n = 0; n < kSide; n += kHalf) {
        __builtin_prefetch(to + r * apart + n, 1);
        if (like) __builtin_prefetch(like + r * apart + n);
      }
  }
};

// sum_tile writes the product of 32 rows with a panel to out [32, 32]. Between consecutive
// products of parts, only one of the two factors changes.
template <int P, bool tall, bool wide>
PACIA_AMX void sum_tile(const bf16 *x, const bf16 *b, int64_t D, float *out, const Ends &ends) {
  constexpr int64_t part = 2 * kRegister, step = P * part;
  const int64_t end = D / kDeep * step;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  if constexpr (P == 3)
    for (int64_t k = 0; k < end; k += step) {
      ends.prefetch(k / step, D / kDeep);
      load_rows<tall>(x + k);
      load_columns<wide>(b + k + 2 * part);
      add_product<tall, wide>();
      load_columns<wide>(b + k + part);
      add_product<tall, wide>();
      load_rows<tall>(x + k + part);
      add_product<tall, wide>();
      load_columns<wide>(b + k);
      add_product<tall, wide>();
      load_rows<tall>(x + k + 2 * part);
      add_product<tall, wide>();
    }
  for (int64_t k = 0; k < end; k += step) {
    if (P == 1) ends.prefetch(k / step, D / kDeep);
    load_rows<tall>(x + k);
    load_columns<wide>(b + k);
    add_product<tall, wide>();
  }
  _tile_stored(0, out, 4 * kSide);
  if (wide) _tile_stored(1, out + kHalf, 4 * kSide);
  if (tall) _tile_stored(2, out + kHalf * kSide, 4 * kSide);
  if (tall && wide) _tile_stored(3, out + kHalf * kSide + kHalf, 4 * kSide);
}

// finish_as does the steps after a tile out [32, 32], for its first M rows and N columns.
template <After after>
PACIA_AMX void finish_as(const float *out, int64_t M, int64_t N, float *y, int64_t ly, bool add,
                         const Finish &f) {
  for (int64_t n = 0; n < N; n += kHalf) {
    const __mmask16 m = first(N - n);
    const __m512 bias = f.bias ? _mm512_maskz_loadu_ps(m, f.bias + n) : _mm512_setzero_ps();
    for (int64_t r = 0; r < M; r++) {
      float *to = y + r * ly + n;
      __m512 v = _mm512_load_ps(out + r * kSide + n);
      if (add) v = _mm512_add_ps(v, _mm512_maskz_loadu_ps(m, to));
      v = followed(_mm512_add_ps(v, bias), after, m, f.like ? f.like + r * ly + n : nullptr);
      _mm512_mask_storeu_ps(to, m, v);
    }
  }
}

PACIA_AMX void finish_tile(const float *out, int64_t M, int64_t N, float *y, int64_t ly, bool add,
                           const Finish &f) {
  switch (f.after) {
    case After::nothing: return finish_as<After::nothing>(out, M, N, y, ly, add, f);
    case After::relu: return finish_as<After::relu>(out, M, N, y, ly, add, f);
    case After::leaky: return finish_as<After::leaky>(out, M, N, y, ly, add, f);
    case After::relu_back: return finish_as<After::relu_back>(out, M, N, y, ly, add, f);
    case After::leaky_back: return finish_as<After::leaky_back>(out, M, N, y, ly, add, f);
  }
}

// block_times is rows_times for rows that have been cut.
template <int P>
PACIA_AMX void block_times(const bf16 *x, int64_t M, const bf16 *panel, int64_t D, int64_t N, float *y,
                           int64_t ly, bool add, const Finish &f) {
  constexpr decltype(&sum_tile<P, true, true>) sum[2][2] = {
      {sum_tile<P, false, false>, sum_tile<P, false, true>}, {sum_tile<P, true, false>, sum_tile<P, true, true>}};
  alignas(64) float out[kSide * kSide];
  for (int64_t j = 0; j < N; j += kSide, panel += P * D * kSide)
    for (int64_t i = 0; i < M; i += kSide) {
      const int64_t rows = std::min(kSide, M - i), columns = std::min(kSide, N - j), at = i * ly + j;
      const float *like = f.like ? f.like + at : nullptr;
      sum[rows > kHalf][columns > kHalf](x + i * P * D, panel, D, out, {y + at, like, ly, rows});
      finish_tile(out, rows, columns, y + at, ly, add, {f.bias ? f.bias + j : nullptr, f.after, like});
    }
}

template <int P>
PACIA_AMX void rows_times(const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels,
                          int64_t K, int64_t N, float *y, int64_t ly, bool add, const Finish &f) {
  const int64_t D = filled(K, kDeep);
  const Room room(std::min(filled(M, kSide), kBlock) * D * P / 2);
  auto *parts = reinterpret_cast<bf16 *>(room.get());
  auto *panel = reinterpret_cast<const bf16 *>(panels);
  const Shapes shapes;
  _tile_loadconfig(&shapes);
  for (int64_t i = 0; i < M; i += kBlock) {
    const int64_t rows = std::min(kBlock, M - i);
    cut<P>(x + i * lx, sx, lx, K, rows, true, parts);
    block_times<P>(parts, rows, panel, D, N, y + i * ly, ly, add,
                   {f.bias, f.after, f.like ? f.like + i * ly : nullptr});
  }
  _tile_release();
}

static bool has_amx() {
  // A process can use the registers after requesting them from Linux.
  constexpr int request = 0x1023, tile_data = 18;
  static const bool there = PACIA_HAS_AVX512() && __builtin_cpu_supports("amx-bf16") &&
                            __builtin_cpu_supports("avx512bf16") &&
                            syscall(SYS_arch_prctl, request, tile_data) == 0;
  return there;
}

const Tiles *amx_tiles() {
  static const Tiles amx{"tiles, AMX", kSide, kSide, kDeep, kBlock, sizeof(bf16), pack<1>, rows_times<1>};
  return has_amx() ? &amx : nullptr;
}

const Tiles *amx_float_tiles() {
  static const Tiles amx{"tiles, AMX, three parts", kSide, kSide, kDeep, kBlock, 3 * sizeof(bf16), pack<3>, rows_times<3>};
  return has_amx() ? &amx : nullptr;
}

}  // namespace pacia
#endif

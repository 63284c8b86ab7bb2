// Legend: M rows, K inner size, N columns, L lanes of a vector register, R rows
// of a tile, C registers in each of them.
#include "core/libtorch.hh"

#include "bf16.hh"
#include "core/base.hh"
#include "core/simd.hh"
#include "product/tile.hh"

#include <algorithm>
#include <type_traits>

namespace pacia {

int64_t panels_size(int64_t K, int64_t N, const Tiles &t) {
  return filled(N, t.columns) * filled(K, t.depth) * t.bytes / static_cast<int64_t>(sizeof(float));
}

Room packed(const float *w, int64_t K, int64_t N, bool transposed, const Tiles &t) {
  Room panels(panels_size(K, N, t));
  const int64_t sk = transposed ? 1 : N, sn = transposed ? K : 1, size = panels_size(K, 1, t);
  rows((N + t.columns - 1) / t.columns, size, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * t.columns, n = std::min(N, end * t.columns) - first;
    t.pack(w + first * sn, sk, sn, K, n, panels.get() + begin * size);
  });
  return panels;
}

// A panel is [K, columns], so that a tile reads it sequentially.
template <int64_t columns>
static void pack(const float *b, int64_t sk, int64_t sn, int64_t K, int64_t N, float *to) {
  for (int64_t j = 0; j < N; j += columns, to += K * columns) {
    const int64_t n = std::min(columns, N - j);
    if (n < columns) std::fill_n(to, K * columns, 0.0f);
    if (sn == 1)
      for (int64_t k = 0; k < K; k++) std::copy_n(b + k * sk + j, n, to + k * columns);
    else
      for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < K; k++) to[k * columns + i] = b[k * sk + (j + i) * sn];
  }
}

// A cache line has kLine numbers.
constexpr int kLine = 16;

template <int L>
struct Vector {
  typedef float type __attribute__((vector_size(4 * L), aligned(4), may_alias));
};

// finish_part does the steps after the product v of L entries, and stores them to `to`. bias and
// like are those of the entries, or null. (Vectors are passed by reference, because the
// convention for values depends on the target processor.)
template <int L>
PACIA_INLINE void finish_part(typename Vector<L>::type &v, float *to, bool add, const float *bias,
                              const float *like, After after) {
  typedef typename Vector<L>::type V;
  if (add) v += *reinterpret_cast<const V *>(to);
  if (bias) v += *reinterpret_cast<const V *>(bias);
  const V zero = {};
  if (after != After::nothing) {
    const bool own = after == After::relu || after == After::leaky;
    const V sign = own ? v : *reinterpret_cast<const V *>(like);
    const bool leaks = after == After::leaky || after == After::leaky_back;
    const V low = leaks ? v * static_cast<float>(kLeak) : zero;
    v = sign <= zero ? low : v;  // NaN stays NaN
  }
  *reinterpret_cast<V *>(to) = v;
}

// tile computes R rows and the first C·L of 2L columns of y = x·panel. Rows of x are lx apart
// and their entries sx. bias and like are those of the tile. Entries of like and y are
// prefetched during the sum.
template <int L, int R, int C>
PACIA_INLINE void tile(const float *x, int64_t lx, int64_t sx, const float *panel, int64_t K,
                       float *y, int64_t ly, bool add, const Finish &f) {
  typedef typename Vector<L>::type V;
#pragma GCC unroll 16
  for (int r = 0; r < R; r++)
#pragma GCC unroll 2
    for (int i = 0; i < C * L; i += kLine) {
      __builtin_prefetch(y + r * ly + i, 1);
      if (f.like) __builtin_prefetch(f.like + r * ly + i);
    }
  V c[R][C] = {};
  for (int64_t k = 0; k < K; k++) {
    V b[C];
#pragma GCC unroll 2
    for (int i = 0; i < C; i++) b[i] = *reinterpret_cast<const V *>(panel + 2 * L * k + i * L);
#pragma GCC unroll 16
    for (int r = 0; r < R; r++) {
      const V a = x[r * lx + k * sx] - V{};
#pragma GCC unroll 2
      for (int i = 0; i < C; i++) c[r][i] += a * b[i];
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; r++)
#pragma GCC unroll 2
    for (int i = 0; i < C; i++)
      finish_part<L>(c[r][i], y + r * ly + i * L, add, f.bias ? f.bias + i * L : nullptr,
                     f.like ? f.like + r * ly + i * L : nullptr, f.after);
}

// part is tile for the first rows and columns of R and 2L. If some do not exist, it works on
// copies with the width of a tile.
template <int L, int R>
PACIA_INLINE void part(const float *x, int64_t lx, int64_t sx, const float *panel, int64_t K, float *y,
                       int64_t ly, int64_t rows, int64_t columns, bool add, const Finish &f) {
  constexpr int wide = 2 * L;
  if (rows >= R && columns >= wide) return tile<L, R, 2>(x, lx, sx, panel, K, y, ly, add, f);
  const int64_t m = std::min<int64_t>(rows, R), n = std::min<int64_t>(columns, wide);
  float out[R * wide] = {}, like[R * wide] = {}, bias[wide] = {};
  Finish g{f.bias ? bias : nullptr, f.after, f.like ? like : nullptr};
  if (f.bias) std::copy_n(f.bias, n, bias);
  for (int64_t r = 0; r < m; r++) {
    if (add) std::copy_n(y + r * ly, n, out + r * wide);
    if (f.like) std::copy_n(f.like + r * ly, n, like + r * wide);
  }
  if (n > L)
    tile<L, R, 2>(x, lx, sx, panel, K, out, wide, add, g);
  else
    tile<L, R, 1>(x, lx, sx, panel, K, out, wide, add, g);
  for (int64_t r = 0; r < m; r++) std::copy_n(out + r * wide, n, y + r * ly);
}

// at returns f for the entry that is i rows of ly and j columns further.
PACIA_INLINE Finish at(const Finish &f, int64_t i, int64_t ly, int64_t j) {
  return {f.bias ? f.bias + j : nullptr, f.after, f.like ? f.like + i * ly + j : nullptr};
}

// columns_times computes M rows of y = x·B for an x whose columns are contiguous. The
// numbers that a tile needs next are then a whole row of x's memory away, often on another
// page. So R rows at a time are copied, which makes consecutive numbers adjacent.
template <int L, int R>
PACIA_INLINE void columns_times(const float *x, int64_t sx, int64_t M, const float *panels, int64_t K,
                                int64_t N, float *y, int64_t ly, bool add, const Finish &f) {
  const Room room(K * R);
  float *own = room.get();
  for (int64_t i = 0; i < M; i += R) {
    const int64_t rows = std::min<int64_t>(R, M - i);
    if (rows < R) std::fill_n(own, K * R, 0.0f);
    for (int64_t k = 0; k < K; k++) {
      const float *from = x + k * sx + i;
      if (rows == R)
        std::copy_n(from, R, own + k * R);
      else
        std::copy_n(from, rows, own + k * R);
      __builtin_prefetch(from + 2 * R - 1);  // for the next R rows
    }
    for (int64_t j = 0; j < N; j += 2 * L)
      part<L, R>(own, 1, R, panels + j * K, K, y + i * ly + j, ly, rows, N - j, add, at(f, i, ly, j));
  }
}

// rows_times computes M rows of y = x·B, R rows at a time.
template <int L, int R>
PACIA_INLINE void rows_times(const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels,
                             int64_t K, int64_t N, float *y, int64_t ly, bool add,
                             const Finish &f) {
  if (sx != 1) return columns_times<L, R>(x, sx, M, panels, K, N, y, ly, add, f);
  for (int64_t j = 0; j < N; j += 2 * L) {
    auto go = [&](auto rows, int64_t i) __attribute__((always_inline)) {
      constexpr int n = decltype(rows)::value;
      part<L, n>(x + i * lx, lx, 1, panels + j * K, K, y + i * ly + j, ly, n, N - j, add, at(f, i, ly, j));
    };
    int64_t i = 0;
    for (; i + R <= M; i += R) go(std::integral_constant<int, R>(), i);
    for (; i < M; i++) go(std::integral_constant<int, 1>(), i);
  }
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
// AVX2 with FMA: 6×16 is 12 of 16 registers. AVX-512: 12×32 is 24 of 32.
__attribute__((target("arch=x86-64-v3"))) static void rows_times_v3(
    const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels, int64_t K, int64_t N,
    float *y, int64_t ly, bool add, const Finish &f) {
  rows_times<8, 6>(x, lx, sx, M, panels, K, N, y, ly, add, f);
}
__attribute__((target("arch=x86-64-v4"))) static void rows_times_v4(
    const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels, int64_t K, int64_t N,
    float *y, int64_t ly, bool add, const Finish &f) {
  rows_times<16, 12>(x, lx, sx, M, panels, K, N, y, ly, add, f);
}

const Tiles *vector_tiles() {
  static const Tiles v3{"tiles, AVX2", 6, 16, 1, kRowBlock, sizeof(float), pack<16>, rows_times_v3};
  static const Tiles v4{"tiles, AVX-512", 12, 32, 1, kRowBlock, sizeof(float), pack<32>, rows_times_v4};
  static const Tiles *const chosen = PACIA_HAS_AVX512()                     ? &v4
                                     : __builtin_cpu_supports("x86-64-v3") ? &v3
                                                                           : nullptr;
  return chosen;
}
#else
const Tiles *vector_tiles() { return nullptr; }
#endif

#ifdef PACIA_HAS_BF16
const Tiles *matrix_tiles() { return amx_float_tiles(); }
const Tiles *bf16_matrix_tiles() { return amx_tiles(); }
const Tiles *bf16_vector_tiles() { return dot_tiles(); }
#else
const Tiles *matrix_tiles() { return nullptr; }
const Tiles *bf16_matrix_tiles() { return nullptr; }
const Tiles *bf16_vector_tiles() { return nullptr; }
#endif

}  // namespace pacia

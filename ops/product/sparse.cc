#include "core/libtorch.hh"

#include "product/sparse.hh"

#include <atomic>

#include "core/base.hh"
#include "core/rows.hh"
#include "entries.hh"
#include "product/product.hh"
#include "product/vector.hh"

namespace pacia {

using at::Tensor;

// kColumns is the number of columns that lists sum up at a time: one panel of AVX-512 tiles, two
// of AVX2 tiles.
constexpr int64_t kColumns = 32;

// kRows is the number of rows of x with lists at a time. The lists have at most kInner columns,
// for which a panel has about the size of the first-level cache. Lists of xᵀ have at most kDeep.
constexpr int64_t kRows = 64, kInner = 320, kDeep = 256;

// where_left keeps kLeft rows in the first-level cache, and a group of columns in registers. Their
// number is one of the two that registers returns.
constexpr int registers(int bytes, bool second) { return bytes == 64 ? (second ? 16 : 19) : (second ? 12 : 11); }
constexpr int64_t kLeft = 24;

// columns_at_once returns the width of a group for which the columns need the fewest zeros as padding.
static int64_t columns_at_once(int64_t columns) {
  const int bytes = vector_tiles()->columns == kColumns ? 64 : 32;
  const int64_t lanes = bytes / static_cast<int64_t>(sizeof(float));
  const int64_t one = lanes * registers(bytes, false), two = lanes * registers(bytes, true);
  return filled(columns, one) <= filled(columns, two) ? one : two;
}

PaddedMatrix::PaddedMatrix(int64_t rows, int64_t columns)
    : M(rows), N(columns), at_once(columns_at_once(filled(N, kColumns))), l(filled(filled(N, kColumns), at_once)), room(M * l) {}

PaddedMatrix::PaddedMatrix(const Tensor &x) : PaddedMatrix(x.size(0), x.size(1)) {
  rows(M, N, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      std::copy_n(x.data_ptr<float>() + i * N, N, row(i));
      std::fill_n(row(i) + N, l - N, 0.0f);
    }
  });
}

Tensor PaddedMatrix::narrow(const Tensor &like) const {
  auto out = at::empty({M, N}, like.options());
  rows(M, N, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) std::copy_n(row(i), N, out.data_ptr<float>() + i * N);
  });
  return out;
}

// gather adds to y the sum over a list, for kColumns columns of P panels that are `apart`
// floats apart. The list has the byte offsets of rows in a panel.
template <int bytes, int P>
PACIA_INLINE void gather(const List &list, const float *panel, int64_t apart, float *y) {
  typedef typename Lanes<float, bytes>::type V;
  constexpr int64_t L = Lanes<float, bytes>::n;
  V a[2][P][2] = {};
  int64_t k = 0;
  const auto add = [&](int64_t k, V(&to)[P][2]) __attribute__((always_inline)) {
    const float *b = reinterpret_cast<const float *>(reinterpret_cast<const char *>(panel) + list.at[k]);
    const V v = list.v[k] - V{};
#pragma GCC unroll 2
    for (int p = 0; p < P; p++) {
      to[p][0] += v * *reinterpret_cast<const V *>(b + p * apart);
      to[p][1] += v * *reinterpret_cast<const V *>(b + p * apart + L);
    }
  };
  for (; k + 2 <= list.n; k += 2) {
    add(k, a[0]);
    add(k + 1, a[1]);
  }
  if (k < list.n) add(k, a[0]);
#pragma GCC unroll 2
  for (int p = 0; p < P; p++)
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) *reinterpret_cast<V *>(y + (2 * p + i) * L) += a[0][p][i] + a[1][p][i];
}

// gather_lists adds the sums over n lists to n rows of y, which are l apart.
PACIA_WIDTHS(
    void gather_lists(const Lists &lists, int64_t n, const float *panel, int64_t apart, float *y, int64_t l),
    constexpr int P = bytes == 64 ? 1 : 2;
    for (int64_t i = 0; i < n; i++) gather<bytes, P>(lists[i], panel, apart, y + i * l);)

// blocks calls f(first, n, …) on all of M rows, `some` at a time, with memory for lists. A thread
// takes the next rows when it has finished its previous ones.
template <class F>
static void blocks(int64_t M, int64_t some, const F &f) {
  std::atomic<int64_t> next{0};
  at::parallel_for(0, std::min<int64_t>(at::get_num_threads(), (M + some - 1) / some), 1, [&](int64_t, int64_t) {
    Lists by_rows, by_columns;
    for (int64_t i; (i = next.fetch_add(some)) < M;) f(i, std::min(some, M - i), by_rows, by_columns);
  });
}

// factors returns the factors of n rows from `first` on, from column k on.
static std::vector<const float *> factors(const Sparse &s, int64_t first, int64_t n, int64_t k) {
  std::vector<const float *> f(n);
  if (!s.f.defined()) return f;
  const int32_t *ptr = ints(s.ptr);
  const int64_t T = s.f.size(0), K = s.f.size(1);
  for (int64_t i = 0, t = 0; i < n; i++) {
    while (t + 1 < T && ptr[t + 1] <= first + i) t++;
    f[i] = s.f.data_ptr<float>() + t * K + k;
  }
  return f;
}

// begin_rows sets each row of y to the row of first for its range, or to zeros.
static void begin_rows(const Sparse &s, const Tensor &first, const PaddedMatrix &y, int64_t begin, int64_t end) {
  for (int64_t i = begin, t = 0; i < end; i++) {
    float *row = y.row(i);
    std::fill_n(row, y.l, 0.0f);
    if (!first.defined()) continue;
    while (t + 1 < first.size(0) && ints(s.ptr)[t + 1] <= i) t++;
    std::copy_n(first.data_ptr<float>() + t * y.N, y.N, row);
  }
}

// Panels of the processor's tiles are combined to 32 columns.
static int64_t panel_bytes() { return vector_tiles()->columns * static_cast<int64_t>(sizeof(float)); }

void Sparse::times_transposed(const Tensor &w, const Tensor &first, const PaddedMatrix &y) const {
  const Tiles &t = *vector_tiles();
  const int64_t M = x.size(0), K = x.size(1), N = w.size(0);
  const Room panels(panels_size(K, filled(N, kColumns), t));
  rows((N + kColumns - 1) / kColumns, K * kColumns, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin * kColumns; j < std::min(N, end * kColumns); j += kColumns) {
      const int64_t n = std::min(kColumns, N - j);
      if (n < kColumns) std::fill_n(panels.get() + j * K, K * kColumns, 0.0f);
      t.pack(w.data_ptr<float>() + j * K, 1, K, K, n, panels.get() + j * K);
    }
  });
  const int64_t inner = (K + kInner - 1) / kInner, deep = (K + inner - 1) / inner;
  blocks(M, kRows, [&](int64_t i, int64_t n, Lists &by_rows, Lists &) {
    begin_rows(*this, first, y, i, i + n);
    for (int64_t k = 0; k < K; k += deep) {
      list_rows({x.data_ptr<float>() + i * K + k, K, factors(*this, i, n, k)}, n, std::min(deep, K - k), panel_bytes(), by_rows);
      for (int64_t j = 0; j < N; j += kColumns)
        gather_lists(by_rows, n, panels.get() + j * K + k * t.columns, K * t.columns, y.row(i) + j, y.l);
    }
  });
}

// across_part adds the rows m to m + M of yᵀ(x·f) to the panels `begin` to `end` of out
// [N/32, K, 32].
static void across_part(const Sparse &s, const PaddedMatrix &y, int64_t m, int64_t M, int64_t begin, int64_t end, float *out) {
  const Tiles &t = *vector_tiles();
  const int64_t K = s.x.size(1);
  const Room panel(kDeep * kColumns);
  Lists by_rows, by_columns;
  for (int64_t i = m; i < m + M; i += kDeep) {
    const int64_t n = std::min(kDeep, m + M - i);
    list_rows({s.x.data_ptr<float>() + i * K, K, factors(s, i, n, 0)}, n, K, 1, by_rows);
    list_columns(by_rows, n, K, panel_bytes(), by_columns);
    for (int64_t j = begin; j < end; j++) {
      t.pack(y.row(i) + j * kColumns, y.l, 1, n, kColumns, panel.get());
      gather_lists(by_columns, K, panel.get(), n * t.columns, out + j * K * kColumns, kColumns);
    }
  }
}

Tensor Sparse::across(const PaddedMatrix &y) const {
  const int64_t M = x.size(0), K = x.size(1), N = y.N, wide = (N + kColumns - 1) / kColumns;
  const int64_t halves = M < 4 * kDeep ? 1 : 2, n = std::min((at::get_num_threads() + halves - 1) / halves, wide);
  auto parts = at::zeros({halves, wide, K, kColumns}, x.options());
  at::parallel_for(0, halves * n, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      const int64_t half = i / n, first = half * M / halves;
      across_part(*this, y, first, (half + 1) * M / halves - first, i % n * wide / n, (i % n + 1) * wide / n,
                  parts.data_ptr<float>() + half * wide * K * kColumns);
    }
  });
  auto out = at::empty({N, K}, x.options());
  rows(wide, 2 * K * kColumns, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin * kColumns; j < std::min(N, end * kColumns); j++) {
      const float *one = parts.data_ptr<float>() + j / kColumns * K * kColumns + j % kColumns;
      const float *two = one + (halves - 1) * wide * K * kColumns;
      float *to = out.data_ptr<float>() + j * K;
      for (int64_t k = 0; k < K; k++) to[k] = halves > 1 ? one[k * kColumns] + two[k * kColumns] : one[k * kColumns];
    }
  });
  return out;
}

// left_part adds products of rows of y and w to out [·, K], at the entries in the lists of its columns,
// for as many columns as stay in registers. Rows of both are l apart.
template <int bytes, int C>
PACIA_INLINE void left_part_loop(const Lists &lists, int64_t K, const float *y, int64_t l, const float *w, float *out) {
  typedef typename Lanes<float, bytes>::type V;
  constexpr int64_t L = Lanes<float, bytes>::n;
  for (int64_t k = 0; k < K; k++) {
    const List list = lists[k];
    V b[C];
#pragma GCC unroll 32
    for (int c = 0; c < C; c++) b[c] = *reinterpret_cast<const V *>(w + k * l + c * L);
    const auto dots = [&](int64_t e, auto some) __attribute__((always_inline)) {
      constexpr int n = decltype(some)::value;
      V a[n] = {};
      const float *row[n];
#pragma GCC unroll 4
      for (int r = 0; r < n; r++) row[r] = y + list.at[e + r] * l;
#pragma GCC unroll 32
      for (int c = 0; c < C; c++)
#pragma GCC unroll 4
        for (int r = 0; r < n; r++) a[r] += b[c] * *reinterpret_cast<const V *>(row[r] + c * L);
#pragma GCC unroll 4
      for (int r = 0; r < n; r++) out[list.at[e + r] * K + k] += total<float, bytes>(a[r]);
    };
    int64_t e = 0;
    for (; e + 4 <= list.n; e += 4) dots(e, std::integral_constant<int, 4>());
    for (; e < list.n; e++) dots(e, std::integral_constant<int, 1>());
  }
}
PACIA_WIDTHS(
    void left_part(const Lists &lists, int64_t K, const float *y, int64_t l, const float *w, int64_t at_once, float *out),
    constexpr int one = registers(bytes, false), two = registers(bytes, true);
    if (at_once == one * Lanes<float, bytes>::n) left_part_loop<bytes, one>(lists, K, y, l, w, out);
    else left_part_loop<bytes, two>(lists, K, y, l, w, out);)

Tensor Sparse::where_left(const PaddedMatrix &y, const Tensor &w) const {
  const int64_t M = x.size(0), K = x.size(1);
  const PaddedMatrix turned(K, y.N);
  const float *from = w.data_ptr<float>();
  columns(y.N, K, [&](int64_t first, int64_t width) {
    for (int64_t j = 0; j < y.N; j++)
      for (int64_t k = first; k < first + width; k++) turned.row(k)[j] = from[j * K + k];
    for (int64_t k = first; k < first + width; k++) std::fill_n(turned.row(k) + y.N, turned.l - y.N, 0.0f);
  });
  auto out = at::empty({M, K}, x.options());
  blocks(M, kLeft, [&](int64_t i, int64_t n, Lists &by_rows, Lists &by_columns) {
    list_rows({x.data_ptr<float>() + i * K, K, std::vector<const float *>(n)}, n, K, 1, by_rows);
    list_columns(by_rows, n, K, 1, by_columns);
    std::fill_n(out.data_ptr<float>() + i * K, n * K, 0.0f);
    for (int64_t j = 0; j < y.l; j += y.at_once)
      left_part(by_columns, K, y.row(i) + j, y.l, turned.row(0) + j, y.at_once, out.data_ptr<float>() + i * K);
  });
  return out;
}

}  // namespace pacia

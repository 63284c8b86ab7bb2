#include "core/libtorch.hh"

#include "product/product.hh"

#include <ATen/ops/leaky_relu_backward.h>
#include <ATen/ops/mkldnn_convolution.h>
#include <ATen/ops/threshold_backward.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "few.hh"
#include "product/sparse.hh"
#include "product/tile.hh"

namespace pacia {

using at::Tensor;

// kInnerBlock is the number of rows of y and x over which a part of xᵀy is summed at a time.
constexpr int64_t kInnerBlock = 256;

enum class Implementation { tiles, onednn, libtorch };

// named reports whether PACIA_PRODUCT selects this implementation.
static bool named(const char *implementation) {
  const char *name = getenv("PACIA_PRODUCT");
  return name && std::strcmp(name, implementation) == 0;
}

// implementation selects who computes products: our tiles if they support the processor, or for
// comparisons the one in PACIA_PRODUCT. This may be onednn, mkl, vectors (tiles in vector
// registers even if there is a matrix unit) or dense (tiles even for products of sparse.hh). The
// selection does not depend on measured times, so that a seed gives the same run on all processors
// of a kind. Alternating measurements on two cores:
//
//                                       tiles        oneDNN      MKL
//   AVX-512: a training step, s         0.53–0.56    0.70        0.77–0.90
//            an evaluation, s           9.3–11.8     8.5–9.2     12.8–14.6
//   AVX2: large products, GFLOP/s       84–97        70–85       80–90
static Implementation implementation() {
  static const Implementation chosen = named("onednn")                   ? Implementation::onednn
                                       : named("mkl") || !vector_tiles() ? Implementation::libtorch
                                                                         : Implementation::tiles;
  return chosen;
}

// preferred returns the tiles of a matrix unit if there is one, or those of vector registers.
static const Tiles *preferred(const Tiles *matrix, const Tiles *vector) {
  return matrix && !named("vectors") ? matrix : vector;
}

// float_tiles returns the tiles for factors of float32, and rounding_tiles, or null, those that round them to bf16.
static const Tiles *float_tiles() {
  static const Tiles *const chosen = preferred(matrix_tiles(), vector_tiles());
  return chosen;
}
static const Tiles *rounding_tiles() {
  static const Tiles *const chosen = preferred(bf16_matrix_tiles(), bf16_vector_tiles());
  return chosen;
}

const char *product_implementation() {
  switch (implementation()) {
    case Implementation::tiles: return float_tiles()->name;
    case Implementation::onednn: return "oneDNN";
    default: return "libtorch";
  }
}

static std::atomic<bool> rounding{false};

bool has_bf16() { return implementation() == Implementation::tiles && rounding_tiles(); }
void round_to_bf16(bool on) { rounding = on && has_bf16(); }
bool rounds_in_matrices() { return rounding && rounding_tiles() == bf16_matrix_tiles(); }

const Tiles *tiles() { return rounding ? rounding_tiles() : float_tiles(); }

bool sparse_pays(int64_t rows, double share) {
  static const bool dense = named("dense");
  return !dense && rows >= kFew && share <= 0.4 && implementation() == Implementation::tiles && tiles() == vector_tiles();
}

// finish_of converts the steps after a product to the form of the loops.
static Finish finish_of(const Then &then) {
  return {then.bias.defined() ? then.bias.data_ptr<float>() : nullptr, then.after,
          then.like.defined() ? then.like.data_ptr<float>() : nullptr};
}

// times_tiles computes y = x·B, or adds it to y. All tensors are contiguous.
static void times_tiles(const Tensor &y, const Tensor &x, const Tensor &w, bool transposed,
                        const Then &then, bool add_to) {
  const Tiles &t = *tiles();
  const int64_t M = x.size(0), K = x.size(1), N = y.size(1);
  const Room panels = packed(w.data_ptr<float>(), K, N, transposed, t);
  const Finish f = finish_of(then);
  // A thread takes the next rows when it has finished its previous ones, so that no thread waits
  // for a slower core.
  const int64_t threads = at::get_num_threads(), tiles = (M + t.rows - 1) / t.rows;
  const int64_t share = (tiles + 2 * threads - 1) / (2 * threads) * t.rows, some = std::min(t.block, share);
  std::atomic<int64_t> next{0};
  at::parallel_for(0, std::min(threads, tiles), 1, [&](int64_t, int64_t) {
    for (int64_t i; (i = next.fetch_add(some)) < M;)
      t.rows_times(x.data_ptr<float>() + i * K, K, 1, std::min(some, M - i), panels.get(), K, N,
                   y.data_ptr<float>() + i * N, N, add_to,
                   {f.bias, f.after, f.like ? f.like + i * N : nullptr});
  });
}

// times_few computes y = x·B, or adds it to y, for few rows or columns. All tensors are contiguous.
static void times_few(const Tensor &y, const Tensor &x, const Tensor &w, bool transposed, const Then &then, bool add_to) {
  const bool narrow = y.size(1) < kNarrow;
  const auto rows = narrow && !transposed ? w.t().contiguous() : w;
  (narrow ? narrow_times : few_times)({x.data_ptr<float>(), rows.data_ptr<float>(), x.size(0), x.size(1), y.size(1), narrow || transposed},
                                      y.data_ptr<float>(), add_to, finish_of(then));
}

// times_own computes y = x·B, or adds it to y. If factors are rounded, few rows are rounded like
// many, so that the product of a molecule does not depend on its place.
static void times_own(const Tensor &y, const Tensor &x, const Tensor &w, bool transposed, const Then &then, bool add_to) {
  const bool few = (x.size(0) < kFew && !rounding) || y.size(1) < kNarrow;
  (few ? times_few : times_tiles)(y, x, w, transposed, then, add_to);
}

// times_onednn treats the rows as the pixels of an image in channels-last format, so that
// nothing is copied.
static Tensor times_onednn(const Tensor &x, const Tensor &w, bool transposed) {
  const int64_t M = x.size(0), K = x.size(1);
  auto kernel = (transposed ? w : w.t().contiguous()).view({-1, K, 1, 1});
  auto image = x.as_strided({1, K, M, 1}, {M * K, 1, K, K});
  auto y = at::mkldnn_convolution(image, kernel, {}, {0, 0}, {1, 1}, {1, 1}, 1);
  return y.permute({0, 2, 3, 1}).reshape({M, -1});
}

// finish does the steps after a product of a library.
static Tensor finish(Tensor y, const Then &then) {
  if (then.bias.defined()) y.add_(then.bias);
  switch (then.after) {
    case After::nothing: return y;
    case After::relu: return y.relu_();
    case After::leaky: return at::leaky_relu_(y, kLeak);
    case After::relu_back: return at::threshold_backward(y, then.like, 0);
    default: return at::leaky_relu_backward(y, then.like, kLeak, true);
  }
}

// implementation_for returns the implementation for x·B.
static Implementation implementation_for(const Tensor &x) {
  return x.scalar_type() == at::kFloat ? implementation() : Implementation::libtorch;
}

Tensor times(const Tensor &x, const Tensor &w, bool transposed, const Then &then) {
  const int64_t M = x.size(0), N = w.size(transposed ? 0 : 1);
  const auto a = x.contiguous(), b = w.contiguous();
  switch (implementation_for(x)) {
    case Implementation::tiles: {
      auto y = at::empty({M, N}, x.options());
      times_own(y, a, b, transposed, then, false);
      return y;
    }
    case Implementation::onednn: return finish(times_onednn(a, b, transposed), then);
    default: return finish(at::mm(a, transposed ? b.t() : b), then);
  }
}

void times_into(const Tensor &y, const Tensor &x, const Tensor &w, bool transposed,
                const Tensor &bias, bool add_to) {
  const Then then{bias, After::nothing, {}};
  if (implementation_for(x) == Implementation::tiles)
    times_own(y, x.contiguous(), w.contiguous(), transposed, then, add_to);
  else if (add_to)
    y.add_(times(x, w, transposed, then));
  else
    y.copy_(times(x, w, transposed, then));
}

// Share is a range that begins at first.
struct Share {
  int64_t first, size;
};

// share returns share i of n shares of `many`, as a multiple of `piece`.
static Share share(int64_t many, int64_t piece, int64_t i, int64_t n) {
  const int64_t pieces = (many + piece - 1) / piece, first = i * pieces / n * piece;
  return {first, std::min(many, (i + 1) * pieces / n * piece) - first};
}

// Cut is the rows m..m+M of x and y, and the rows i..i+N1 and columns j..j+N2 of xᵀy.
struct Cut {
  int64_t m, M, i, N1, j, N2;
};

// across_cut computes the part of xᵀy given by c, from the rows given by c.
static void across_cut(const Tensor &x, const Tensor &y, const Tensor &out, const Cut &c) {
  const Tiles &t = *tiles();
  const int64_t lx = x.size(1), ly = y.size(1);
  const Room panels(panels_size(kInnerBlock, c.N2, t));
  for (int64_t k = c.m; k < c.m + c.M; k += kInnerBlock) {
    const int64_t deep = std::min(kInnerBlock, c.m + c.M - k);
    t.pack(y.data_ptr<float>() + k * ly + c.j, ly, 1, deep, c.N2, panels.get());
    t.rows_times(x.data_ptr<float>() + k * lx + c.i, 1, lx, c.N1, panels.get(), deep, c.N2,
                 out.data_ptr<float>() + c.i * ly + c.j, ly, k > c.m, {});
  }
}

// across_tiles sums over two halves of many rows separately, which does not depend on the
// number of threads. With more threads than halves, the threads of a half divide the columns of
// y by panels, so that each cuts its own panels. If there are too few panels, they divide the
// columns of x by tiles.
static Tensor across_tiles(const Tensor &x, const Tensor &y) {
  const Tiles &t = *tiles();
  const int64_t M = x.size(0), N1 = x.size(1), N2 = y.size(1);
  if (M == 0) return at::zeros({N1, N2}, x.options());
  const int64_t halves = M < 4 * kInnerBlock ? 1 : 2, each = (at::get_num_threads() + halves - 1) / halves;
  const int64_t wide = (N2 + t.columns - 1) / t.columns, tall = (N1 + t.rows - 1) / t.rows;
  const bool few = wide < each;
  const int64_t n = std::min(each, few ? tall : wide);
  auto out = at::empty({N1, N2}, x.options()), second = halves > 1 ? at::empty_like(out) : Tensor();
  at::parallel_for(0, halves * n, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      const auto [m, M1] = share(M, 1, i / n, halves);
      const auto [row, rows] = few ? share(N1, t.rows, i % n, n) : Share{0, N1};
      const auto [column, columns] = few ? Share{0, N2} : share(N2, t.columns, i % n, n);
      across_cut(x, y, i < n ? out : second, {m, M1, row, rows, column, columns});
    }
  });
  return halves > 1 ? out.add_(second) : out;
}

// across_narrow is across for a y with fewer columns than kNarrow, and any number of rows. It adds up
// parts of kPart rows in their order, so that sums do not depend on the number of threads.
static Tensor across_narrow(const Tensor &x, const Tensor &y) {
  constexpr int64_t kPart = 1024;
  const int64_t M = x.size(0), N1 = x.size(1), N2 = y.size(1);
  auto out = at::zeros({N2, N1}, x.options()), part = at::empty({N2, N1}, x.options());
  for (int64_t begin = 0; begin < M; begin += kPart) {
    const int64_t n = std::min(kPart, M - begin);
    few_across(y.data_ptr<float>() + begin * N2, x.data_ptr<float>() + begin * N1, n, N2, N1, part.data_ptr<float>());
    out.add_(part);
  }
  return out.t();
}

Tensor across(const Tensor &x, const Tensor &y) {
  if (implementation_for(x) != Implementation::tiles) return at::mm(x.t(), y);
  const int64_t M = x.size(0), N1 = x.size(1), N2 = y.size(1);
  if (M < kFew) {
    const auto a = x.contiguous(), b = y.contiguous();
    auto out = at::empty({N1, N2}, x.options());
    few_across(a.data_ptr<float>(), b.data_ptr<float>(), M, N1, N2, out.data_ptr<float>());
    return out;
  }
  if (N2 < kNarrow) return across_narrow(x.contiguous(), y.contiguous()).contiguous();
  if (N1 < kNarrow) return across_narrow(y.contiguous(), x.contiguous()).t();
  return across_tiles(x.contiguous(), y.contiguous());
}

}  // namespace pacia

// Matrix products with what follows them, by whichever way is the fastest on
// this machine: our own tiles (tile.hh), MKL, or oneDNN, to which a product is
// a convolution of size 1. Which it is, is measured once, at the first product.
//
// Legend: M rows, K inner size, N columns.
#pragma once

#include <ATen/ops/mkldnn_convolution.h>

#include <ctime>

#include "precision.hh"
#include "tile.hh"

namespace pacia {

// What follows a product: a bias [N], and After, which may go by the signs of
// like [M, N].
struct Then {
  Tensor bias;
  After after = After::nothing;
  Tensor like;
};

// Tiles are the kernels of one generation of processors.
struct Tiles {
  int64_t columns;
  void (*rows_times)(const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels,
                     int64_t K, int64_t N, float *y, int64_t ly, bool add, const Finish &f);
};

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
// AVX2 with FMA: 6×16 is 12 of 16 registers. AVX-512: 12×32 is 24 of 32.
__attribute__((target("arch=x86-64-v3"))) inline void rows_times_v3(
    const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels, int64_t K, int64_t N,
    float *y, int64_t ly, bool add, const Finish &f) {
  rows_times<8, 6>(x, lx, sx, M, panels, K, N, y, ly, add, f);
}
__attribute__((target("arch=x86-64-v4"))) inline void rows_times_v4(
    const float *x, int64_t lx, int64_t sx, int64_t M, const float *panels, int64_t K, int64_t N,
    float *y, int64_t ly, bool add, const Finish &f) {
  rows_times<16, 12>(x, lx, sx, M, panels, K, N, y, ly, add, f);
}

// tiles returns the kernels for this processor, or null.
inline const Tiles *tiles() {
  static const Tiles v3{16, rows_times_v3}, v4{32, rows_times_v4};
  static const Tiles *const chosen = __builtin_cpu_supports("x86-64-v4")   ? &v4
                                     : __builtin_cpu_supports("x86-64-v3") ? &v3
                                                                           : nullptr;
  return chosen;
}
#else
inline const Tiles *tiles() { return nullptr; }
#endif

enum class Maker { tiles, mkl, onednn };

// kRowBlock rows of x and of y stay in the second cache while panels pass.
constexpr int64_t kRowBlock = 96;

// kInnerBlock rows of y and x are what a part of xᵀy is summed over at a time.
constexpr int64_t kInnerBlock = 192;

// Fewer columns than this would leave most of a tile empty, and fewer rows do
// not pay for cutting the weights into panels.
constexpr int64_t kNarrow = 8, kShort = 16;

// Aligned holds n floats from the start of a cache line on.
class Aligned {
 public:
  explicit Aligned(int64_t n) : data_(new float[static_cast<size_t>(n + 16)]) {}
  float *get() const {
    auto at = reinterpret_cast<uintptr_t>(data_.get());
    return data_.get() + (64 - at % 64) % 64 / sizeof(float);
  }

 private:
  std::unique_ptr<float[]> data_;
};

inline int64_t panels_size(int64_t K, int64_t N, const Tiles &t) {
  return (N + t.columns - 1) / t.columns * t.columns * K;
}

// times_tiles is x·B with B = wᵀ for w [N, K], or w [K, N].
inline Tensor times_tiles(const Tensor &x, const Tensor &w, bool transposed, const Then &then) {
  const Tiles &t = *tiles();
  const int64_t M = x.size(0), K = x.size(1), N = w.size(transposed ? 0 : 1);
  auto y = at::empty({M, N}, x.options());
  Aligned panels(panels_size(K, N, t));
  if (transposed)
    pack_transposed(w.data_ptr<float>(), K, N, t.columns, panels.get());
  else
    pack(w.data_ptr<float>(), N, K, N, t.columns, panels.get());
  const float *bias = then.bias.defined() ? then.bias.data_ptr<float>() : nullptr;
  const float *like = then.like.defined() ? then.like.data_ptr<float>() : nullptr;
  at::parallel_for(0, (M + kRowBlock - 1) / kRowBlock, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * kRowBlock; i < std::min(M, end * kRowBlock); i += kRowBlock)
      t.rows_times(x.data_ptr<float>() + i * K, K, 1, std::min(kRowBlock, M - i), panels.get(), K, N,
                   y.data_ptr<float>() + i * N, N, false,
                   {bias, then.after, like ? like + i * N : nullptr});
  });
  return y;
}

// finish does what follows a product that another library made.
inline Tensor finish(Tensor y, const Then &then) {
  if (then.bias.defined()) y.add_(then.bias);
  switch (then.after) {
    case After::nothing: return y;
    case After::relu: return y.relu_();
    case After::leaky: return at::leaky_relu_(y, kLeak);
    case After::relu_back: return at::threshold_backward(y, then.like, 0);
    default: return at::leaky_relu_backward(y, then.like, kLeak, true);
  }
}

// times_onednn takes the rows for the pixels of an image whose channels lie
// side by side: nothing is copied.
inline Tensor times_onednn(const Tensor &x, const Tensor &w, bool transposed) {
  const int64_t M = x.size(0), K = x.size(1);
  auto kernel = (transposed ? w : w.t().contiguous()).view({-1, K, 1, 1});
  auto image = x.as_strided({1, K, M, 1}, {M * K, 1, K, K});
  auto y = at::mkldnn_convolution(image, kernel, {}, {0, 0}, {1, 1}, {1, 1}, 1);
  return y.permute({0, 2, 3, 1}).reshape({M, -1});
}

inline Tensor times_by(Maker maker, const Tensor &x, const Tensor &w, bool transposed,
                       const Then &then) {
  switch (maker) {
    case Maker::tiles: return times_tiles(x, w, transposed, then);
    case Maker::onednn: return finish(times_onednn(x, w, transposed), then);
    default: return finish(at::mm(x, transposed ? w.t() : w), then);
  }
}

// across_tiles is xᵀy for x [M, N1], y [M, N2]. Threads share the columns of x,
// so that sums are made in the same order on any number of them.
inline Tensor across_tiles(const Tensor &x, const Tensor &y) {
  const Tiles &t = *tiles();
  const int64_t M = x.size(0), N1 = x.size(1), N2 = y.size(1);
  auto out = at::zeros({N1, N2}, x.options());
  constexpr int64_t run = 48;  // columns, a whole number of tiles
  at::parallel_for(0, (N1 + run - 1) / run, 1, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * run, last = std::min(N1, end * run);
    Aligned panels(panels_size(kInnerBlock, N2, t));
    for (int64_t k = 0; k < M; k += kInnerBlock) {
      const int64_t c = std::min(kInnerBlock, M - k);
      pack(y.data_ptr<float>() + k * N2, N2, c, N2, t.columns, panels.get());
      t.rows_times(x.data_ptr<float>() + k * N1 + first, 1, N1, last - first, panels.get(), c, N2,
                   out.data_ptr<float>() + first * N2, N2, true, {});
    }
  });
  return out;
}

// Pace is how fast each of the makers is, GFLOP/s on one thread; 0 where it
// cannot be had.
struct Pace {
  double of[3] = {0, 0, 0};

  // fastest keeps to our tiles unless another is faster by half: runs of one
  // seed agree to the last bit only if they use the same products, so that the
  // choice must not hang on what else the machine was doing.
  Maker fastest() const {
    const auto best = static_cast<Maker>(std::max_element(of, of + 3) - of);
    return of[0] * 1.5 > of[static_cast<int>(best)] ? Maker::tiles : best;
  }
};

// thread_seconds is the time that the calling thread has had a processor.
inline double thread_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// measured_pace tries the makers in turn, some times, and takes each one's best.
// One thread, by the time that it had: two would wait for each other where other
// work keeps a processor, and not every maker suffers alike.
inline Pace measured_pace() {
  at::NoGradGuard no_grad;
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  constexpr int64_t M = 960, K = 300, N = 600;
  auto x = at::full({M, K}, 0.5), w = at::full({N, K}, 0.25);
  Pace p;
  bool gone[3] = {!tiles(), false, !at::globalContext().userEnabledMkldnn()};
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) {
      if (gone[k]) continue;
      try {
        const double begun = thread_seconds();
        times_by(static_cast<Maker>(k), x, w, true, {});
        p.of[k] = std::max(p.of[k], 2e-9 * M * K * N / (thread_seconds() - begun));
      } catch (const c10::Error &) {
        gone[k] = true;  // libtorch was built without it, or not for this processor
      }
    }
  at::set_num_threads(threads);
  return p;
}

// maker is who makes the products: the fastest here, or whom the environment
// names, for comparisons.
inline Maker maker() {
  static const Maker chosen = [] {
    const char *name = getenv("PACIA_PRODUCT");
    const std::string s = name ? name : "";
    if (s == "tiles" && tiles()) return Maker::tiles;
    if (s == "mkl") return Maker::mkl;
    if (s == "onednn") return Maker::onednn;
    return measured_pace().fastest();
  }();
  return chosen;
}

// times is x·wᵀ for x [M, K] and w [N, K], or with transposed false x·w for w
// [K, N], and then what follows.
inline Tensor times(const Tensor &x, const Tensor &w, bool transposed, const Then &then = {}) {
  if (x.scalar_type() != at::kFloat) return times_by(Maker::mkl, x, w, transposed, then);
  const bool small = x.size(0) < kShort || w.size(transposed ? 0 : 1) < kNarrow;
  return times_by(small ? Maker::mkl : maker(), factor(x).contiguous(), factor(w).contiguous(),
                  transposed, then);
}

// across is xᵀy for x [M, N1], y [M, N2].
inline Tensor across(const Tensor &x, const Tensor &y) {
  if (x.scalar_type() != at::kFloat) return at::mm(x.t(), y);
  auto a = factor(x), b = factor(y);
  if (maker() != Maker::tiles || std::min(x.size(1), y.size(1)) < kNarrow) return at::mm(a.t(), b);
  return across_tiles(a.contiguous(), b.contiguous());
}

}  // namespace pacia

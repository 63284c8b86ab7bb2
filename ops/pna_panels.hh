// Short products: of a chunk of rows that stay in the second cache with a small
// matrix that all chunks share.
//
// Legend: M rows, K inner size, N columns.
#pragma once

#include "product.hh"
#include "rows.hh"
#include "vector.hh"

namespace pacia {

// Panels is B [K, N], cut into panels where tiles make products of it.
template <class T>
class Panels {
 public:
  // B is wᵀ for w [N, K], or w [K, N].
  Panels(const T *w, int64_t K, int64_t N, bool transposed) : K_(K), N_(N) {
    if constexpr (std::is_same_v<T, float>) {
      if (const Tiles *t = tiles()) {
        panels_ = std::make_unique<Aligned>(panels_size(K, N, *t));
        if (transposed)
          pack_transposed(w, K, N, t->columns, panels_->get());
        else
          pack(w, N, K, N, t->columns, panels_->get());
        return;
      }
    }
    rows_.resize(static_cast<size_t>(K * N));
    for (int64_t k = 0; k < K; k++)
      for (int64_t i = 0; i < N; i++)
        rows_[static_cast<size_t>(k * N + i)] = transposed ? w[i * K + k] : w[k * N + i];
  }

  // times makes y = x·B + bias, or adds it to y. Rows of x are lx apart, their
  // entries sx; rows of y are ly apart.
  void times(const T *x, int64_t lx, int64_t sx, int64_t M, T *y, int64_t ly, const T *bias,
             bool add_to) const {
    if constexpr (std::is_same_v<T, float>) {
      if (panels_) {
        tiles()->rows_times(x, lx, sx, M, panels_->get(), K_, N_, y, ly, add_to,
                            {bias, After::nothing, nullptr});
        return;
      }
    }
    for (int64_t i = 0; i < M; i++) {
      T *to = y + i * ly;
      if (!add_to) std::fill_n(to, N_, T(0));
      if (bias) add(to, bias, N_);
      for (int64_t k = 0; k < K_; k++) axpy(to, rows_.data() + k * N_, x[i * lx + k * sx], N_);
    }
  }

 private:
  int64_t K_, N_;
  std::unique_ptr<Aligned> panels_;
  std::vector<T> rows_;  // without tiles
};

// times_into is times with a place for the result, the rows y [M, N], to which
// it is added where add_to says so.
inline void times_into(Tensor y, const Tensor &x, const Tensor &w, bool transposed,
                       const Tensor &bias, bool add_to) {
  const int64_t M = x.size(0), K = x.size(1), N = y.size(1);
  if (x.scalar_type() != at::kFloat || M < kShort || N < kNarrow || maker() != Maker::tiles) {
    auto product = times(x, w, transposed, {bias, After::nothing, {}});
    if (add_to)
      y.add_(product);
    else
      y.copy_(product);
    return;
  }
  auto a = factor(x).contiguous(), b = factor(w).contiguous();
  const Panels<float> panels(b.data_ptr<float>(), K, N, transposed);
  const float *of = bias.defined() ? bias.data_ptr<float>() : nullptr;
  at::parallel_for(0, (M + kRowBlock - 1) / kRowBlock, 1, [&](int64_t begin, int64_t end) {
    const int64_t i = begin * kRowBlock, rows = std::min(M, end * kRowBlock) - i;
    for (int64_t k = 0; k < rows; k += kRowBlock)
      panels.times(a.data_ptr<float>() + (i + k) * K, K, 1, std::min(kRowBlock, rows - k),
                   y.data_ptr<float>() + (i + k) * N, N, of, add_to);
  });
}

}  // namespace pacia

#include "core/libtorch.hh"

#include "product/panels.hh"

#include <algorithm>
#include <type_traits>

#include "product/vector.hh"

namespace pacia {

template <class T>
Panels<T>::Panels(const T *w, int64_t K, int64_t N, bool transposed) : K_(K), N_(N) {
  if constexpr (std::is_same_v<T, float>) {
    if ((tiles_ = tiles())) {
      panels_ = std::make_unique<Room>(packed(w, K, N, transposed, *tiles_));
      return;
    }
  }
  rows_.resize(static_cast<size_t>(K * N));
  for (int64_t k = 0; k < K; k++)
    for (int64_t i = 0; i < N; i++)
      rows_[static_cast<size_t>(k * N + i)] = transposed ? w[i * K + k] : w[k * N + i];
}

template <class T>
void Panels<T>::times(const T *x, int64_t lx, int64_t sx, int64_t M, T *y, int64_t ly,
                      const T *bias, bool add_to) const {
  if constexpr (std::is_same_v<T, float>) {
    if (panels_) {
      tiles_->rows_times(x, lx, sx, M, panels_->get(), K_, N_, y, ly, add_to,
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

template class Panels<float>;
template class Panels<double>;

}  // namespace pacia

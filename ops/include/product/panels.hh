// Products of a short chunk of rows, which stays in the second-level cache, with a small matrix
// that all chunks share.
//
// Legend: M rows, K inner size, N columns.
#pragma once

#include <cstdint>
#include <vector>

#include "tile.hh"

namespace pacia {

// Panels is B [K, N], cut into panels if products by tiles are available. T is float or double.
template <class T>
class Panels {
 public:
  // B is wᵀ for w [N, K], or w [K, N].
  Panels(const T *w, int64_t K, int64_t N, bool transposed);

  // times computes y = x·B + bias, or adds it to y. Rows of x are lx apart and their entries
  // sx; rows of y are ly apart.
  void times(const T *x, int64_t lx, int64_t sx, int64_t M, T *y, int64_t ly, const T *bias,
             bool add_to) const;

 private:
  int64_t K_, N_;
  const Tiles *tiles_ = nullptr;
  std::unique_ptr<Room> panels_;
  std::vector<T> rows_;  // used without tiles
};

}  // namespace pacia

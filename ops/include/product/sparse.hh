// Products with a matrix that is mostly zeros because of ReLU and dropout. Its other entries are
// put on lists, and the rows of the other factor in a list are summed up from the first-level
// cache. With a quarter of the entries non-zero, this takes half of the time of tiles. The time is
// then limited by reads and not by multiplications.
//
// Legend: M rows and K columns of x, T ranges of its rows, N columns of the other factor, l
// number of floats from one of its rows to the next.
#pragma once

#include <ATen/core/Tensor.h>

#include "product/tile.hh"

namespace pacia {

// sparse_pays reports whether this is faster than other products, for the given number of rows
// and share of non-zero entries. It is not if a matrix unit computes products, if factors are rounded to
// bf16, or if libraries compute products.
bool sparse_pays(int64_t rows, double share);

// PaddedMatrix is a matrix [M, N]. Its rows begin at a cache line and end with zeros; l is a multiple
// of the number of entries that where_left processes at a time.
struct PaddedMatrix {
  int64_t M, N, at_once, l;
  Room room;

  PaddedMatrix(int64_t rows, int64_t columns);
  explicit PaddedMatrix(const at::Tensor &x);
  float *row(int64_t i) const { return room.get() + i * l; }
  at::Tensor narrow(const at::Tensor &like) const;  // [M, N]
};

// Sparse is x·f: each row of x [M, K] times the row of f [T, K] for its range of rows, ptr[t]
// to ptr[t+1].
struct Sparse {
  at::Tensor x, f, ptr;  // f is undefined if it is 1, and ptr if there is only one range

  // times_transposed computes y = (x·f)wᵀ [M, N] for w [N, K]. If first [T, N] is defined, the
  // row of the range, or the only row, is added.
  void times_transposed(const at::Tensor &w, const at::Tensor &first, const PaddedMatrix &y) const;

  // across returns yᵀ(x·f) [N, K] for y [M, N]. The order of its sums does not depend on the
  // number of threads.
  at::Tensor across(const PaddedMatrix &y) const;

  // where_left returns y·w [M, K] for y [M, N] and w [N, K] where x is not zero, and zero
  // elsewhere.
  at::Tensor where_left(const PaddedMatrix &y, const at::Tensor &w) const;
};

}  // namespace pacia

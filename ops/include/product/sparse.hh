// Products with a matrix of mostly zeros, as ReLU and dropout leave it. Its other entries go on
// lists, and the rows of the other factor that a list names are summed up from the first cache.
// With a quarter of the numbers left this takes half of the time of tiles. Its time is then spent
// on reading, and no longer on multiplying.
//
// Legend: M rows and K columns of x, T ranges of its rows, N columns of the other factor, l the
// floats from one row of it to the next.
#pragma once

#include <ATen/core/Tensor.h>

#include "product/tile.hh"

namespace pacia {

// sparse_pays says whether products of so many rows are faster so with this share of the numbers
// left: not where a matrix unit makes them, factors are rounded to bf16, or libraries make them.
bool sparse_pays(int64_t rows, double share);

// Wide is a matrix [M, N]. Its rows begin with a line of the cache and end in zeros; l is a
// multiple of the numbers that where_left takes at once.
struct Wide {
  int64_t M, N, at_once, l;
  Room room;

  Wide(int64_t rows, int64_t columns);
  explicit Wide(const at::Tensor &x);
  float *row(int64_t i) const { return room.get() + i * l; }
  at::Tensor narrow(const at::Tensor &like) const;  // [M, N]
};

// Sparse is x·f: x [M, K] times the row of f [T, K] of its range of rows, ptr[t] to ptr[t+1].
struct Sparse {
  at::Tensor x, f, ptr;  // f is undefined where it is 1, and ptr where all is one range

  // times_transposed makes y = (x·f)wᵀ [M, N] for w [N, K], to which the range's row of first
  // [T, N], or its only one, is added, if that is defined.
  void times_transposed(const at::Tensor &w, const at::Tensor &first, const Wide &y) const;

  // across is yᵀ(x·f) [N, K] for y [M, N]. The order of its sums does not depend on the
  // number of threads.
  at::Tensor across(const Wide &y) const;

  // where_left is y·w [M, K] for y [M, N] and w [N, K] where x is not zero, and zero elsewhere.
  at::Tensor where_left(const Wide &y, const at::Tensor &w) const;
};

}  // namespace pacia

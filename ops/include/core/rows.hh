// Sums over rows with common targets, and copies of rows to several places. layers/shared.hh
// has them with gradients.
//
// Legend: n rows that refer to R rows, d width.
#pragma once

#include "core/base.hh"
#include "product/vector.hh"

namespace pacia {

// columns calls f(first, width) on parts of d columns. It runs in parallel if the columns of n
// rows have enough elements. If several rows are added to one, each thread adds its own columns in
// order, so that the sums do not depend on the number of threads.
template <class F>
void columns(int64_t n, int64_t d, const F &f) {
  constexpr int64_t run = 16;  // floats in a cache line
  const int64_t grain = kGrain / std::max<int64_t>(1, n * run) + 1;
  at::parallel_for(0, (d + run - 1) / run, grain, [&](int64_t begin, int64_t end) {
    f(begin * run, std::min(d, end * run) - begin * run);
  });
}

// spread copies to each of n rows its row of x [R, d].
inline Tensor spread(const Tensor &x, const Tensor &row) {
  const int64_t n = row.size(0), d = x.size(1);
  auto out = at::empty({n, d}, x.options());
  const int32_t *of = ints(row);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "spread", [&] {
    const auto *from = x.data_ptr<scalar_t>();
    auto *to = out.data_ptr<scalar_t>();
    rows(n, d, [&](int64_t begin, int64_t end) {
      for (int64_t v = begin; v < end; v++) std::copy_n(from + of[v] * d, d, to + v * d);
    });
  });
  return out;
}

// collect is the backward pass of spread: each of R rows gets the sum of the rows of x [n, d]
// that it was copied to.
inline Tensor collect(const Tensor &x, const Tensor &row, int64_t R) {
  const int64_t n = x.size(0), d = x.size(1);
  auto out = at::zeros({R, d}, x.options());
  const int32_t *of = ints(row);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "collect", [&] {
    const auto *from = x.data_ptr<scalar_t>();
    auto *to = out.data_ptr<scalar_t>();
    columns(n, d, [&](int64_t first, int64_t width) {
      for (int64_t v = 0; v < n; v++) add(to + of[v] * d + first, from + v * d + first, width);
    });
  });
  return out;
}

}  // namespace pacia

// Products of a few rows, such as a task's or two in the hypernetworks. Most of their time is
// reading the weights, so all threads read these once, where they lie. Each thread has columns
// of its own, and an entry's sum does not depend on the number of threads.
//
// Legend: M rows, K inner size, N columns.
#pragma once

#include "product/tile.hh"

namespace pacia {

// Fewer rows than this do not pay for cutting the weights into panels, and fewer columns
// would leave most of a tile empty.
constexpr int64_t kFew = 16, kNarrow = 8;

// Factors are x [M, K] and w, [N, K] or, with transposed false, [K, N].
struct Factors {
  const float *x, *w;
  int64_t M, K, N;
  bool transposed;
};

// few_times makes y = x·wᵀ or x·w [M, N], or adds it to y, for fewer rows than kFew.
void few_times(const Factors &f, float *y, bool add, const Finish &finish);

// narrow_times is few_times for fewer columns than kNarrow of x·wᵀ, and any number of rows.
void narrow_times(const Factors &f, float *y, bool add, const Finish &finish);

// few_across makes out = xᵀy [N1, N2] for x [M, N1] and y [M, N2].
void few_across(const float *x, const float *y, int64_t M, int64_t N1, int64_t N2, float *out);

}  // namespace pacia

// Products of few rows, such as those of one or two tasks in the hypernetworks. Most of their
// time is for reading the weights, so that all threads read them once and in place. Each thread
// has its own columns, and the sum of an entry does not depend on the number of threads.
//
// Legend: M rows, K inner size, N columns.
#pragma once

#include "few.h"
#include "product/tile.hh"

namespace pacia {

// With fewer rows than this, cutting the weights into panels does not pay. With fewer columns,
// most of a tile would be empty.
constexpr int64_t kFew = PACIA_FEW, kNarrow = 8;

// Factors has x [M, K] and w, which is [N, K] or, if transposed is false, [K, N].
struct Factors {
  const float *x, *w;
  int64_t M, K, N;
  bool transposed;
};

// few_times computes y = x·wᵀ or x·w [M, N], or adds it to y, for fewer rows than kFew.
void few_times(const Factors &f, float *y, bool add, const Finish &finish);

// narrow_times is few_times for fewer columns than kNarrow of x·wᵀ, and any number of rows.
void narrow_times(const Factors &f, float *y, bool add, const Finish &finish);

// few_across computes out = xᵀy [N1, N2] for x [M, N1] and y [M, N2].
void few_across(const float *x, const float *y, int64_t M, int64_t N1, int64_t N2, float *out);

}  // namespace pacia

// The term of an edge in a sum: a state plus the embedding of its bond, times a weight.
#pragma once

#include "core/base.hh"

namespace pacia {
namespace {

// message adds a·(x + e) to y.
template <class T>
PACIA_INLINE void message_loop(T *y, const T *x, const T *e, T a, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) y[i] += a * (x[i] + e[i]);
}
PACIA_SIMD void message(float *y, const float *x, const float *e, float a, int64_t d) {
  message_loop(y, x, e, a, d);
}
PACIA_SIMD void message(double *y, const double *x, const double *e, double a, int64_t d) {
  message_loop(y, x, e, a, d);
}

}  // namespace
}  // namespace pacia

// Operations of infer.cc on rows of a state.
//
// Legend: M rows; d width of a state; λ_k and v_k of an atom are kEigen eigenvalues and entries of eigenvectors.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/simd.hh"
#include "gelu.hh"
#include "network.hh"

namespace pacia::minimol {
namespace {

// norm_row computes act(LN(y)), and adds plus [d] if that is not null.
template <Act act>
PACIA_INLINE void norm_row(float *y, int64_t d, const float *gain, const float *offset, const float *plus) {
  float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < d; i++) sum += y[i];
  const float mean = sum / static_cast<float>(d);
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < d; i++) squares += (y[i] - mean) * (y[i] - mean);
  const float scale = 1 / std::sqrt(squares / static_cast<float>(d) + static_cast<float>(kEps));
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    const float x = (y[i] - mean) * scale * gain[i] + offset[i];
    y[i] = act == Act::gelu ? gelu(x) : act == Act::relu && x < 0 ? 0 : x;
  }
  if (plus) {
#pragma omp simd
    for (int64_t i = 0; i < d; i++) y[i] += plus[i];
  }
}

template <Act act>
PACIA_INLINE void norm_rows(float *y, int64_t M, int64_t d, const float *gain, const float *offset, const float *plus) {
  for (int64_t r = 0; r < M; r++) norm_row<act>(y + r * d, d, gain, offset, plus ? plus + r * d : nullptr);
}
PACIA_SIMD void norm_none(float *y, int64_t M, int64_t d, const float *gain, const float *offset) {
  norm_rows<Act::none>(y, M, d, gain, offset, nullptr);
}
PACIA_SIMD void norm_relu(float *y, int64_t M, int64_t d, const float *gain, const float *offset) {
  norm_rows<Act::relu>(y, M, d, gain, offset, nullptr);
}
PACIA_SIMD void norm_gelu(float *y, int64_t M, int64_t d, const float *gain, const float *offset, const float *plus) {
  norm_rows<Act::gelu>(y, M, d, gain, offset, plus);
}

// message adds ReLU(x + kind) [d] to sum.
PACIA_SIMD void message(float *sum, const float *x, const float *kind, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) {
    const float z = x[i] + kind[i];
    sum[i] += z < 0 ? 0 : z;
  }
}

// both_signs computes Σ_k (ReLU(a λ_k + b v_k + c) + ReLU(a λ_k − b v_k + c))/2 [d], and
// one_sign Σ_k ReLU(a λ_k + b v_k + c).
PACIA_SIMD void both_signs(const float *values, const float *vectors, const float *a, const float *b, const float *c, int64_t d, float *out) {
  for (int64_t i = 0; i < d; i++) out[i] = 0;
  for (int64_t k = 0; k < kEigen; k++) {
    const float l = values[k], v = vectors[k];
#pragma omp simd
    for (int64_t i = 0; i < d; i++) {
      const float z = a[i] * l + c[i], s = b[i] * v, p = z + s, m = z - s;
      out[i] += ((p < 0 ? 0 : p) + (m < 0 ? 0 : m)) / 2;
    }
  }
}
PACIA_SIMD void one_sign(const float *values, const float *vectors, const float *a, const float *b, const float *c, int64_t d, float *out) {
  for (int64_t i = 0; i < d; i++) out[i] = 0;
  for (int64_t k = 0; k < kEigen; k++) {
    const float l = values[k], v = vectors[k];
#pragma omp simd
    for (int64_t i = 0; i < d; i++) {
      const float z = a[i] * l + b[i] * v + c[i];
      out[i] += z < 0 ? 0 : z;
    }
  }
}

PACIA_SIMD void raise(float *most, const float *x, int64_t d) {
#pragma omp simd
  for (int64_t i = 0; i < d; i++) most[i] = x[i] > most[i] ? x[i] : most[i];
}

}  // namespace
}  // namespace pacia::minimol

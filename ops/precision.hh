// The precision of the factors of matrix products, as the matrix units of
// processors and GPUs take them: products and sums are of 24 bits in any case.
//
//   float32  24 bits of mantissa, as stored
//   tf32     11 bits
//   bf16     8 bits
#pragma once

#include <atomic>

#include "base.hh"

namespace pacia {

enum class Precision : int { float32, tf32, bf16 };

inline std::atomic<Precision> &precision() {
  static std::atomic<Precision> chosen{Precision::float32};
  return chosen;
}

// round_to keeps the upper bits of each number but for the lowest `drop` ones,
// to the nearest, in the middle to the even one.
PACIA_INLINE void round_to_loop(const float *x, float *y, int64_t n, uint32_t drop) {
  const uint32_t half = (1u << (drop - 1)) - 1, mask = ~((1u << drop) - 1), infinite = 0x7f800000u;
#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    uint32_t bits;
    std::memcpy(&bits, x + i, sizeof bits);
    const uint32_t rounded = (bits + half + ((bits >> drop) & 1)) & mask;
    bits = (bits & infinite) == infinite ? bits : rounded;
    std::memcpy(y + i, &bits, sizeof bits);
  }
}
PACIA_SIMD void round_to(const float *x, float *y, int64_t n, uint32_t drop) {
  round_to_loop(x, y, n, drop);
}

// factor is x as a factor of a product: x itself in float32.
inline Tensor factor(const Tensor &x) {
  const Precision p = precision();
  if (p == Precision::float32) return x;
  auto in = x.contiguous(), out = at::empty_like(in);
  at::parallel_for(0, in.numel(), kGrain, [&](int64_t a, int64_t b) {
    round_to(in.data_ptr<float>() + a, out.data_ptr<float>() + a, b - a, p == Precision::tf32 ? 13 : 16);
  });
  return out;
}

}  // namespace pacia

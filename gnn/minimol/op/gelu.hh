// GELU of float32, x Φ(x), by a polynomial, and the parts of its slope.
#pragma once

#include "core/simd.hh"

namespace pacia::minimol {
namespace {

// phi is (Φ(x) − ½)/x for the normal distribution Φ, as a polynomial of x² on −5 to 5 with an
// error of 3e-7 x². It was fitted by least squares with weights that follow the error.
constexpr float kPhi[] = {0.141363785f, -0.0702966451f, 0.0515214317f, -0.0404331423f, 0.0314261913f, -0.02333517f, 0.0164971538f,
                          -0.0109782116f, 0.0061682458f, -0.00290895789f, 0.00199716073f, -0.00151735637f, 0.000495475484f};
PACIA_INLINE float phi(float square) {
  const float t = square * 0.08f - 1;
  float p = kPhi[12];
#pragma GCC unroll 12
  for (int i = 11; i >= 0; i--) p = p * t + kPhi[i];
  return p;
}

// phi_slope is the derivative of phi with respect to x².
PACIA_INLINE float phi_slope(float square) {
  const float t = square * 0.08f - 1;
  float p = 12 * kPhi[12];
#pragma GCC unroll 12
  for (int i = 11; i >= 1; i--) p = p * t + static_cast<float>(i) * kPhi[i];
  return p * 0.08f;
}

PACIA_INLINE float gelu(float x) {
  const float low = x < -5 ? -5 : x, c = low > 5 ? 5 : low;
  return x * (0.5f + c * phi(c * c));
}

}  // namespace
}  // namespace pacia::minimol

// The three numbers η of a task's Gaussian process, in the form in which they are optimised.
//
//   ν = 1e-4 + softplus(η_ν)   variance of the labels' noise
//   s² = softplus(η_s)         variance of the function
//   ℓ = softplus(η_ℓ)          length scale
#pragma once

#include <array>
#include <cmath>

namespace pacia {

using Three = std::array<double, 3>;
using Nine = std::array<Three, 3>;

constexpr size_t kNoise = 0, kScale = 1, kLength = 2;
constexpr double kLeastNoise = 1e-4f;  // rounded to float32, as in the published code

inline double softplus(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }
inline double unsoftplus(double y) { return y > 30 ? y : std::log(std::expm1(y)); }

// Numbers has ν, s² and ℓ with their first and second derivatives with respect to η.
struct Numbers {
  Three value, first, second;

  explicit Numbers(const Three &raw) {
    for (size_t i = 0; i < 3; i++) {
      const double slope = 1 / (1 + std::exp(-raw[i]));
      value[i] = softplus(raw[i]);
      first[i] = slope;
      second[i] = slope * (1 - slope);
    }
    value[kNoise] += kLeastNoise;
  }
  double noise() const { return value[kNoise]; }
  double scale() const { return value[kScale]; }
  double length() const { return value[kLength]; }
};

// LogNormal is the prior of ν or of ℓ, with scale ¼ and the given mode.
struct LogNormal {
  static constexpr double variance = 1.0 / 16;
  double location;

  explicit LogNormal(double mode) : location(std::log(mode) + variance) {}
  // −log p(x), its first and second derivative with respect to x, and the derivative of the
  // first with respect to the location.
  double loss(double x) const {
    const double z = std::log(x) - location;
    return std::log(x) + z * z / (2 * variance) + 0.5 * std::log(2 * M_PI * variance);
  }
  double first(double x) const { return (1 + (std::log(x) - location) / variance) / x; }
  double second(double x) const { return (1 / variance - 1 - (std::log(x) - location) / variance) / (x * x); }
  double moved(double x) const { return -1 / (variance * x); }
};

inline double largest(const Three &x) { return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}); }

// solved sets x to the solution of (H + damping·I) x = b, by Cholesky factorisation. It returns
// false if the matrix is not positive definite or the solution is not finite.
inline bool solved(Nine H, double damping, const Three &b, Three &x) {
  for (size_t i = 0; i < 3; i++) {
    H[i][i] += damping;
    for (size_t j = 0; j <= i; j++) {
      double sum = H[i][j];
      for (size_t k = 0; k < j; k++) sum -= H[i][k] * H[j][k];
      if (i != j) H[i][j] = sum / H[j][j];
      else if (!(sum > 0)) return false;
      else H[i][i] = std::sqrt(sum);
    }
  }
  for (size_t i = 0; i < 3; i++) {
    x[i] = b[i];
    for (size_t k = 0; k < i; k++) x[i] -= H[i][k] * x[k];
    x[i] /= H[i][i];
  }
  for (size_t i = 3; i-- > 0;) {
    for (size_t k = i + 1; k < 3; k++) x[i] -= H[k][i] * x[k];
    x[i] /= H[i][i];
  }
  return std::isfinite(largest(x));
}

}  // namespace pacia

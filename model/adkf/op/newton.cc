// The minimum of L(η) by Newton's method. Steps are damped where L is not convex or a step is
// too long.
#include "core/libtorch.hh"

#include "process.hh"

namespace pacia {

namespace {

// If labels do not depend on the vectors, L has no minimum: it keeps decreasing as s² → 0. Below
// this limit, s² = 5e-5, scores would only lose digits.
constexpr double kLeastScale = -10;

constexpr int kSteps = 200, kTries = 40;
constexpr double kLongest = 2;     // the longest step in each number
constexpr double kFlat = 1e-13;    // gradient at a minimum
constexpr double kNearly = 1e-8;   // below this gradient, rounding may hide that L decreases
constexpr double kRounding = 1e-13;

// held marks the number at its limit.
Fitted held(Fitted f) {
  f.held[kScale] = f.raw[kScale] <= kLeastScale && f.gradient[kScale] > 0;
  return f;
}

// free returns a vector with zeros for held numbers.
Three free(const Fitted &f, Three x) {
  for (size_t i = 0; i < 3; i++)
    if (f.held[i] != 0) x[i] = 0;
  return x;
}

double slope(const Fitted &f) { return largest(free(f, f.gradient)); }

// better reports whether a step is an improvement: L decreases or, within rounding, its gradient
// does.
bool better(const Fitted &to, const Fitted &from) {
  if (!to.marginal.sound) return false;
  if (to.loss < from.loss - kRounding * (1 + std::abs(from.loss))) return true;
  return to.loss <= from.loss + kRounding * (1 + std::abs(from.loss)) && slope(to) < slope(from);
}

}  // namespace

bool newton_step(const Fitted &f, double damping, const Three &b, Three &x) {
  Nine H = f.hessian;
  for (size_t i = 0; i < 3; i++)
    if (f.held[i] != 0) {
      for (size_t j = 0; j < 3; j++) H[i][j] = H[j][i] = 0;
      H[i][i] = 1;
    }
  return solved(H, damping, free(f, b), x);
}

Fitted Support::fit() const {
  Fitted f = held(at(start()));
  double damping = 0;
  for (int step = 0; step < kSteps && f.marginal.sound && slope(f) > kFlat; step++) {
    bool moved = false;
    const double size = std::max({largest(f.hessian[0]), largest(f.hessian[1]), largest(f.hessian[2])});
    for (int i = 0; i < kTries && !moved; i++) {
      Three x;
      if (newton_step(f, damping, f.gradient, x)) {
        const double shorter = std::min(1.0, kLongest / std::max(largest(x), kLongest));
        Three to = f.raw;
        for (size_t k = 0; k < 3; k++) to[k] -= shorter * x[k];
        to[kScale] = std::max(to[kScale], kLeastScale);
        Fitted next = held(at(to));
        moved = better(next, f);
        if (moved) f = next;
        else if (slope(f) < kNearly) return f;
      }
      damping = moved ? damping / 10 : std::max(10 * damping, 1e-3 * size);
    }
    if (damping < 1e-6 * size) damping = 0;
    if (!moved) break;
  }
  return f;
}

}  // namespace pacia

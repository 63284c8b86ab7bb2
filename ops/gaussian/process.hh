// A Gaussian process with Matérn's kernel 5/2 and its marginal likelihood, in
// float64 on the CPU:
//
//   k = (1 + r + r²/3) e^(−r),  r = √5·|f − f'|/ℓ,  C = s² k + ν I
//
// Everything depends on the vectors f through their squared distances D alone, and
// nothing is singular at D = 0.
//
// Legend: n molecules, d width; t [n] targets of −1 and 1, α = C⁻¹ t.
#pragma once

#include "core/base.hh"
#include "numbers.hh"

namespace pacia {

// distances are squared, of the rows of x [n, d] to each other: [n, n]. Those that are
// within float32's rounding of 0 are 0.
Tensor distances(const Tensor &x);

// distances_back is the gradient [n, d] of rows x by that of their distances, G [n, n].
Tensor distances_back(const Tensor &x, const Tensor &G);

// Kernel is k of distances D by the numbers, with its derivatives.
struct Kernel {
  Tensor k;      // [n, n]
  Tensor by_l;   // ∂k/∂ℓ
  Tensor by_ll;  // ∂²k/∂ℓ²
  Tensor by_D;   // ∂k/∂D
  Tensor by_Dl;  // ∂²k/∂D∂ℓ

  Kernel(const Tensor &D, double length);
};

// Marginal is −log N(t; 0, C) with its derivative by C.
struct Marginal {
  bool sound;        // C has a Cholesky factor; where not, nothing else is there
  double loss;       // ½ tᵀα + ½ log |C| + n/2 log 2π
  Tensor inverse;    // C⁻¹ [n, n]
  Tensor alpha;      // [n]
  Tensor slope;      // ∂/∂C = ½ (C⁻¹ − α αᵀ)

  Marginal(const Kernel &k, const Tensor &t, const Numbers &eta);

  // by are the derivatives by ν, s² and ℓ.
  Three by(const Kernel &k, const Numbers &eta) const;

  // turned is how the derivative by C changes as C moves by dC.
  Tensor turned(const Tensor &dC) const;
};

// Fitted is the fit to a support set: its process at a given point η, or at a minimum of
// the loss
//
//   L(η) = −[log N(t; 0, C) + log p(ν) + log p(ℓ)]/N
struct Fitted {
  Three raw;
  Numbers eta;
  Kernel kernel;
  Marginal marginal;
  double loss;
  Three gradient;  // of L by η
  Nine hessian;
  Three held;      // 1 where a number is at its limit and cannot go where L falls

  // correction is (∂²L/∂D∂η)ᵀ v [N, N].
  Tensor correction(const Three &v) const;
};

// newton_step is whether x is the solution of (H + damping·I) x = b without the numbers
// that are held, which do not move.
bool newton_step(const Fitted &f, double damping, const Three &b, Three &x);

// Support is a task's support set.
class Support {
 public:
  Support(const Tensor &D, const Tensor &t);

  // at is the process at η.
  Fitted at(const Three &raw) const;
  // start is where a task begins: ν = 0.1, η_s = 0, ℓ = ℓ₀.
  Three start() const { return {unsoftplus(0.1 - kLeastNoise), 0, unsoftplus(median_)}; }
  // fit minimises from the start.
  Fitted fit() const;
  // scale_back adds to the gradient G by D the part of the prior's mode ℓ₀, for
  // cotangents c of ∂L/∂η. ℓ₀ is the distance of two molecules, which get this part.
  void scale_back(const Fitted &f, const Three &c, Tensor &G) const;

 private:
  Tensor D_, t_;
  double n_, median_;              // ℓ₀
  int64_t left_ = -1, right_ = -1;  // the molecules that ℓ₀ is the distance of; −1: none
  LogNormal noise_, length_;
};

}  // namespace pacia

// A Gaussian process with a Matérn 5/2 kernel, and its marginal likelihood, in float64 on the
// CPU:
//
//   k = (1 + r + r²/3) e^(−r),  r = √5·|f − f'|/ℓ,  C = s² k + ν I
//
// All results depend on the vectors f only through their squared distances D, and are regular
// at D = 0.
//
// Legend: n molecules, d width; t [n] targets of −1 and 1, α = C⁻¹ t.
#pragma once

#include "core/base.hh"
#include "numbers.hh"

namespace pacia {

// distances returns the squared distances [n, n] between the rows of x [n, d]. Distances within
// float32's rounding of 0 are set to 0.
Tensor distances(const Tensor &x);

// distances_back returns the gradient [n, d] of rows x, from the gradient G [n, n] of their
// distances.
Tensor distances_back(const Tensor &x, const Tensor &G);

// Kernel is k of distances D for the given numbers, with its derivatives.
struct Kernel {
  Tensor k;      // [n, n]
  Tensor by_l;   // ∂k/∂ℓ
  Tensor by_ll;  // ∂²k/∂ℓ²
  Tensor by_D;   // ∂k/∂D
  Tensor by_Dl;  // ∂²k/∂D∂ℓ

  Kernel(const Tensor &D, double length);
};

// Marginal is −log N(t; 0, C) with its derivative with respect to C.
struct Marginal {
  bool sound;        // C has a Cholesky factor and the loss is finite; otherwise the other values are not valid
  double loss;       // ½ tᵀα + ½ log |C| + n/2 log 2π
  Tensor inverse;    // C⁻¹ [n, n]
  Tensor alpha;      // [n]
  Tensor slope;      // ∂/∂C = ½ (C⁻¹ − α αᵀ)

  Marginal(const Kernel &k, const Tensor &t, const Numbers &eta);

  // by returns the derivatives with respect to ν, s² and ℓ.
  Three by(const Kernel &k, const Numbers &eta) const;

  // turned returns the change of the derivative with respect to C if C changes by dC.
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
  Three gradient;  // of L with respect to η
  Nine hessian;
  Three held;      // 1 if a number is at its limit and L decreases beyond it

  // correction returns (∂²L/∂D∂η)ᵀ v [N, N].
  Tensor correction(const Three &v) const;
};

// newton_step sets x to the solution of (H + damping·I) x = b, in which held numbers do not
// change. It returns false if the matrix is not positive definite or the solution is not
// finite.
bool newton_step(const Fitted &f, double damping, const Three &b, Three &x);

// Support is the support set of a task.
class Support {
 public:
  Support(const Tensor &D, const Tensor &t);

  // at returns the process at η.
  Fitted at(const Three &raw) const;
  // start returns the initial point: ν = 0.1, η_s = 0, ℓ = ℓ₀.
  Three start() const { return {unsoftplus(0.1 - kLeastNoise), 0, unsoftplus(median_)}; }
  // fit minimises the loss from the initial point.
  Fitted fit() const;
  // scale_back adds to the gradient G with respect to D the contribution of the prior's mode
  // ℓ₀, for cotangents c of ∂L/∂η. ℓ₀ depends on the distance of only two molecules, which get
  // this contribution.
  void scale_back(const Fitted &f, const Three &c, Tensor &G) const;

 private:
  Tensor D_, t_;
  double n_, median_;              // ℓ₀
  int64_t left_ = -1, right_ = -1;  // the molecules whose distance gives ℓ₀, or −1
  LogNormal noise_, length_;
};

}  // namespace pacia

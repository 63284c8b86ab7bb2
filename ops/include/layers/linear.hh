// A linear layer and the steps that may follow it, as one operation.
//
// Legend: R rows, in and out widths.
#pragma once

#include "dropout.hh"

namespace pacia {

// Follow selects the steps after y = x Wᵀ + b: LeakyReLU, then the addition of x, then dropout.
struct Follow {
  bool leaks = false, residual = false;
  Dropout dropout;
};

// layer returns x Wᵀ + b for x [..., in], W [out, in], with the steps of f applied.
Tensor layer(Plain, const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f);
Tensor layer(Loops, const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f);
Tensor layer(Kernels, const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f);

// layer_of_left is layer without following steps, for an x with many zeros from ReLU and
// dropout; share is its expected share of non-zero entries. The gradient of x is not needed
// where x is zero, and may have any value there.
template <class Path>
Tensor layer_of_left(Path, const Tensor &x, const Tensor &w, const Tensor &b, double) {
  return layer(Path{}, x, w, b, {});
}
Tensor layer_of_left(Loops, const Tensor &x, const Tensor &w, const Tensor &b, double share);

// after_product launches the steps from z = x Wᵀ [R, out] to the layer's output. It works in
// place unless x is added.
Tensor after_product(const Tensor &z, const Tensor &b, const Tensor &x, const Follow &f);

// Slope is the factor of a gradient where the activation's output is not positive. like has the
// signs of the output; it may be undefined.
struct Slope {
  Tensor like;
  double slope;
};

// sums_back computes from g [R, d] the gradient before an activation and a dropout, dz, and, if
// masked is defined, the gradient before the dropout only. dz may be g, or undefined if only
// its sums are needed. It returns the sums of dz over the rows [d], in a fixed order.
Tensor sums_back(const Tensor &g, const Slope &after, const Dropout &drop, const Tensor &masked,
                 const Tensor &dz);

}  // namespace pacia

// A linear layer with all that may follow it, as one operation.
//
// Legend: R rows, in and out widths.
#pragma once

#include "dropout.hh"

namespace pacia {

// Follow lists the steps after y = x Wᵀ + b: LeakyReLU, then x is added, then dropout.
struct Follow {
  bool leaks = false, residual = false;
  Dropout dropout;
};

// layer is x Wᵀ + b for x [..., in], W [out, in], and the steps after it.
Tensor layer(Plain, const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f);
Tensor layer(Loops, const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f);
Tensor layer(Kernels, const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f);

// layer_of_left is layer without anything that follows, for an x with only this share left by
// ReLU and dropout: its gradient where x is zero is not asked for, and may be anything.
template <class Path>
Tensor layer_of_left(Path, const Tensor &x, const Tensor &w, const Tensor &b, double) {
  return layer(Path{}, x, w, b, {});
}
Tensor layer_of_left(Loops, const Tensor &x, const Tensor &w, const Tensor &b, double share);

// after_product launches what makes of z = x Wᵀ [R, out], in place unless x is
// added, the layer's output.
Tensor after_product(const Tensor &z, const Tensor &b, const Tensor &x, const Follow &f);

// Slope is the factor of a gradient where the activation's output is not positive. like has the
// output's signs, and may be undefined.
struct Slope {
  Tensor like;
  double slope;
};

// sums_back launches what makes of g [R, d] the gradient before an activation and
// a dropout, dz, and, where it is defined, masked, that before the dropout alone.
// dz may be g, or undefined where only its sums are wanted. It returns these,
// over the rows, in an order of their own: [d].
Tensor sums_back(const Tensor &g, const Slope &after, const Dropout &drop, const Tensor &masked,
                 const Tensor &dz);

}  // namespace pacia

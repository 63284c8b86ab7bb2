// Vectors of length 1.
#pragma once

#include <ATen/ops/norm.h>

#include "core/base.hh"

namespace pacia {

// unit gives the rows of x [n, d] length 1; those of zeros stay what they are.
inline Tensor unit(const Tensor &x) { return x / x.norm(2, -1, /*keepdim=*/true).clamp_min(kLeastLength); }

}  // namespace pacia

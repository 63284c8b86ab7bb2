// Vectors of length 1.
#pragma once

#include <ATen/ops/norm.h>

#include "core/base.hh"

namespace pacia {

// kShortest replaces the length of shorter rows. The gradient of a row of zeros, which a
// network with rectified units may produce, is therefore finite.
constexpr double kShortest = 1e-3;

// unit scales the rows of x [n, d] to length 1.
inline Tensor unit(const Tensor &x) { return x / x.norm(2, -1, /*keepdim=*/true).clamp_min(kShortest); }

}  // namespace pacia

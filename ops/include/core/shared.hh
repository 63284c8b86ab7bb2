// Constants, formulas and arguments that the C++ code of ops has in common with the kernels.
#pragma once

#include <cstdint>

namespace pacia {
#include "../../../cuda/kernels/arguments.cuh"
#include "../../../cuda/kernels/shared.cuh"
}  // namespace pacia

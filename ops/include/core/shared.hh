// Constants, formulas and arguments that the C++ here shares with the kernels.
#pragma once

#include <cstdint>

namespace pacia {
#include "../../../cuda/kernels/arguments.cuh"
#include "../../../cuda/kernels/shared.cuh"
}  // namespace pacia

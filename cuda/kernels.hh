// All kernels as C++ functions for the emulator, in pacia::f32 and pacia::f64. ops also checks
// the arguments of a launch against their types.
#pragma once

#include "emulator.hh"

#define PACIA_KERNELS "kernels.inc"

namespace pacia {
#include "kernels/arguments.cuh"
#include "kernels/shared.cuh"
}  // namespace pacia

namespace pacia::f32 {
using std::exp, std::fabs, std::log, std::pow, std::sqrt;
typedef float real;
#include PACIA_KERNELS
}  // namespace pacia::f32

namespace pacia::f64 {
using std::exp, std::fabs, std::log, std::pow, std::sqrt;
typedef double real;
#include PACIA_KERNELS
}  // namespace pacia::f64

#undef PACIA_KERNELS
#undef KERNEL
#undef DEVICE
#undef SHARED

// One row of the table of operations.
#pragma once

#include "op.h"

namespace pacia {

class Args;

// Tags of the forms of an operation. Plain is a few calls of ATen; it is differentiable twice
// and defines the operation. Loops uses loops on the CPU, and Kernels uses kernels of package
// cuda. A step with several forms is overloaded on these tags.
struct Plain {};
struct Loops {};
struct Kernels {};

using Form = void (*)(Args &);

}  // namespace pacia

// Loops and kernels are null if an operation has none; then its plain form runs.
struct pacia_op {
  const char *name;
  pacia::Form plain, loops, kernels;
};

// One row of the table of operations.
#pragma once

#include "op.h"

namespace pacia {

class Args;

// Tags of the ways in which an operation runs: by a few calls of ATen,
// differentiable twice, which are its definition; by loops for the CPU; by
// kernels of package cuda. A step that has several forms is overloaded on them.
struct Plain {};
struct Loops {};
struct Kernels {};

using Form = void (*)(Args &);

}  // namespace pacia

// Loops and kernels are null where an operation has none: then plain runs.
struct pacia_op {
  const char *name;
  pacia::Form plain, loops, kernels;
};

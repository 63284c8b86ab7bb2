// Entries of the table of operations, which are in the files that define the operations.
#pragma once

#include "core/op.hh"

namespace pacia {

// Entered adds a row to the table when the program starts.
struct Entered {
  explicit Entered(const pacia_op &row);
};

}  // namespace pacia

#define PACIA_ENTER(name, op, loops, kernels)                            \
  static const pacia_op op##_row{name, op<Plain>, loops, kernels}; \
  static const Entered op##_entered{op##_row};

// These macros register the name of an operation and its function, a template of the path. The
// operation has only its plain form, or also loops, kernels or both.
#define PACIA_OP(name, op) PACIA_ENTER(name, op, nullptr, nullptr)
#define PACIA_OP_LOOPS(name, op) PACIA_ENTER(name, op, op<Loops>, nullptr)
#define PACIA_OP_KERNELS(name, op) PACIA_ENTER(name, op, nullptr, op<Kernels>)
#define PACIA_OP_ALL(name, op) PACIA_ENTER(name, op, op<Loops>, op<Kernels>)

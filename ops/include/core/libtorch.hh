// The headers of libtorch that most operations need, and those of the standard library. Compiling
// them takes longer than the rest of a file, so scripts/precompile compiles them once. The compiler
// uses the result only if this header is the first one of a file. Other headers of ATen/ops are
// included by the files that need them.
#pragma once

// No loop here depends on floating-point exceptions or errno. Without them the compiler may compute
// both sides of a condition, which vectorisation needs. The pragma precedes all functions, because a
// function with other options, such as std::abs, cannot be inlined into the loops.
#pragma GCC optimize("no-trapping-math", "no-math-errno")

#define AT_PER_OPERATOR_HEADERS
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/bucketize.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

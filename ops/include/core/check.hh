// Checks of arguments. The loops of ops rely on valid offsets, row numbers and shapes, so that
// all of these must be checked first. ATen checks its own arguments.
#pragma once

#include "base.hh"

namespace pacia {

constexpr int64_t kAny = -1;

std::string sizes_text(at::IntArrayRef sizes);

// expect throws if t is undefined or does not have the given sizes.
void expect(const char *name, const Tensor &t, at::IntArrayRef want);

// expect_offsets throws if offsets do not end at the number of rows. Go checks that they ascend
// from 0. The check is skipped where no loops run: on another device it would wait for the
// device, and kernels treat rows after the last segment as padding.
void expect_offsets(const char *name, const Tensor &ptr, int64_t rows);

// expect_below throws if an entry of t [n] is not in 0..limit−1.
void expect_below(const char *name, const Tensor &t, int64_t limit);

}  // namespace pacia

// Checks at the boundary: the loops of this layer trust offsets, row numbers
// and shapes, so none may reach them unchecked. ATen checks its own.
#pragma once

#include "base.hh"

namespace pacia {

constexpr int64_t kAny = -1;

std::string sizes_text(at::IntArrayRef sizes);

// expect throws where t is not there or not of the wanted sizes.
void expect(const char *name, const Tensor &t, at::IntArrayRef want);

// expect_offsets throws where offsets do not end at the number of rows. That
// they ascend from 0 is checked where Go makes them. Only where loops may run:
// on another device the look would wait for it, and kernels take rows after the
// last segment for padding.
void expect_offsets(const char *name, const Tensor &ptr, int64_t rows);

// expect_below throws where an entry of t [n] is not one of 0..limit−1.
void expect_below(const char *name, const Tensor &t, int64_t limit);

}  // namespace pacia

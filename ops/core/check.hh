// Checks at the boundary: the loops of this layer trust offsets, row numbers
// and shapes, so none may reach them unchecked. ATen checks its own.
#pragma once

#include "base.hh"
#include "emulation.hh"

namespace pacia {

constexpr int64_t kAny = -1;

inline std::string sizes_text(at::IntArrayRef sizes) {
  std::string s = "[";
  for (size_t i = 0; i < sizes.size(); i++) {
    if (i > 0) s += ", ";
    s += sizes[i] == kAny ? "any" : std::to_string(sizes[i]);
  }
  return s + "]";
}

// expect throws where t is not there or not of the wanted sizes.
inline void expect(const char *name, const Tensor &t, at::IntArrayRef want) {
  if (!t.defined())
    throw std::invalid_argument(std::string(name) + " is missing; its shape is to be " + sizes_text(want));
  bool same = t.dim() == static_cast<int64_t>(want.size());
  for (size_t i = 0; same && i < want.size(); i++)
    same = want[i] == kAny || t.size(static_cast<int64_t>(i)) == want[i];
  if (!same)
    throw std::invalid_argument(std::string(name) + " has shape " + sizes_text(t.sizes()) + ", not " +
                                sizes_text(want));
}

// expect_offsets throws where offsets do not end at the number of rows. That
// they ascend from 0 is checked where Go makes them. Only where loops may run:
// on another device the look would wait for it, and kernels take rows after the
// last segment for padding.
inline void expect_offsets(const char *name, const Tensor &ptr, int64_t rows) {
  expect(name, ptr, {kAny});
  if (!by_loops(ptr)) return;
  const int64_t n = ptr.size(0), last = n > 0 ? ints(ptr)[n - 1] : -1;
  if (last != rows)
    throw std::invalid_argument(std::string(name) + " end at row " + std::to_string(last) + " of " +
                                std::to_string(rows));
}

// expect_below throws where an entry of t [n] is not one of 0..limit−1.
inline void expect_below(const char *name, const Tensor &t, int64_t limit) {
  expect(name, t, {kAny});
  if (!by_loops(t)) return;
  const int32_t *v = ints(t);
  for (int64_t i = 0; i < t.size(0); i++)
    if (v[i] < 0 || v[i] >= limit)
      throw std::invalid_argument(std::string(name) + ": entry " + std::to_string(i) + " is " +
                                  std::to_string(v[i]) + ", out of range of 0 to " +
                                  std::to_string(limit - 1));
}

}  // namespace pacia

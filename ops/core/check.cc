#include "core/libtorch.hh"

#include "core/check.hh"

#include "core/emulation.hh"

namespace pacia {

std::string sizes_text(at::IntArrayRef sizes) {
  std::string s = "[";
  for (size_t i = 0; i < sizes.size(); i++) {
    if (i > 0) s += ", ";
    s += sizes[i] == kAny ? "any" : std::to_string(sizes[i]);
  }
  return s + "]";
}

void expect(const char *name, const Tensor &t, at::IntArrayRef want) {
  if (!t.defined())
    throw std::invalid_argument(std::string(name) + " is missing; its shape must be " + sizes_text(want));
  bool same = t.dim() == static_cast<int64_t>(want.size());
  for (size_t i = 0; same && i < want.size(); i++)
    same = want[i] == kAny || t.size(static_cast<int64_t>(i)) == want[i];
  if (!same)
    throw std::invalid_argument(std::string(name) + " has shape " + sizes_text(t.sizes()) + ", not " +
                                sizes_text(want));
}

void expect_offsets(const char *name, const Tensor &ptr, int64_t rows) {
  expect(name, ptr, {kAny});
  if (!by_loops(ptr)) return;
  const int64_t n = ptr.size(0), last = n > 0 ? ints(ptr)[n - 1] : -1;
  if (last != rows)
    throw std::invalid_argument(std::string(name) + " end at row " + std::to_string(last) + " of " +
                                std::to_string(rows));
}

void expect_below(const char *name, const Tensor &t, int64_t limit) {
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

// Sums and maxima over segments of rows in plain calls of ATen that do not wait for the device.
// Rows after the last segment are padding.
//
// Legend: n segments.
#pragma once

#include "base.hh"

namespace pacia {

// owners [rows] returns the segment of each row, from offsets. Padding belongs to an additional
// segment, which added and highest omit. Unlike segments, this function takes the number of
// rows, and so does not wait for the device.
inline Tensor owners(const Tensor &ptr, int64_t rows) {
  auto ends = ptr.slice(0, 1).contiguous();
  return at::bucketize(at::arange(rows, ptr.options()), ends, /*out_int32=*/false, /*right=*/true);
}

// added [segments, …] returns the sum of each segment's rows of x.
inline Tensor added(const Tensor &x, const Tensor &owner, int64_t segments) {
  auto sizes = x.sizes().vec();
  sizes[0] = segments + 1;
  return at::zeros(sizes, x.options()).index_add(0, owner, x).slice(0, 0, segments);
}

// highest [segments, …] returns the maximum of each segment's rows of x and of least.
inline Tensor highest(const Tensor &x, const Tensor &owner, int64_t segments, double least) {
  auto sizes = x.sizes().vec(), wide = owner.sizes().vec();
  sizes[0] = segments + 1;
  wide.resize(sizes.size(), 1);
  return at::full(sizes, least, x.options())
      .scatter_reduce(0, owner.view(wide).expand_as(x), x, "amax").slice(0, 0, segments);
}

// of_owner [rows, …] returns for each row the entry of x [segments, …] for its segment. Padding
// gets the entry of the last segment; callers do not use it.
inline Tensor of_owner(const Tensor &x, const Tensor &owner) {
  return x.index_select(0, owner.clamp_max(x.size(0) - 1));
}

}  // namespace pacia

// Sums and maxima over segments of rows in plain calls of ATen that ask no device
// for a number. Rows after the last segment are padding.
//
// Legend: n segments.
#pragma once

#include "base.hh"

namespace pacia {

// owners [rows] is the segment of each of so many rows, by offsets. Rows after
// the last segment's are padding: they belong to one more, which added and
// highest leave out. Unlike segments, it gets the number of rows and asks no
// device.
inline Tensor owners(const Tensor &ptr, int64_t rows) {
  auto ends = ptr.slice(0, 1).contiguous();
  return at::bucketize(at::arange(rows, ptr.options()), ends, /*out_int32=*/false, /*right=*/true);
}

// added [segments, …] is the sum of each segment's rows of x.
inline Tensor added(const Tensor &x, const Tensor &owner, int64_t segments) {
  auto sizes = x.sizes().vec();
  sizes[0] = segments + 1;
  return at::zeros(sizes, x.options()).index_add(0, owner, x).slice(0, 0, segments);
}

// highest [segments, …] is the largest of each segment's rows of x, or least.
inline Tensor highest(const Tensor &x, const Tensor &owner, int64_t segments, double least) {
  auto sizes = x.sizes().vec(), wide = owner.sizes().vec();
  sizes[0] = segments + 1;
  wide.resize(sizes.size(), 1);
  return at::full(sizes, least, x.options())
      .scatter_reduce(0, owner.view(wide).expand_as(x), x, "amax").slice(0, 0, segments);
}

// of_owner [rows, …] gives each row what x [segments, …] has for its segment.
// That of padding is the last one's: nothing is made of it.
inline Tensor of_owner(const Tensor &x, const Tensor &owner) {
  return x.index_select(0, owner.clamp_max(x.size(0) - 1));
}

}  // namespace pacia

// The base of every operation. Every C++ file below ops includes it after libtorch.hh.
#pragma once

#include "shared.hh"
#include "simd.hh"

namespace pacia {

using at::Tensor;

// Optional is the type that autograd uses for an optional tensor.
using Optional = c10::optional<Tensor>;
inline Optional optional(const Tensor &t) { return t.defined() ? Optional(t) : c10::nullopt; }

// With fewer elements than this, a second thread does not save time.
constexpr int64_t kGrain = 16384;

// rows calls f(begin, end) on parts of 0..n. It runs in parallel if n rows of the given width
// have enough elements.
template <class F>
void rows(int64_t n, int64_t width, const F &f) {
  at::parallel_for(0, n, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, width)), f);
}

inline const int32_t *ints(const Tensor &t) { return t.data_ptr<int32_t>(); }

// index converts offsets or row numbers to the type that ATen's indexing requires.
inline Tensor index(const Tensor &t) { return t.to(at::kLong); }

// segments converts offsets p [n+1] to the segment number of each row.
inline Tensor segments(const Tensor &p) {
  auto q = index(p);
  auto counts = q.slice(0, 1) - q.slice(0, 0, -1);
  return at::repeat_interleave(counts);
}

// linear returns x Wᵀ + b for x [..., in], W [out, in]. It also accepts weights that
// checkpoints of other programs store as 1×1 convolutions.
inline Tensor linear(const Tensor &x, const Tensor &w, const Tensor &b) {
  return at::linear(x, w.dim() == 2 ? w : w.flatten(1), b);
}

inline Tensor leaky(const Tensor &x) { return at::leaky_relu(x, kLeak); }

}  // namespace pacia

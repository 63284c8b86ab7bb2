// The base of every operation, for every file of C++ below ops after
// libtorch.hh.
#pragma once

#include "shared.hh"
#include "simd.hh"

namespace pacia {

using at::Tensor;

// Optional is how autograd takes a tensor that may be missing.
using Optional = c10::optional<Tensor>;
inline Optional optional(const Tensor &t) { return t.defined() ? Optional(t) : c10::nullopt; }

// Fewer elements than this are not worth waking a second thread.
constexpr int64_t kGrain = 16384;

// rows calls f(begin, end) on parts of 0..n, in parallel when n rows of the
// given width are worth it.
template <class F>
void rows(int64_t n, int64_t width, const F &f) {
  at::parallel_for(0, n, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, width)), f);
}

inline const int32_t *ints(const Tensor &t) { return t.data_ptr<int32_t>(); }

// index turns offsets or row numbers into what ATen's gathers take.
inline Tensor index(const Tensor &t) { return t.to(at::kLong); }

// segments expands offsets p [n+1] to the number of the segment of each row.
inline Tensor segments(const Tensor &p) {
  auto q = index(p);
  auto counts = q.slice(0, 1) - q.slice(0, 0, -1);
  return at::repeat_interleave(counts);
}

// linear is x Wᵀ + b for x [..., in], W [out, in]; weights kept as 1×1
// convolutions by checkpoints of other programs are taken as they are.
inline Tensor linear(const Tensor &x, const Tensor &w, const Tensor &b) {
  return at::linear(x, w.dim() == 2 ? w : w.flatten(1), b);
}

inline Tensor leaky(const Tensor &x) { return at::leaky_relu(x, kLeak); }

}  // namespace pacia

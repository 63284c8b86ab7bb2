// Conversions between tensors in Go's memory and in libtorch's.
#pragma once

#include <ATen/ops/from_blob.h>

#include "core/base.hh"

namespace pacia {

inline at::ScalarType scalar_type(int dtype) {
  constexpr at::ScalarType kTypes[] = {at::kByte, at::kInt, at::kLong, at::kFloat, at::kDouble};
  if (dtype < 0 || dtype >= static_cast<int>(std::size(kTypes))) throw std::invalid_argument("unknown type of element");
  return kTypes[dtype];
}

// view_host wraps Go's memory for the duration of a call.
inline Tensor view_host(const void *data, at::IntArrayRef shape, int dtype) {
  return at::from_blob(const_cast<void *>(data), shape, at::dtype(scalar_type(dtype)));
}

inline void same_size(const Tensor &t, int64_t elements) {
  if (t.numel() != elements)
    throw std::invalid_argument("tensor has " + std::to_string(t.numel()) + " elements, not " +
                                std::to_string(elements));
}

inline Tensor from_host(const void *data, at::IntArrayRef shape, int dtype, int device,
                        bool requires_grad) {
  auto where = device < 0 ? at::Device(at::kCPU) : at::Device(at::kCUDA, static_cast<int8_t>(device));
  auto t = view_host(data, shape, dtype).to(where, /*non_blocking=*/false, /*copy=*/true);
  return t.set_requires_grad(requires_grad);
}

inline void read(const Tensor &t, int dtype, void *data, int64_t elements) {
  same_size(t, elements);
  view_host(data, t.sizes(), dtype).copy_(t.detach());
}

inline void write(const Tensor &t, int dtype, const void *data, int64_t elements) {
  same_size(t, elements);
  t.detach().copy_(view_host(data, t.sizes(), dtype));
}

}  // namespace pacia

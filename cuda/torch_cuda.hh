// Common code of torch_cuda.cc and graph_cuda.cc. It includes no headers of ATen's CUDA part:
// they need those of cuBLAS and cuSPARSE, which a machine without a GPU lacks, and this package
// also compiles there.
#pragma once

#include <stdexcept>
#include <string>

#include <ATen/Context.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <torch/version.h>

#include "guarded.hh"

namespace pacia {

// torch_guarded is guarded without the backtraces of libtorch's messages.
template <class F>
char *torch_guarded(const F &f) {
  return guarded([&] {
    try {
      f();
    } catch (const c10::Error &e) {
      throw std::runtime_error(e.what_without_backtrace());
    }
  });
}

// device_index checks that a device exists, and returns its index. (For other indices, libtorch
// would report an internal error.) It also initialises CUDA in libtorch, which libtorch's guards
// and its allocator require.
inline c10::DeviceIndex device_index(int device) {
  const int n = c10::cuda::device_count();
  if (device < 0 || device >= n)
    throw std::out_of_range("GPU " + std::to_string(device) + ": libtorch finds " +
                            std::to_string(n) + " that it can use; see pacia doctor");
#if TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR == 0
  at::globalContext().lazyInitCUDA();
#else
  at::globalContext().lazyInitDevice(c10::DeviceType::CUDA);
#endif
  return static_cast<c10::DeviceIndex>(device);
}

inline c10::cuda::CUDAStream current_stream(int device) {
  return c10::cuda::getCurrentCUDAStream(device_index(device));
}

}  // namespace pacia

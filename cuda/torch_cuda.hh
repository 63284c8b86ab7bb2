// What torch_cuda.cc and graph_cuda.cc share. Headers of ATen's CUDA half are
// left out: they want those of cuBLAS and cuSPARSE, which a machine without a GPU
// need not have to compile this package.
#pragma once

#include <stdexcept>

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

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

inline c10::cuda::CUDAStream current_stream(int device) {
  return c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(device));
}

}  // namespace pacia

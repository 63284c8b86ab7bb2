//go:build cuda

// Streams, by libtorch's c10 and the CUDA runtime.
#include "torch_cuda.hh"

#include <memory>

#include <c10/cuda/CUDACachingAllocator.h>

#include "torch.h"

using c10::cuda::CUDAStream;
using pacia::current_stream;
using pacia::device_index;
using pacia::torch_guarded;

struct pacia_place {
  CUDAStream stream;
  c10::DeviceIndex device;
};

char *pacia_torch_stream(int device, void **stream) {
  return torch_guarded([&] { *stream = current_stream(device).stream(); });
}

char *pacia_torch_synchronize(int device) {
  return torch_guarded([&] { current_stream(device).synchronize(); });
}

char *pacia_torch_memory(int device, uint64_t *bytes) {
  return torch_guarded([&] {
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(pacia::device_index(device));
    *bytes = static_cast<uint64_t>(stats.reserved_bytes[0].peak);  // the peak of both pools together
  });
}

char *pacia_torch_free_cached() {
  return torch_guarded([] { c10::cuda::CUDACachingAllocator::emptyCache(); });
}

char *pacia_torch_new_stream(int device, void **stream) {
  return torch_guarded([&] {
    const c10::cuda::CUDAGuard guard(device_index(device));
    cudaStream_t made = nullptr;
    C10_CUDA_CHECK(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    *stream = made;
  });
}

char *pacia_torch_use_stream(int device, void *stream, pacia_place **before) {
  return torch_guarded([&] {
    const auto index = device_index(device);
    auto place = std::make_unique<pacia_place>(
        pacia_place{current_stream(device), c10::cuda::current_device()});
    const CUDAStream own =
        c10::cuda::getStreamFromExternal(static_cast<cudaStream_t>(stream), index);
    c10::cuda::set_device(index);
    c10::cuda::setCurrentCUDAStream(own);
    *before = place.release();
  });
}

char *pacia_torch_restore(pacia_place *before) {
  const std::unique_ptr<pacia_place> place(before);
  return torch_guarded([&] {
    c10::cuda::setCurrentCUDAStream(place->stream);
    c10::cuda::set_device(place->device);
  });
}

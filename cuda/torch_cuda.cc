//go:build cuda

// Streams and events, by libtorch's c10 and the CUDA runtime.
#include "torch_cuda.hh"

#include <memory>

#include <c10/cuda/CUDACachingAllocator.h>

#include "torch.h"

using c10::cuda::CUDAGuard;
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
    *bytes = static_cast<uint64_t>(stats.reserved_bytes[0].peak);  // of both pools together
  });
}

char *pacia_torch_own_stream(int device, pacia_place **before) {
  return torch_guarded([&] {
    const auto index = device_index(device);
    auto place = std::make_unique<pacia_place>(
        pacia_place{current_stream(device), c10::cuda::current_device()});
    const CUDAStream own = c10::cuda::getStreamFromPool(false, index);
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

// Events.

struct pacia_event {
  int device;
  cudaEvent_t event;
};

char *pacia_event_new(int device, pacia_event **event) {
  return torch_guarded([&] {
    const CUDAGuard guard(device_index(device));
    auto e = std::make_unique<pacia_event>(pacia_event{device, nullptr});
    // Who waits sleeps: several runs may share a machine of few cores.
    C10_CUDA_CHECK(
        cudaEventCreateWithFlags(&e->event, cudaEventDisableTiming | cudaEventBlockingSync));
    *event = e.release();
  });
}

char *pacia_event_record(pacia_event *e) {
  return torch_guarded([&] {
    const CUDAGuard guard(device_index(e->device));
    C10_CUDA_CHECK(cudaEventRecord(e->event, current_stream(e->device)));
  });
}

char *pacia_event_wait(pacia_event *e) {
  return torch_guarded([&] {
    const CUDAGuard guard(device_index(e->device));
    C10_CUDA_CHECK(cudaStreamWaitEvent(current_stream(e->device), e->event, 0));
  });
}

char *pacia_event_synchronize(pacia_event *e) {
  return torch_guarded([&] { C10_CUDA_CHECK(cudaEventSynchronize(e->event)); });
}

char *pacia_event_done(pacia_event *e, bool *done) {
  return torch_guarded([&] {
    const cudaError_t result = cudaEventQuery(e->event);
    *done = result != cudaErrorNotReady;
    if (*done)
      C10_CUDA_CHECK(result);
    else
      static_cast<void>(cudaGetLastError());  // or the next check would find it
  });
}

void pacia_event_free(pacia_event *e) {
  static_cast<void>(cudaEventDestroy(e->event));
  delete e;
}

//go:build cuda

// CUDA graphs. libtorch's own class for them captures in a mode in which other threads must not
// allocate memory during the capture (2.0), and does not report the number of nodes. This file
// does the same work, except for random generators, which no kernel of a step uses.
#include "torch_cuda.hh"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include <c10/cuda/CUDACachingAllocator.h>

#include "torch.h"

namespace allocator = c10::cuda::CUDACachingAllocator;

namespace {

// Pool is libtorch's identifier for the memory of a graph. All memory that is allocated on the
// captured stream is from this pool, and no other memory is.
using Pool = std::pair<unsigned long long, unsigned long long>;

// new_pool returns a unique identifier in the form of at::cuda::graph_pool_handle. No other
// code in this program uses identifiers of this range.
Pool new_pool() {
  static std::atomic<unsigned long long> next{1ULL << 32};
  return {0, next++};
}

}  // namespace

struct pacia_graph {
  const c10::DeviceIndex device;
  Pool pool{0, 0};
  bool has_pool = false;  // held from begin until drop
  bool capturing = false;
  cudaStream_t stream = nullptr;
  unsigned long long capture = 0;
  cudaGraphExec_t exec = nullptr;

  explicit pacia_graph(int i) : device(pacia::device_index(i)) {}

  void begin(const pacia_graph *other) {
    if (capturing || exec != nullptr) throw std::logic_error("the CUDA graph has already been captured");
    if (other != nullptr && !other->has_pool)
      throw std::logic_error("the CUDA graph to share memory with has no memory");
    const c10::cuda::CUDAGuard guard(device);
    const auto own = pacia::current_stream(device);
    if (own == c10::cuda::getDefaultCUDAStream(device))
      throw std::logic_error("a CUDA graph cannot be captured on the default stream");
    stream = own.stream();
    pool = other ? other->pool : new_pool();
    start();
    has_pool = capturing = true;
  }

  // end returns the number of nodes.
  int64_t end() {
    if (!capturing) throw std::logic_error("no CUDA graph is being captured");
    const c10::cuda::CUDAGuard guard(device);
    cudaGraph_t graph = nullptr;
    try {
      capturing = false;
      graph = stop();
      size_t nodes = 0;
      C10_CUDA_CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
      // The flag is for allocators whose allocations are nodes of the graph.
      C10_CUDA_CHECK(
          cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
      static_cast<void>(cudaGraphDestroy(graph));
      return static_cast<int64_t>(nodes);
    } catch (...) {
      if (graph != nullptr) static_cast<void>(cudaGraphDestroy(graph));
      drop();
      throw;
    }
  }

  void abort() {
    if (!capturing) return;
    const c10::cuda::CUDAGuard guard(device);
    capturing = false;
    try {
      static_cast<void>(cudaGraphDestroy(stop()));
    } catch (const std::exception &) {
      // The error that ended the capture has already been reported.
    }
    drop();
  }

  void replay() const {
    if (exec == nullptr) throw std::logic_error("the CUDA graph has not been captured");
    const c10::cuda::CUDAGuard guard(device);
    C10_CUDA_CHECK(cudaGraphLaunch(exec, pacia::current_stream(device)));
  }

  // drop releases all resources, also after an error, and clears the error.
  void drop() {
    if (exec != nullptr) static_cast<void>(cudaGraphExecDestroy(exec));
    exec = nullptr;
    static_cast<void>(cudaGetLastError());
    if (std::exchange(has_pool, false)) release();
  }

 private:
  // In relaxed mode, a capture restricts no other thread.
  void start_stream() const {
    C10_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  }
  cudaGraph_t stop_stream() const {
    cudaGraph_t graph = nullptr;
    C10_CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
  }

#if TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR == 0
  // The allocator finds a pool by the number of the current capture on a stream.
  void start() {
    start_stream();
    try {
      cudaStreamCaptureStatus status;
      C10_CUDA_CHECK(cudaStreamGetCaptureInfo(stream, &status, &capture));
      allocator::notifyCaptureBegin(device, capture, pool);
    } catch (...) {
      static_cast<void>(cudaGraphDestroy(stop_stream()));
      throw;
    }
  }
  cudaGraph_t stop() {
    allocator::notifyCaptureAboutToEnd(device, capture);
    cudaGraph_t graph = stop_stream();
    allocator::notifyCaptureEnded(device, capture);
    return graph;
  }
  void release() { allocator::notifyCaptureDestroy(device, pool); }
#else
  // The allocator calls a function that reports whether a pool is for a stream. (A backward
  // pass runs on another thread, but on the stream of its forward pass.)
  void start() {
    allocator::beginAllocateToPool(
        device, pool, [mine = stream](cudaStream_t other) { return other == mine; });
    try {
      start_stream();
    } catch (...) {
      allocator::endAllocateToPool(device, pool);
      release();
      throw;
    }
  }
  cudaGraph_t stop() {
    try {
      cudaGraph_t graph = stop_stream();
      allocator::endAllocateToPool(device, pool);
      return graph;
    } catch (...) {
      allocator::endAllocateToPool(device, pool);
      throw;
    }
  }
  void release() { allocator::releasePool(device, pool); }
#endif
};

using pacia::torch_guarded;

char *pacia_graph_new(int device, pacia_graph **graph) {
  return torch_guarded([&] { *graph = new pacia_graph(device); });
}

char *pacia_graph_begin(pacia_graph *graph, const pacia_graph *pool) {
  return torch_guarded([&] { graph->begin(pool); });
}

char *pacia_graph_end(pacia_graph *graph, int64_t *nodes) {
  return torch_guarded([&] { *nodes = graph->end(); });
}

char *pacia_graph_abort(pacia_graph *graph) {
  return torch_guarded([&] { graph->abort(); });
}

char *pacia_graph_replay(pacia_graph *graph) {
  return torch_guarded([&] { graph->replay(); });
}

char *pacia_graph_free(pacia_graph *graph) {
  const std::unique_ptr<pacia_graph> owned(graph);
  return torch_guarded([&] {
    owned->abort();
    owned->drop();
  });
}

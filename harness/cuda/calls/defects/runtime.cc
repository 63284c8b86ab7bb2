// Defects that break the rules of the CUDA runtime.
#include <cuda_runtime_api.h>

#include "defects.hh"

extern "C" {
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *, int *);
}

namespace {

using defects::seen;

constexpr size_t kBytes = 4096;

cudaStream_t stream() {
  cudaStream_t s = nullptr;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  return s;
}
// captured returns a stream that is being captured.
cudaStream_t captured(cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed) {
  const cudaStream_t s = stream();
  cudaStreamBeginCapture(s, mode);
  return s;
}
char *device(size_t n = kBytes) {
  void *p = nullptr;
  cudaMalloc(&p, n);
  return static_cast<char *>(p);
}
char *pinned(size_t n = kBytes) {
  void *p = nullptr;
  cudaHostAlloc(&p, n, 0);
  return static_cast<char *>(p);
}
cudaEvent_t event(unsigned flags = cudaEventDisableTiming) {
  cudaEvent_t e = nullptr;
  cudaEventCreateWithFlags(&e, flags);
  return e;
}
cudaEvent_t recorded(cudaStream_t s) {
  const cudaEvent_t e = event();
  cudaEventRecord(e, s);
  return e;
}
// graph_of returns a graph that clears memory.
cudaGraphExec_t graph_of(char *p) {
  const cudaStream_t s = captured();
  cudaMemsetAsync(p, 0, kBytes, s);
  cudaGraph_t g = nullptr;
  cudaGraphExec_t x = nullptr;
  cudaStreamEndCapture(s, &g);
  cudaGraphInstantiateWithFlags(&x, g, 0);
  cudaGraphDestroy(g);
  return x;
}
// launch starts a kernel in the same way as libtorch.
void launch(dim3 grid, dim3 block, size_t shared, cudaStream_t s, bool registered = true) {
  static const char kernel = 0;
  char name[] = "a kernel";
  if (registered) __cudaRegisterFunction(nullptr, &kernel, name, name, 0, nullptr, nullptr, nullptr, nullptr, nullptr);
  cudaLaunchKernel(&kernel, grid, block, nullptr, shared, s);
}

// cleared returns the first byte of memory that one stream clears and another copies to the
// host. With `waits`, the copy waits until the memory is cleared.
char cleared(bool waits) {
  char *p = device(), *to = pinned();
  const cudaStream_t a = stream(), b = stream();
  *to = 1;
  cudaMemsetAsync(p, 0, kBytes, a);
  if (waits) cudaStreamWaitEvent(b, recorded(a), 0);
  cudaMemcpyAsync(to, p, kBytes, cudaMemcpyDeviceToHost, b);
  cudaStreamSynchronize(b);
  return *to;
}

}  // namespace

int main(int n, char **arguments) {
  using namespace defects;
  return check(n, arguments, {
      {"a second GPU", [] { cudaSetDevice(1); }, "there is no GPU 1"},

      {"a kernel that is not registered", [] { launch(1, 1, 0, nullptr, false); }, "never registered"},
      {"a block of 2,048 threads", [] { launch(1, 2048, 0, nullptr); }, "too many threads in a block"},
      {"a grid of no blocks", [] { launch(dim3(0, 1, 1), 1, 0, nullptr); }, "no blocks"},
      {"a grid of 70,000 rows of blocks", [] { launch(dim3(1, 70000, 1), 1, 0, nullptr); }, "too many blocks"},
      {"a block with 64 kB of shared memory", [] { launch(1, 1, 64 << 10, nullptr); }, "too much shared memory"},
      {"a kernel's first launch in a capture", [] { launch(1, 1, 0, captured()); }, "first launched while it is captured"},

      {"memory allocated in a capture of global mode", [] { captured(cudaStreamCaptureModeGlobal); device(); },
       "cudaMalloc of 4096 bytes while a stream is captured"},
      {"memory freed in a capture of global mode", [] { char *p = device(); captured(cudaStreamCaptureModeGlobal); cudaFree(p); },
       "cudaFree while a stream is captured"},
      {"memory freed from its middle", [] { cudaFree(device() + 512); }, "cudaFree: the address is not the beginning of a block"},
      {"memory freed twice", [] { char *p = device(); cudaFree(p); cudaFree(p); }, "cudaFree: the address is not the beginning of a block"},
      {"pinned memory freed as the device's", [] { cudaFree(pinned()); }, "cudaFree: the address is not the beginning of a block"},
      {"a copy in another direction than it says", [] { cudaMemcpyAsync(pinned(), device(), kBytes, cudaMemcpyHostToDevice, stream()); },
       "the direction is 2, not 1"},
      {"a copy from pageable memory in a capture",
       [] { static char p[kBytes]; cudaMemcpyAsync(device(), p, kBytes, cudaMemcpyHostToDevice, captured()); },
       "memory that is not pinned"},
      {"a copy that waits in a capture of global mode",
       [] { char *p = device(); captured(cudaStreamCaptureModeGlobal); cudaMemcpy(p, p, 1, cudaMemcpyDeviceToDevice); },
       "while a stream is captured"},
      {"memory written beyond its end",
       [] { cudaMemsetAsync(device(), 0, kBytes + 4, stream()); },
       "ends 4 bytes after its block of 4096"},
      {"memory written after it was freed",
       [] { char *p = device(); cudaFree(p); cudaMemsetAsync(p, 0, 1, stream()); },
       "memory that was freed"},
      {"memory written outside all blocks",
       [] { cudaMemsetAsync(device() + (1 << 20), 0, 1, stream()); },
       "lies between the blocks of the device"},
      {"the host's memory written by the device", [] { static char p[1]; cudaMemsetAsync(p, 0, 1, stream()); }, "is memory of the host"},
      {"pinned memory written as the device's", [] { cudaMemsetAsync(pinned(), 0, 1, stream()); }, "is memory of the host"},
      {"the device's memory read by the host", [] { seen(*static_cast<volatile char *>(device()) == 1); }, kKilled},

      {"a stream that was not created", [] { cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(8)); }, "there is no such stream"},
      {"a stream that waits for the default stream", [] { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamDefault); },
       "waits for the default stream"},
      {"an event that was destroyed",
       [] { const auto e = event(); cudaEventDestroy(e); cudaEventQuery(e); },
       "cudaEventQuery: there is no such event"},
      {"the time of an event that takes none",
       [] { float ms; cudaEventElapsedTime(&ms, recorded(stream()), event()); },
       "an event without a time"},
      {"no wait for another stream", [] { seen(cleared(false) != 0); }, kSeen, "lazy"},
      {"a wait for another stream", [] { seen(cleared(true) != 0); }, kNone, "lazy"},

      {"a capture of the default stream",
       [] { cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed); },
       "the default stream cannot be captured"},
      {"a capture in a capture",
       [] { cudaStreamBeginCapture(captured(), cudaStreamCaptureModeRelaxed); },
       "a stream that is captured already"},
      {"the end of no capture", [] { cudaGraph_t g; cudaStreamEndCapture(stream(), &g); }, "on which no capture began"},
      {"a capture that another stream left unjoined",
       [] {
         const cudaStream_t a = captured(), b = stream();
         cudaStreamWaitEvent(b, recorded(a), 0);
         cudaMemsetAsync(device(), 0, 1, b);
         cudaGraph_t g;
         cudaStreamEndCapture(a, &g);
       },
       "a capture ends before its first stream has waited for the others"},
      {"a capture that waits for work outside it", [] { const auto e = recorded(stream()); cudaStreamWaitEvent(captured(), e, 0); },
       "a captured stream waits for work outside its capture"},
      {"two captures in one",
       [] { const cudaStream_t a = captured(); cudaStreamWaitEvent(captured(), recorded(a), 0); },
       "two captures would be one"},
      {"a capture joined by a stream with other work",
       [] { const cudaStream_t b = stream(); cudaMemsetAsync(device(), 0, 1, b); cudaStreamWaitEvent(b, recorded(captured()), 0); },
       "has other work", "lazy"},
      {"a wait for a stream in its capture",
       [] { cudaStreamSynchronize(captured()); },
       "cudaStreamSynchronize of a stream that is captured"},
      {"a question to a stream in its capture", [] { cudaStreamQuery(captured()); }, "cudaStreamQuery of a stream that is captured"},
      {"a wait for all in a capture", [] { captured(); cudaDeviceSynchronize(); }, "cudaDeviceSynchronize while a stream is captured"},
      {"a question to an event of a capture",
       [] { cudaEventQuery(recorded(captured())); },
       "cudaEventQuery of an event that was recorded in a capture"},
      {"a wait for an event of a capture", [] { cudaEventSynchronize(recorded(captured())); },
       "cudaEventSynchronize of an event that was recorded in a capture"},
      {"a question to an event in a capture of global mode",
       [] { const auto e = recorded(stream()); captured(cudaStreamCaptureModeGlobal); cudaEventQuery(e); },
       "cudaEventQuery while a stream is captured"},

      {"a graph launched in a capture", [] { const auto x = graph_of(device()); cudaGraphLaunch(x, captured()); },
       "a graph is launched while its stream is captured"},
      {"a graph launched after it was destroyed",
       [] { const auto x = graph_of(device()); cudaGraphExecDestroy(x); cudaGraphLaunch(x, stream()); },
       "there is no such instantiated graph"},
      {"a graph destroyed twice",
       [] { const auto x = graph_of(device()); cudaGraphExecDestroy(x); cudaGraphExecDestroy(x); },
       "there is no such instantiated graph"},
      {"a graph of memory that was freed",
       [] { char *p = device(); const auto x = graph_of(p); cudaFree(p); cudaGraphLaunch(x, stream()); },
       "of a graph that is launched: 4096 bytes"},
      {"a graph that does what it should",
       [] {
         char *p = device(), *to = pinned();
         const cudaStream_t s = stream();
         cudaGraphLaunch(graph_of(p), s);
         cudaMemcpyAsync(to, p, kBytes, cudaMemcpyDeviceToHost, s);
         cudaStreamSynchronize(s);
         seen(*to != 0);
       },
       kNone, "lazy"},
  });
}

// Defects that break rules for operations of libtorch.
#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include "defects.hh"

namespace {

using defects::seen;

const at::TensorOptions onto = at::TensorOptions().device(at::kCUDA).dtype(at::kFloat);

// capture runs f once on the current stream, and then begins a capture of the stream.
template <class F>
void capture(F f) {
  const auto s = c10::cuda::getStreamFromPool();
  c10::cuda::setCurrentCUDAStream(s);
  f();
  cudaStreamBeginCapture(s.stream(), cudaStreamCaptureModeRelaxed);
  f();
}

}  // namespace

int main(int n, char **arguments) {
  using namespace defects;
  return check(n, arguments, {
      {"a sum", [] { seen(at::ones({100}, onto).sum().item<float>() != 100); }, kNone},
      {"a sum in lazy order", [] { seen(at::ones({100}, onto).sum().item<float>() != 100); }, kNone, "lazy"},
      {"a tensor that was not written", [] { seen(at::empty({100}, onto).sum().isnan().item<bool>()); }, kSeen},
      {"random numbers of a generator", [] { at::rand({4}, onto); }, "draws from a generator"},
      {"a number read in a capture",
       [] { auto t = at::ones({1}, onto); capture([&] { t.item<float>(); }); },
       "while the stream is captured"},
  });
}

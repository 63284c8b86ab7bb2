// libcudart: the device, errors, and libtorch's own kernels. These compute nothing here,
// because their machine code is for a GPU; see values.cc.
#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "options.hh"
#include "runtime.hh"

namespace {

// Limits of the device, an RTX 3090.
constexpr int kMajor = 8, kMinor = 6, kProcessors = 82, kMostThreads = 1024, kThreadsOfProcessor = 1536;
constexpr size_t kShared = 48 << 10, kMostShared = 100 << 10;

struct Function {
  std::string name;
  size_t shared = kShared;  // largest shared memory of a launch
  bool launched = false;
};

std::unordered_map<const void *, Function> &functions() {
  static auto &all = *new std::unordered_map<const void *, Function>;
  return all;
}

int attribute(cudaDeviceAttr a) {
  static const std::unordered_map<int, int> known{
      {cudaDevAttrMaxThreadsPerBlock, kMostThreads},        {cudaDevAttrMultiProcessorCount, kProcessors},
      {cudaDevAttrComputeCapabilityMajor, kMajor},          {cudaDevAttrComputeCapabilityMinor, kMinor},
      {cudaDevAttrMaxSharedMemoryPerBlock, kShared},        {cudaDevAttrMaxSharedMemoryPerBlockOptin, kMostShared},
      {cudaDevAttrWarpSize, 32},
  };
  const auto found = known.find(a);
  return found == known.end() ? 0 : found->second;
}

// too_large returns the reason why the device does not allow a launch, or an empty string.
std::string too_large(dim3 grid, dim3 block, size_t shared, const Function &f) {
  if (size_t{block.x} * block.y * block.z > kMostThreads || block.z > 64) return "too many threads in a block";
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0) return "no blocks";
  if (grid.x > 2147483647u || grid.y > 65535 || grid.z > 65535) return "too many blocks";
  if (shared > f.shared) return "too much shared memory";
  return "";
}

struct Configuration {
  dim3 grid, block;
  size_t shared;
  void *stream;
};
thread_local std::vector<Configuration> configurations;

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int *n) { return *n = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : standin::refuse(cudaErrorInvalidDevice, "there is no GPU " + std::to_string(device));
}
cudaError_t cudaDriverGetVersion(int *version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int *version) { return *version = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) { return *can = 0, cudaSuccess; }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int) {
  std::memset(p, 0, sizeof *p);
  std::strcpy(p->name, "stand-in for an RTX 3090");
  p->major = kMajor;
  p->minor = kMinor;
  p->totalGlobalMem = standin::options().memory;
  p->multiProcessorCount = kProcessors;
  p->maxThreadsPerMultiProcessor = kThreadsOfProcessor;
  p->maxThreadsPerBlock = kMostThreads;
  p->warpSize = 32;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->sharedMemPerBlock = kShared;
  p->sharedMemPerBlockOptin = p->sharedMemPerMultiprocessor = kMostShared;
  p->l2CacheSize = 6 << 20;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxBlocksPerMultiProcessor = 16;
  p->unifiedAddressing = p->canMapHostMemory = p->concurrentKernels = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr a, int) { return *value = attribute(a), cudaSuccess; }

cudaError_t cudaGetLastError() { return std::exchange(standin::last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return standin::last_error; }
const char *cudaGetErrorName(cudaError_t) { return "an error"; }
const char *cudaGetErrorString(cudaError_t e) {
  static thread_local std::string text;
  if (e == cudaSuccess) return "no error";
  if (e == cudaErrorMemoryAllocation) return "out of memory";
  return (text = "error " + std::to_string(e) + " of the stand-in").c_str();
}

void **__cudaRegisterFatBinary(void *) {
  static void *any;
  return &any;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int) {}
void __cudaRegisterFunction(void **, const char *host, char *, const char *name, int, uint3 *, uint3 *, dim3 *, dim3 *, int *) {
  functions()[host].name = name;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  const Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<void **>(stream) = c.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **, size_t shared, cudaStream_t stream) {
  ENTER_ON(cudaLaunchKernel);
  const auto found = functions().find(function);
  if (found == functions().end()) return refuse(cudaErrorInvalidDeviceFunction, "a kernel that was never registered is launched");
  Function &f = found->second;
  if (const std::string why = too_large(grid, block, shared, f); !why.empty())
    return refuse(cudaErrorInvalidConfiguration, f.name + ": " + why);
  // Kernels are loaded at their first launch, which is not allowed during a capture.
  if (s->capture && !f.launched) return refuse(cudaErrorStreamCaptureUnsupported, f.name + " is first launched while it is captured");
  f.launched = true;
  w.submit(s, {f.name, {}, nullptr});
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, const void *) {
  *a = {};
  a->maxThreadsPerBlock = kMostThreads;
  a->binaryVersion = a->ptxVersion = 10 * kMajor + kMinor;
  a->numRegs = 32;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute a, int value) {
  ENTER(cudaFuncSetAttribute);
  if (a == cudaFuncAttributeMaxDynamicSharedMemorySize) functions()[function].shared = static_cast<size_t>(value);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *, int threads, size_t, unsigned) {
  return *blocks = std::max(1, kThreadsOfProcessor / std::max(1, threads)), cudaSuccess;
}

}  // extern "C"

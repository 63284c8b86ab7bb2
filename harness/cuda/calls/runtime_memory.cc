// libcudart: memory, and copies.
#include <cstring>

#include "options.hh"
#include "runtime.hh"

using standin::Kind;

namespace {

std::string sized(const char *call, size_t n) { return std::string(call) + " of " + std::to_string(n) + " bytes"; }

cudaError_t take(standin::World &w, const char *call, void **p, size_t n, Kind kind) {
  using namespace standin;
  if (unsafe(w)) return refuse(cudaErrorStreamCaptureUnsupported, sized(call, n) + " while a stream is captured");
  *p = w.memory.take(n, kind);
  return answer(*p ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t give(standin::World &w, const char *call, void *p, Kind kind) {
  using namespace standin;
  if (p == nullptr) return cudaSuccess;
  if (unsafe(w)) return refuse(cudaErrorStreamCaptureUnsupported, std::string(call) + " while a stream is captured");
  w.finish_all();  // freeing waits for the device
  if (!w.memory.give(p, kind)) return refuse(cudaErrorInvalidValue, std::string(call) + ": the address is not the beginning of a block");
  return cudaSuccess;
}

// copy puts a copy on a stream. If the source is pageable memory, it is read now; if the
// target is, the call waits for the copy.
cudaError_t copy(standin::World &w, const std::string &what, void *to, const void *from, size_t n, cudaMemcpyKind kind,
                 standin::Stream *s) {
  using namespace standin;
  if (n == 0) return cudaSuccess;
  const Kind a = w.memory.kind_of(from), b = w.memory.kind_of(to);
  const bool from_device = a == Kind::device, to_device = b == Kind::device;
  const cudaMemcpyKind is = from_device ? (to_device ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost)
                                        : (to_device ? cudaMemcpyHostToDevice : cudaMemcpyHostToHost);
  if (kind != cudaMemcpyDefault && kind != is)
    return refuse(cudaErrorInvalidMemcpyDirection, what + ": the direction is " + std::to_string(is) + ", not " + std::to_string(kind));
  Work work{what, {}, nullptr};
  if (a != Kind::pageable) work.touches.push_back({from, n, a});
  if (b != Kind::pageable) work.touches.push_back({to, n, b});
  if (s->capture && (a == Kind::pageable || b == Kind::pageable))
    return refuse(cudaErrorStreamCaptureUnsupported, what + ": memory that is not pinned, while the stream is captured");
  if (options().values) {
    if (a == Kind::pageable) {
      auto kept = std::make_shared<std::string>(static_cast<const char *>(from), n);
      work.run = [=] { std::memcpy(to, kept->data(), n); };
    } else {
      work.run = [=] { std::memmove(to, from, n); };
    }
  }
  if (!w.submit(s, std::move(work))) return answer(cudaErrorInvalidValue);
  if (b == Kind::pageable) w.finish(s);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void **p, size_t n) {
  ENTER(cudaMalloc);
  return take(w, call, p, n, Kind::device);
}

cudaError_t cudaFree(void *p) {
  ENTER(cudaFree);
  return give(w, call, p, Kind::device);
}

cudaError_t cudaHostAlloc(void **p, size_t n, unsigned) {
  ENTER(cudaHostAlloc);
  return take(w, call, p, n, Kind::pinned);
}

cudaError_t cudaFreeHost(void *p) {
  ENTER(cudaFreeHost);
  return give(w, call, p, Kind::pinned);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  ENTER(cudaMemGetInfo);
  *total = options().memory;
  *free = *total - w.memory.held();
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p) {
  ENTER(cudaPointerGetAttributes);
  const Kind kind = w.memory.kind_of(p);
  *a = {};
  a->type = kind == Kind::device ? cudaMemoryTypeDevice : kind == Kind::pinned ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
  a->devicePointer = kind == Kind::pageable ? nullptr : const_cast<void *>(p);
  a->hostPointer = kind == Kind::device ? nullptr : const_cast<void *>(p);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind, cudaStream_t stream) {
  ENTER_ON(cudaMemcpyAsync);
  return copy(w, sized(call, n), to, from, n, kind, s);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind) {
  ENTER(cudaMemcpy);
  if (unsafe(w)) return refuse(cudaErrorStreamCaptureImplicit, sized(call, n) + " while a stream is captured");
  const cudaError_t e = copy(w, sized(call, n), to, from, n, kind, w.legacy);
  w.finish(w.legacy);
  return e;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t stream) {
  ENTER_ON(cudaMemsetAsync);
  Work work{sized(call, n), {{to, n, Kind::device}}, nullptr};
  if (options().values) work.run = [=] { std::memset(to, value, n); };
  return answer(w.submit(s, std::move(work)) ? cudaSuccess : cudaErrorInvalidValue);
}

}  // extern "C"

// The common part of the functions of the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

#include "report.hh"
#include "world.hh"

namespace standin {

// The latest error of the calling thread, which cudaGetLastError clears.
inline thread_local cudaError_t last_error = cudaSuccess;

inline cudaError_t answer(cudaError_t e) {
  if (e != cudaSuccess && e != cudaErrorNotReady) last_error = e;
  return e;
}

// refuse reports a call that breaks the rules, and returns its error.
inline cudaError_t refuse(cudaError_t e, const std::string &what) {
  wrong(what);
  return answer(e);
}

// capturing reports whether any stream is captured, which forbids calls that wait for all streams.
inline bool capturing(const World &w) { return !w.captures.empty(); }

// The capture mode of the calling thread; see cudaThreadExchangeStreamCaptureMode.
inline thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

// unsafe reports whether a capture in global mode, of any thread, forbids a call by the calling thread.
// A thread in relaxed mode may make any call.
inline bool unsafe(const World &w) {
  if (thread_mode == cudaStreamCaptureModeRelaxed) return false;
  for (const auto &c : w.captures)
    if (c->mode == cudaStreamCaptureModeGlobal) return true;
  return false;
}

}  // namespace standin

// ENTER begins a function of the interface. It takes the lock and counts the call.
#define ENTER(name)                             \
  using namespace standin;                      \
  World &w = World::get();                      \
  const Locked mine(w.lock);                    \
  constexpr const char *call = #name;           \
  w.called(call);                               \
  static_cast<void>(call)

// ENTER_ON is ENTER for a function with a stream, which must exist.
#define ENTER_ON(name)                  \
  ENTER(name);                          \
  Stream *s = w.stream(call, stream);   \
  if (s == nullptr) return answer(cudaErrorInvalidResourceHandle)

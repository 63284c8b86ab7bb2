// libcudart: streams and events.
#include "runtime.hh"

namespace {

using standin::Event;
using standin::Stream;
using standin::World;

Event *event(World &w, const char *call, cudaEvent_t handle) {
  auto *e = reinterpret_cast<Event *>(handle);
  if (w.events.count(e) != 0) return e;
  standin::wrong(std::string(call) + ": there is no such event");
  return nullptr;
}

cudaError_t new_event(cudaEvent_t *e, unsigned flags) {
  ENTER(cudaEventCreateWithFlags);
  auto *made = new Event{(flags & cudaEventDisableTiming) == 0, {}, nullptr, nullptr, 0};
  w.events.insert(made);
  *e = reinterpret_cast<cudaEvent_t>(made);
  return cudaSuccess;
}

// await_captured makes a stream wait for an event that was recorded in a capture. The stream
// joins the capture.
cudaError_t await_captured(const std::string &call, Stream *s, const Event &e) {
  using namespace standin;
  if (!e.capture) return refuse(cudaErrorStreamCaptureIsolation, call + ": a captured stream waits for work outside its capture");
  if (s->capture && s->capture != e.capture) return refuse(cudaErrorStreamCaptureMerge, call + ": two captures would be one");
  if (s->done != s->submitted && !s->capture)
    return refuse(cudaErrorStreamCaptureIsolation, call + ": the stream that joins the capture has other work");
  auto &c = *e.capture;
  s->capture = e.capture;
  c.joined[s].last = std::max(c.joined[s].last, e.node);
  auto &from = c.joined[e.captured_on];
  if (s == c.origin) from.awaited = std::max(from.awaited, e.node);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority) {
  ENTER(cudaStreamCreateWithPriority);
  if ((flags & cudaStreamNonBlocking) == 0)
    return refuse(cudaErrorInvalidValue, "a stream that waits for the default stream, which the stand-in does not support");
  *s = reinterpret_cast<cudaStream_t>(w.new_stream(priority));
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags) { return cudaStreamCreateWithPriority(s, flags, 0); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  ENTER_ON(cudaStreamSynchronize);
  if (s->capture) return refuse(cudaErrorStreamCaptureUnsupported, "cudaStreamSynchronize of a stream that is captured");
  w.finish(s);
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  ENTER_ON(cudaStreamQuery);
  if (s->capture) return refuse(cudaErrorStreamCaptureUnsupported, "cudaStreamQuery of a stream that is captured");
  return w.passed({s, s->submitted}) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaDeviceSynchronize() {
  ENTER(cudaDeviceSynchronize);
  if (capturing(w)) return refuse(cudaErrorStreamCaptureUnsupported, "cudaDeviceSynchronize while a stream is captured");
  w.finish_all();
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t handle, unsigned) {
  ENTER_ON(cudaStreamWaitEvent);
  Event *e = event(w, call, handle);
  if (e == nullptr) return answer(cudaErrorInvalidResourceHandle);
  if (s->capture || e->capture) return e->place.stream || e->capture ? await_captured(call, s, *e) : cudaSuccess;
  w.wait(s, e->place);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags) { return new_event(e, flags); }
cudaError_t cudaEventCreate(cudaEvent_t *e) { return new_event(e, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  ENTER(cudaEventDestroy);
  Event *e = event(w, call, handle);
  if (e == nullptr) return answer(cudaErrorInvalidResourceHandle);
  w.events.erase(e);
  delete e;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
  ENTER_ON(cudaEventRecord);
  Event *e = event(w, call, handle);
  if (e == nullptr) return answer(cudaErrorInvalidResourceHandle);
  e->capture = s->capture;
  e->captured_on = s->capture ? s : nullptr;
  if (s->capture) {
    e->node = s->capture->nodes.size();
    e->place = {};
  } else {
    e->place = {s, s->submitted};
  }
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  ENTER(cudaEventQuery);
  Event *e = event(w, call, handle);
  if (e == nullptr) return answer(cudaErrorInvalidResourceHandle);
  if (e->capture) return refuse(cudaErrorCapturedEvent, "cudaEventQuery of an event that was recorded in a capture");
  if (unsafe(w)) return refuse(cudaErrorStreamCaptureUnsupported, "cudaEventQuery while a stream is captured");
  return w.passed(e->place) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  ENTER(cudaEventSynchronize);
  Event *e = event(w, call, handle);
  if (e == nullptr) return answer(cudaErrorInvalidResourceHandle);
  if (e->capture) return refuse(cudaErrorCapturedEvent, "cudaEventSynchronize of an event that was recorded in a capture");
  if (e->place.stream != nullptr) w.advance(e->place.stream, e->place.position);
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  ENTER(cudaEventElapsedTime);
  for (cudaEvent_t handle : {start, end}) {
    Event *e = event(w, call, handle);
    if (e == nullptr) return answer(cudaErrorInvalidResourceHandle);
    if (!e->timing || e->place.stream == nullptr) return refuse(cudaErrorInvalidResourceHandle, "cudaEventElapsedTime of an event without a time");
  }
  *ms = 1;
  return cudaSuccess;
}

}  // extern "C"

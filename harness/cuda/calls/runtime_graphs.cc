// libcudart: the capture of graphs, and their launch.
#include <algorithm>

#include "runtime.hh"

namespace {

using standin::Exec;
using standin::Graph;

template <class T, class H>
T *known(const std::set<T *> &all, H handle, const char *call, const char *what) {
  auto *p = reinterpret_cast<T *>(handle);
  if (all.count(p) != 0) return p;
  standin::wrong(std::string(call) + ": there is no such " + what);
  return nullptr;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  ENTER(cudaStreamBeginCapture);
  static unsigned long long captures = 0;
  Stream *s = w.stream(call, stream);
  if (s == nullptr) return answer(cudaErrorInvalidResourceHandle);
  if (s == w.legacy) return refuse(cudaErrorStreamCaptureUnsupported, "the default stream cannot be captured");
  if (s->capture) return refuse(cudaErrorIllegalState, "a stream that is captured already");
  s->capture = std::make_shared<Capture>(Capture{++captures, mode, s, {}, {}});
  s->capture->joined[s];
  w.captures.insert(s->capture);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  ENTER(cudaStreamEndCapture);
  *graph = nullptr;
  Stream *s = w.stream(call, stream);
  if (s == nullptr) return answer(cudaErrorInvalidResourceHandle);
  const auto c = s->capture;
  if (!c || c->origin != s) return refuse(cudaErrorIllegalState, "cudaStreamEndCapture of a stream on which no capture began");
  w.captures.erase(c);
  bool unjoined = false;
  for (auto &[other, joined] : c->joined) {
    other->capture.reset();
    unjoined |= other != s && joined.awaited < joined.last;
  }
  if (unjoined) return refuse(cudaErrorStreamCaptureUnjoined, "a capture ends before its first stream has waited for the others");
  auto *made = new Graph{std::move(c->nodes)};
  w.graphs.insert(made);
  *graph = reinterpret_cast<cudaGraph_t>(made);
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  ENTER_ON(cudaStreamIsCapturing);
  *status = s->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

#if CUDART_VERSION < 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *number) {
#else
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *number, cudaGraph_t *,
                                     const cudaGraphNode_t **, const cudaGraphEdgeData **, size_t *) {
#endif
  ENTER_ON(cudaStreamGetCaptureInfo);
  *status = s->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  if (number != nullptr && s->capture) *number = s->capture->number;
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  std::swap(*mode, standin::thread_mode);
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n) {
  ENTER(cudaGraphGetNodes);
  const Graph *g = known(w.graphs, graph, call, "graph");
  if (g == nullptr || nodes != nullptr) return answer(cudaErrorInvalidValue);
  *n = static_cast<size_t>(std::count_if(g->nodes.begin(), g->nodes.end(), [](const Work &node) { return node.counted; }));
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long) {
  ENTER(cudaGraphInstantiateWithFlags);
  Graph *g = known(w.graphs, graph, call, "graph");
  if (g == nullptr) return answer(cudaErrorInvalidValue);
  auto *made = new Exec{std::make_shared<const Graph>(*g)};
  w.execs.insert(made);
  *exec = reinterpret_cast<cudaGraphExec_t>(made);
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  ENTER_ON(cudaGraphLaunch);
  Exec *x = known(w.execs, exec, call, "instantiated graph");
  if (x == nullptr) return answer(cudaErrorInvalidValue);
  if (s->capture) return refuse(cudaErrorStreamCaptureUnsupported, "a graph is launched while its stream is captured");
  // The memory of all nodes is checked now, and that of each node again before it runs.
  for (const Work &node : x->graph->nodes)
    if (!w.check(node.what + ", of a graph that is launched", node.touches)) return answer(cudaErrorInvalidValue);
  const auto graph = x->graph;
  w.submit(s, {"a graph", {}, [graph, &w] {
    for (const Work &node : graph->nodes)
      if (w.check(node.what + ", when its graph was run", node.touches) && node.run) node.run();
  }});
  w.summarize();
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  ENTER(cudaGraphDestroy);
  Graph *g = known(w.graphs, graph, call, "graph");
  if (g == nullptr) return answer(cudaErrorInvalidValue);
  w.graphs.erase(g);
  delete g;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  ENTER(cudaGraphExecDestroy);
  Exec *x = known(w.execs, exec, call, "instantiated graph");
  if (x == nullptr) return answer(cudaErrorInvalidValue);
  w.execs.erase(x);
  delete x;
  w.summarize();
  return cudaSuccess;
}

}  // extern "C"

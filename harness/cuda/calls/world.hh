// The state of the stand-in for a GPU. One thread at a time uses it.
//
// `make check-cuda-calls` puts it in the place of NVIDIA's driver, the CUDA runtime, cuBLAS
// and cuBLASLt, under libtorch's real CUDA part and under this package. It checks every call
// against CUDA's rules.
//
//   runtime*.cc    the functions of libcudart that libtorch and this package call
//   driver.cc      the functions of libcuda; kernels run on the emulator (../emulator.hh)
//   blas*.cc       the functions of cuBLAS and cuBLASLt, which check their arguments
//   values.cc      the values of libtorch's own kernels, from its operations for the CPU
//   streams, memory, world      the state
//
// A program that is linked with it detects a GPU with 24 GB; see scripts/standin.
#pragma once

#include <map>
#include <mutex>
#include <random>
#include <set>

#include "streams.hh"

namespace standin {

class World {
 public:
  static World &get();

  std::recursive_mutex lock;
  Memory memory;
  Stream *const legacy;  // stream number 0
  std::set<Event *> events;
  std::set<Graph *> graphs;
  std::set<Exec *> execs;
  std::set<std::shared_ptr<Capture>> captures;
  std::map<std::string, uint64_t> calls;  // the number of calls of each function
  // called counts a call. It writes the summary each time the number of calls has doubled,
  // because Go ends a process without calling C.
  void called(const char *call);

  Stream *new_stream(int priority);
  // stream returns the stream of a handle. If there is none, it reports an error and returns null.
  Stream *stream(const char *call, void *handle);

  // submit puts work on a stream, or into the graph of the stream's capture. If the
  // memory of the work is not valid, it reports an error and returns false.
  bool submit(Stream *s, Work w);
  // wait makes all later work of a stream wait for a place.
  void wait(Stream *s, Place p);

  // advance does a stream's work up to a position.
  void advance(Stream *s, uint64_t position);
  void finish(Stream *s) { advance(s, s->submitted); }
  void finish_all();
  // passed reports whether a place has been passed, for a query of the host that does not wait.
  // Every second query does the work up to the place.
  bool passed(Place p);

  bool check(const std::string &what, const std::vector<Touch> &touches);
  void summarize();

 private:
  World();
  void drift();
  std::vector<std::unique_ptr<Stream>> streams_;
  std::mt19937_64 random_;
  uint64_t questions_ = 0, all_ = 0;  // all_ counts the calls
};

using Locked = std::lock_guard<std::recursive_mutex>;

}  // namespace standin

// The state of the stand-in for a GPU. One thread at a time uses it.
//
// It is what `make check-cuda-calls` puts in the place of NVIDIA's driver, CUDA's runtime,
// cuBLAS and cuBLASLt, under libtorch's real CUDA half and under this package: every call is
// held against CUDA's rules.
//
//   runtime*.cc    the functions of libcudart that libtorch and this package call
//   driver.cc      those of libcuda, whose kernels run on the emulator (../emulator.hh)
//   blas*.cc       those of cuBLAS and cuBLASLt, which look at their arguments
//   values.cc      what libtorch's own kernels compute, by its kernels for the CPU
//   streams, memory, world      what they are about
//
// A program that is linked with it believes to be on a GPU of 24 GB; see scripts/standin.
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
  Stream *const legacy;  // that of number 0
  std::set<Event *> events;
  std::set<Graph *> graphs;
  std::set<Exec *> execs;
  std::set<std::shared_ptr<Capture>> captures;
  std::map<std::string, uint64_t> calls;  // how often each was made
  // called counts a call. The summary is written anew when their number has doubled: Go ends a
  // process without a word to C.
  void called(const char *call);

  Stream *new_stream(int priority);
  // stream returns the stream of a handle. Without one it reports an error and returns null.
  Stream *stream(const char *call, void *handle);

  // submit puts work on a stream, or into the graph that it is captured in. False, and
  // reported, where the work touches what it must not.
  bool submit(Stream *s, Work w);
  // wait makes all later work of a stream come after a place.
  void wait(Stream *s, Place p);

  // advance does a stream's work up to a position.
  void advance(Stream *s, uint64_t position);
  void finish(Stream *s) { advance(s, s->submitted); }
  void finish_all();
  // asked reports whether a place has been passed, for a query of the host that does not wait.
  // Some of these queries do the work up to the place.
  bool asked(Place p);

  bool check(const std::string &what, const std::vector<Touch> &touches);
  void summarize();

 private:
  World();
  void drift();
  std::vector<std::unique_ptr<Stream>> streams_;
  std::mt19937_64 random_;
  uint64_t questions_ = 0, all_ = 0;  // all_: calls
};

using Locked = std::lock_guard<std::recursive_mutex>;

}  // namespace standin

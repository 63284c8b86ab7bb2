// Streams, events and graphs: the order of work.
//
// A stream is a list of work that is done later, by the thread that waits for it. The option
// `order` selects when. CUDA only promises that work comes after the work that it waits for.
// While a stream is captured, its work is added to a graph and not to its list.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "memory.hh"

namespace standin {

// Touch is memory that work reads or writes. It must be allocated when the work is put
// on a stream and when the work is done.
struct Touch {
  const void *at;
  size_t bytes;
  Kind kind;
};

struct Work {
  std::string what;
  std::vector<Touch> touches;
  std::function<void()> run;  // empty if nothing is computed
  bool counted = true;        // it counts as a node of a graph; work that values.cc adds does not
};

struct Stream;
struct Event;

// Place is a position in the work of a stream.
struct Place {
  Stream *stream = nullptr;
  uint64_t position = 0;
};

// Capture is a graph that is being recorded.
struct Capture {
  unsigned long long number;
  int mode;
  Stream *origin;
  std::vector<Work> nodes;
  // The streams with recorded work: the last node of each, and the last node that
  // the origin has waited for.
  struct Joined {
    size_t last = 0, awaited = 0;
  };
  std::map<Stream *, Joined> joined;
};

struct Stream {
  int number = 0, priority = 0;
  bool running = false;
  uint64_t submitted = 0, done = 0;
  struct Entry {
    Work work;
    Place after;  // with a stream: the entry only waits for it
  };
  std::deque<Entry> list;
  std::shared_ptr<Capture> capture;
};

struct Event {
  bool timing = true;
  Place place;                       // of the latest record; without a stream there is none
  std::shared_ptr<Capture> capture;  // the capture of the latest record
  Stream *captured_on = nullptr;
  size_t node = 0;
};

struct Graph {
  std::vector<Work> nodes;
};

struct Exec {
  std::shared_ptr<const Graph> graph;
};

}  // namespace standin

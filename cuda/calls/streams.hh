// Streams, events and graphs: who does which work, and after what.
//
// A stream is a list of work that is done later, by whichever thread waits for it, as
// early or as late as the order of the options has it: CUDA promises no more than that
// what waits comes after what it waits for. While a stream is captured, its work goes
// into a graph in place of its list.
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

// Touch is memory that some work reads or writes: it must be there when the work is put
// on a stream and when it is done.
struct Touch {
  const void *at;
  size_t bytes;
  Kind kind;
};

struct Work {
  std::string what;
  std::vector<Touch> touches;
  std::function<void()> run;  // empty: nothing is computed
  bool counted = true;        // as a node of a graph; what values.cc adds is not
};

struct Stream;
struct Event;

// Place is what a stream was given up to some moment.
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
  // Streams that work was recorded on, and up to which of the nodes the origin's has
  // waited for them.
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
    Place after;  // with a stream: nothing but waiting
  };
  std::deque<Entry> list;
  std::shared_ptr<Capture> capture;
};

struct Event {
  bool timing = true;
  Place place;                       // of the latest record; no stream: none yet
  std::shared_ptr<Capture> capture;  // that the latest record belongs to
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

// Options of the stand-in, from PACIA_STANDIN, a list that is separated by commas:
//
//   order=eager|lazy|random:SEED   when a stream does its work: at once (eager, the default); not before
//                                  a thread waits for it; at random times
//   memory=GB                      size of the device's memory (24)
//   report=FILE                    append each error to FILE, a line each, and continue
//                                  (without it: write the error to stderr and abort)
//   values=0                       kernels compute nothing, and memory is not written
//   protect=0                      the host may access the device's memory
//   summary=FILE                   write to FILE the number of calls of each function and the number of
//                                  graphs, whenever a graph is launched or destroyed, or the number
//                                  of calls has doubled
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace standin {

enum class Order { eager, lazy, random };

struct Options {
  Order order = Order::eager;
  uint64_t seed = 0;
  size_t memory = size_t{24} << 30;
  bool values = true, protect = true;
  std::string report, summary;
};

const Options &options();

}  // namespace standin

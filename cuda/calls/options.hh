// What the stand-in is to do, from PACIA_STANDIN, a list with commas between:
//
//   order=eager|lazy|random:SEED   when a stream does its work (eager): at once; not before
//                                  somebody waits for it; now and then
//   memory=GB                      of the device (24)
//   report=FILE                    add what is wrong to FILE, a line each, and go on
//                                  (without it: write it to stderr and abort)
//   values=0                       kernels compute nothing, memory stays untouched
//   protect=0                      the host may touch the device's memory
//   summary=FILE                   write to FILE, when a graph is launched or destroyed or the number
//                                  of calls has doubled, how often each function was called so far,
//                                  and how many graphs there are
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

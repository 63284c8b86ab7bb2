// A kernel of this package in the stand-in for the driver.
#pragma once

#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>

#include "../emulator.hh"
#include "options.hh"
#include "streams.hh"

namespace standin {

struct Grid {
  unsigned blocks_x, blocks_y, threads;
};

struct Kernel {
  const char *name;
  size_t bytes;  // of its parameters, laid out as CUDA does
  std::function<Work(void **, Grid)> work;
};

// The least that is touched where a parameter points: how far a kernel goes, its sources
// know alone. On the emulator it goes no further than to the end of the block.
template <class P>
void touch(std::vector<Touch> &to, const P &p) {
  if constexpr (std::is_pointer_v<P>)
    to.push_back({p, p ? sizeof(*p) : 0, Kind::device});
  else if constexpr (std::is_same_v<P, pacia::Mask>)
    to.push_back({p.where, p.where ? sizeof(*p.where) : 0, Kind::device});
}

// arguments_of reads the values of a launch's arguments.
template <class... P, size_t... i>
std::tuple<P...> arguments_of(void **arguments, std::tuple<P...> *, std::index_sequence<i...>) {
  return {*static_cast<P *>(arguments[i])...};
}

template <class... P>
Kernel kernel(const char *name, void (*f)(P...)) {
  using Own = std::tuple<P...>;
  size_t bytes = 0;
  ((bytes = (bytes + alignof(P) - 1) / alignof(P) * alignof(P) + sizeof(P)), ...);
  return {name, bytes, [name, f](void **arguments, Grid g) {
    // What the arguments are is read now, what they point to when the kernel runs.
    const auto own = std::make_shared<Own>(arguments_of(arguments, static_cast<Own *>(nullptr), std::index_sequence_for<P...>()));
    Work w{name, {}, nullptr};
    std::apply([&](const auto &...each) { (touch(w.touches, each), ...); }, *own);
    if (options().values)
      w.run = [f, own, g] { pacia::emulator::run(g.blocks_x, g.blocks_y, g.threads, false, [&] { std::apply(f, *own); }); };
    return w;
  }};
}

}  // namespace standin

// A kernel of this package in the stand-in for the driver.
#pragma once

#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>

#include "../../../cuda/emulator.hh"
#include "options.hh"
#include "streams.hh"

namespace standin {

struct Grid {
  unsigned blocks_x, blocks_y, threads;
};

struct Kernel {
  const char *name;
  size_t bytes;  // size of the parameters in CUDA's layout
  std::function<Work(void **, Grid)> work;
};

// touch adds the memory that a pointer parameter refers to: one element, since only a
// kernel's source defines how much it accesses. The emulator detects accesses after the
// end of the block.
template <class P>
void touch(std::vector<Touch> &to, const P &p) {
  if constexpr (std::is_pointer_v<P>)
    to.push_back({p, p ? sizeof(*p) : 0, Kind::device});
  else if constexpr (std::is_same_v<P, pacia::Mask>)
    to.push_back({p.where, p.where ? sizeof(*p.where) : 0, Kind::device});
}

// arguments_of returns the values of a launch's arguments.
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
    // The arguments are read now; the memory that they point to is read when the kernel runs.
    const auto own = std::make_shared<Own>(arguments_of(arguments, static_cast<Own *>(nullptr), std::index_sequence_for<P...>()));
    Work w{name, {}, nullptr};
    std::apply([&](const auto &...each) { (touch(w.touches, each), ...); }, *own);
    if (options().values)
      w.run = [f, own, g] { pacia::emulator::run(g.blocks_x, g.blocks_y, g.threads, false, [&] { std::apply(f, *own); }); };
    return w;
  }};
}

}  // namespace standin

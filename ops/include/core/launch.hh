// Launches kernels of package cuda: on the GPU where the tensors are, or, for
// tests, on the emulator.
//
//   PACIA_LAUNCH(dropout, x, blocks(n), x, y, n, mask, scale);
//
// starts the kernel for the type of x, and checks each argument against the
// kernel's parameter: a tensor must hold what the pointer points to.
#pragma once

#include <functional>
#include <tuple>

#include "../../../cuda/kernels.hh"
#include "../../../cuda/launch.h"
#include "base.hh"
#include "emulation.hh"

namespace pacia {

// Threads of a block where no kernel needs another number.
constexpr unsigned kThreads = 256;

// blocks covers n elements, a thread each.
inline pacia_cuda_grid blocks(int64_t n) {
  return {static_cast<unsigned>((n + kThreads - 1) / kThreads), 1, kThreads};
}

// row_threads is how many threads go along a row of d elements, in as many passes as
// kThreads would need, and with all of them at work in each: for 300 elements 160
// in two passes, where 256 would be 44 in the second.
inline unsigned row_threads(int64_t d) {
  const int64_t passes = std::max<int64_t>(1, (d + kThreads - 1) / kThreads);
  const int64_t each = (d + passes - 1) / passes;
  return static_cast<unsigned>(std::max<int64_t>(1, (each + 31) / 32) * 32);
}

// row_blocks gives each of R rows of d elements a block.
inline pacia_cuda_grid row_blocks(int64_t R, int64_t d) {
  return {static_cast<unsigned>(R), 1, row_threads(d)};
}

// column_blocks gives every 32 of d columns a block, for each of G groups.
inline pacia_cuda_grid column_blocks(int64_t d, int64_t G) {
  return {static_cast<unsigned>((d + 31) / 32), static_cast<unsigned>(G), kThreads};
}

// warp_blocks gives each of R rows a warp.
inline pacia_cuda_grid warp_blocks(int64_t R) {
  return {static_cast<unsigned>((R + kThreads / 32 - 1) / (kThreads / 32)), 1, kThreads};
}

// expect_readable throws where a kernel on like's device cannot read t: it takes no
// strides, and an address of another device would be the end of this one.
void expect_readable(const Tensor &t, const Tensor &like);

// argument is a as a parameter of type P of a kernel that runs where like is.
template <class P>
P argument(const Tensor &t, const Tensor &like) {
  static_assert(std::is_pointer_v<P>, "a tensor where the kernel takes a number");
  if (!t.defined()) return nullptr;
  expect_readable(t, like);
  return t.data_ptr<std::remove_const_t<std::remove_pointer_t<P>>>();
}
template <class P, class A>
P argument(const A &a, const Tensor &) {
  return static_cast<P>(a);
}

// Kernel is one for a type: the name and the type of its numbers, by which the GPU
// knows it, and a thread of it on the emulator.
struct Kernel {
  const char *name;
  bool doubles;
  const std::function<void()> &thread;
};

// start runs a kernel where like is; arguments point to its parameters.
void start(const Kernel &kernel, const Tensor &like, pacia_cuda_grid grid, void **arguments);

template <class... P, class... A>
void launch(const char *name, bool doubles, void (*kernel)(P...), const Tensor &like,
            pacia_cuda_grid grid, const A &...a) {
  static_assert(sizeof...(P) == sizeof...(A), "a kernel with other parameters");
  std::tuple<P...> arguments{argument<P>(a, like)...};
  std::apply(
      [&](auto &...each) {
        void *pointers[] = {const_cast<void *>(static_cast<const void *>(&each))...};
        start({name, doubles, [&] { kernel(each...); }}, like, grid, pointers);
      },
      arguments);
}

#define PACIA_LAUNCH(kernel, like, ...)                              \
  do {                                                               \
    if ((like).scalar_type() == at::kDouble)                         \
      ::pacia::launch(#kernel, true, f64::kernel, like, __VA_ARGS__);  \
    else                                                             \
      ::pacia::launch(#kernel, false, f32::kernel, like, __VA_ARGS__); \
  } while (false)

}  // namespace pacia

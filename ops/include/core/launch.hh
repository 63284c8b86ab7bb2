// Launches kernels of package cuda, on the GPU of the tensors or, for tests, on the emulator.
//
//   PACIA_LAUNCH(dropout, x, blocks(n), x, y, n, mask, scale);
//
// starts the kernel for the type of x. It checks each argument against the kernel's parameter:
// a tensor must have the type that the pointer points to.
#pragma once

#include <functional>
#include <tuple>

#include "../../../cuda/kernels.hh"
#include "../../../cuda/launch.h"
#include "base.hh"
#include "emulation.hh"

namespace pacia {

// The number of threads of a block, unless a kernel needs another number.
constexpr unsigned kThreads = 256;

// blocks covers n elements, one thread for each.
inline pacia_cuda_grid blocks(int64_t n) {
  return {static_cast<unsigned>((n + kThreads - 1) / kThreads), 1, kThreads};
}

// row_threads returns the number of threads for a row of d elements. The number of passes is
// the same as with kThreads, but nearly all threads work in each pass. For 300 elements there
// are two passes of 160 threads, where 256 threads would leave 44 elements for the second.
inline unsigned row_threads(int64_t d) {
  const int64_t passes = std::max<int64_t>(1, (d + kThreads - 1) / kThreads);
  const int64_t each = (d + passes - 1) / passes;
  return static_cast<unsigned>(std::max<int64_t>(1, (each + 31) / 32) * 32);
}

// row_blocks assigns a block to each of R rows of d elements.
inline pacia_cuda_grid row_blocks(int64_t R, int64_t d) {
  return {static_cast<unsigned>(R), 1, row_threads(d)};
}

// column_blocks assigns a block to each 32 of d columns, for each of G groups.
inline pacia_cuda_grid column_blocks(int64_t d, int64_t G) {
  return {static_cast<unsigned>((d + 31) / 32), static_cast<unsigned>(G), kThreads};
}

// warp_blocks assigns a warp to each of R rows.
inline pacia_cuda_grid warp_blocks(int64_t R) {
  return {static_cast<unsigned>((R + kThreads / 32 - 1) / (kThreads / 32)), 1, kThreads};
}

// expect_readable throws if a kernel on like's device cannot read t. Kernels do not support
// strides, and an address of another device would crash the process.
void expect_readable(const Tensor &t, const Tensor &like);

// argument converts `a` to a kernel's parameter of type P, for the device of like.
template <class P>
P argument(const Tensor &t, const Tensor &like) {
  static_assert(std::is_pointer_v<P>, "a tensor for a parameter that is a number");
  if (!t.defined()) return nullptr;
  expect_readable(t, like);
  return t.data_ptr<std::remove_const_t<std::remove_pointer_t<P>>>();
}
template <class P, class A>
P argument(const A &a, const Tensor &) {
  return static_cast<P>(a);
}

// Kernel identifies a kernel on the GPU by its name and number type, and has a function that
// runs one thread of it on the emulator.
struct Kernel {
  const char *name;
  bool doubles;
  const std::function<void()> &thread;
};

// start runs a kernel on the device of like; arguments point to its parameters.
void start(const Kernel &kernel, const Tensor &like, pacia_cuda_grid grid, void **arguments);

template <class... P, class... A>
void launch(const char *name, bool doubles, void (*kernel)(P...), const Tensor &like,
            pacia_cuda_grid grid, const A &...a) {
  static_assert(sizeof...(P) == sizeof...(A), "the number of arguments differs from the number of parameters");
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

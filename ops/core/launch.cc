// The launch of kernels, on the GPU of their tensors or on the emulator.
#include "core/libtorch.hh"

#include "core/launch.hh"

#include <atomic>

#include "core/op.h"

namespace pacia {

namespace {

std::atomic<int64_t> launched{0}, overlapped{0};

// Inside counts a thread that runs a kernel on the emulator.
class Inside {
 public:
  Inside() {
    if (threads_++ > 0) overlapped++;
  }
  ~Inside() { threads_--; }
  Inside(const Inside &) = delete;

 private:
  static inline std::atomic<int> threads_{0};
};

void emulate(const Kernel &kernel, pacia_cuda_grid grid) {
  const Inside here;
  emulator::run(grid.blocks_x, grid.blocks_y, grid.threads, emulating() == Emulation::backwards, kernel.thread);
}

}  // namespace

void expect_readable(const Tensor &t, const Tensor &like) {
  TORCH_CHECK(t.is_contiguous(), "a kernel requires a contiguous tensor");
  TORCH_CHECK(t.device() == like.device(), "a kernel on ", like.device(), " cannot read a tensor on ", t.device());
}

void start(const Kernel &kernel, const Tensor &like, pacia_cuda_grid grid, void **arguments) {
  if (grid.blocks_x == 0 || grid.blocks_y == 0) return;
  launched++;
  if (like.device().is_cpu()) return emulate(kernel, grid);
  TORCH_CHECK(grid.blocks_y <= 65'535, kernel.name, " needs ", grid.blocks_y,
              " blocks, and a GPU has 65,535; write smaller train.tasks_per_step or episode.queries");
  if (char *message = pacia_cuda_launch(kernel.name, kernel.doubles, like.get_device(), grid, arguments)) {
    std::string what = message;
    std::free(message);
    throw std::runtime_error(what);
  }
}

}  // namespace pacia

extern "C" int64_t pacia_launches(void) { return pacia::launched; }
extern "C" int64_t pacia_overlaps(void) { return pacia::overlapped; }
extern "C" unsigned pacia_row_threads(int64_t d) { return pacia::row_threads(d); }

// Runs kernels on the CPU, block by block, so that tests of kernels need no GPU.
//
// The threads of a block are fibers of one OS thread. A fiber runs until it ends or
// waits: at __syncthreads() for its block, at a shuffle for its warp. Then the next fiber
// runs. Tests therefore detect wrong indices, wrong sums and threads that miss a
// barrier (the block never ends, which is reported). Threads and blocks can also run in
// reverse order: a result that then differs depends on a race.
//
// Shared memory is static memory of the OS thread. It is filled with NaN (all bits 1)
// for each block.
#pragma once

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <ucontext.h>

namespace pacia {

struct Index3 {
  unsigned x = 0, y = 0, z = 0;
};

// The values of CUDA's built-in variables for the running fiber.
inline thread_local Index3 threadIdx, blockIdx, blockDim, gridDim;

namespace emulator {

constexpr unsigned kWarp = 32, kMostThreads = 1024;
constexpr size_t kStack = 64 << 10;

enum class State { running, at_block, at_warp, done };

// Block runs the threads of one block after the other on fibers, which each OS thread creates once.
class Block {
 public:
  static Block &mine() {
    static thread_local Block block;
    return block;
  }

  // run calls body once for each of n threads, beginning with the first or with the last one.
  void run(unsigned n, bool backwards, const std::function<void()> &body) {
    if (n > kMostThreads) throw std::invalid_argument("a block of more than 1024 threads");
    while (fibers_.size() < n) add();
    body_ = &body;
    n_ = n;
    backwards_ = backwards;
    done_ = 0;
    filled_.clear();
    for (unsigned i = 0; i < n; i++) fibers_[i]->state = State::running;
    while (done_ < n) {
      const bool moved = pass();
      if (release_warps(n) || moved || release_block(n)) continue;
      fibers_.clear();
      throw std::logic_error("threads of a block wait for each other");
    }
  }

  // wait runs the other fibers until all threads of the block or warp that have not ended wait at
  // the same kind of place.
  void wait(State at) {
    Fiber &f = *fibers_[current_];
    f.state = at;
    done_ += at == State::done;
    if (_setjmp(f.place) == 0) enter_next(turn_ + 1);
  }

  // exchange returns the value that thread `lane` of the caller's warp passes. Values alternate
  // between two places. A thread that is ahead writes its next value to the other place, and
  // waits there for the threads that still read.
  template <class T>
  T exchange(T value, unsigned lane) {
    static_assert(sizeof(T) <= sizeof(double));
    const unsigned place = fibers_[current_]->exchanges++ % 2;
    std::memcpy(&fibers_[current_]->given[place], &value, sizeof value);
    wait(State::at_warp);
    const unsigned from = current_ / kWarp * kWarp + lane % kWarp;
    if (from < fibers_.size()) std::memcpy(&value, &fibers_[from]->given[place], sizeof value);
    return value;
  }

  // shared fills memory that the block shares, when the first thread of the block uses it.
  void shared(void *at, size_t bytes) {
    if (filled_.insert(at).second) std::memset(at, 0xff, bytes);
  }

  unsigned lane() const { return current_ % kWarp; }

 private:
  struct Fiber {
    std::unique_ptr<char[]> stack{new char[kStack]};
    ucontext_t start;
    std::jmp_buf place;
    bool begun = false;
    State state = State::done;
    double given[2] = {};
    unsigned exchanges = 0;
  };

  void add() { fibers_.push_back(std::make_unique<Fiber>()); }

  // pass runs every thread that can run, once and in turn, and reports whether there was one.
  bool pass() {
    moved_ = false;
    if (_setjmp(scheduler_) == 0) enter_next(0);
    return moved_;
  }

  // enter_next continues in the next thread that can run, or in pass if there is none.
  [[gnu::noinline]] void enter_next(unsigned turn) {
    for (; turn < n_; turn++) {
      const unsigned i = backwards_ ? n_ - 1 - turn : turn;
      if (fibers_[i]->state == State::running) {
        turn_ = turn;
        enter(i);
      }
    }
    _longjmp(scheduler_, 1);
  }

  void enter(unsigned i) {
    Fiber &f = *fibers_[i];
    moved_ = true;
    current_ = i;
    threadIdx.x = i;
    if (f.begun) _longjmp(f.place, 1);
    f.begun = true;
    getcontext(&f.start);
    f.start.uc_stack.ss_sp = f.stack.get();
    f.start.uc_stack.ss_size = kStack;
    f.start.uc_link = nullptr;
    makecontext(&f.start, &Block::loop, 0);
    setcontext(&f.start);
  }

  // loop is the main function of a fiber: it runs a thread of each block.
  static void loop() {
    for (;;) {
      Block &b = mine();
      b.fibers_[b.current_]->exchanges = 0;
      (*b.body_)();
      b.wait(State::done);
    }
  }

  bool release_warps(unsigned n) {
    bool any = false;
    for (unsigned first = 0; first < n; first += kWarp) {
      bool waits = false, all = true;
      for (unsigned i = first; i < std::min(n, first + kWarp); i++) {
        waits |= fibers_[i]->state == State::at_warp;
        all &= fibers_[i]->state == State::at_warp || fibers_[i]->state == State::done;
      }
      if (!waits || !all) continue;
      for (unsigned i = first; i < std::min(n, first + kWarp); i++) release(i, State::at_warp);
      any = true;
    }
    return any;
  }

  // release_block resumes the threads that wait for their block, unless others wait for their warp.
  bool release_block(unsigned n) {
    for (unsigned i = 0; i < n; i++)
      if (fibers_[i]->state == State::at_warp) return false;
    for (unsigned i = 0; i < n; i++) release(i, State::at_block);
    return true;
  }

  void release(unsigned i, State from) {
    if (fibers_[i]->state == from) fibers_[i]->state = State::running;
  }

  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::set<void *> filled_;
  std::jmp_buf scheduler_;
  unsigned current_ = 0, turn_ = 0, n_ = 0, done_ = 0;
  bool backwards_ = false, moved_ = false;
  const std::function<void()> *body_ = nullptr;
};

// run calls thread once for each thread of a grid, block by block, beginning with the first or
// with the last one.
inline void run(unsigned blocks_x, unsigned blocks_y, unsigned threads, bool backwards,
                const std::function<void()> &thread) {
  gridDim = {blocks_x, blocks_y, 1};
  blockDim = {threads, 1, 1};
  const uint64_t n = uint64_t{blocks_x} * blocks_y;
  for (uint64_t k = 0; k < n; k++) {
    const uint64_t i = backwards ? n - 1 - k : k;
    blockIdx = {static_cast<unsigned>(i % blocks_x), static_cast<unsigned>(i / blocks_x), 0};
    Block::mine().run(threads, backwards, thread);
  }
}

}  // namespace emulator

// The functions that kernels call.
inline void __syncthreads() { emulator::Block::mine().wait(emulator::State::at_block); }

template <class T>
T __shfl_xor_sync(unsigned, T value, unsigned mask) {
  auto &b = emulator::Block::mine();
  return b.exchange(value, b.lane() ^ mask);
}

}  // namespace pacia

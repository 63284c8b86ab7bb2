// What every operation shares: its arguments, its errors, its loops.
#pragma once

#include "product/simd.hh"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "ops.h"
#include "product/after.hh"

namespace pacia {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Fewer elements than this are not worth waking a second thread.
constexpr int64_t kGrain = 16384;

// Args gives an operation its inputs by position and takes its outputs.
class Args {
 public:
  explicit Args(const pacia_args *a) : a_(a) {}

  int64_t inputs() const { return a_->n_in; }

  // in returns input i, undefined where Go passed none.
  Tensor in(int64_t i) const {
    if (i >= a_->n_in) throw std::invalid_argument("too few tensors");
    auto *t = static_cast<Tensor *>(a_->in[i]);
    return t ? *t : Tensor();
  }

  // rest returns the inputs from i on.
  std::vector<Tensor> rest(int64_t i) const {
    std::vector<Tensor> ts;
    for (; i < a_->n_in; i++) ts.push_back(in(i));
    return ts;
  }

  int64_t integer(int64_t i) const {
    if (i >= a_->n_ints) throw std::invalid_argument("too few integers");
    return a_->ints[i];
  }

  std::vector<int64_t> integers(int64_t from, int64_t n) const {
    std::vector<int64_t> v;
    for (int64_t i = 0; i < n; i++) v.push_back(integer(from + i));
    return v;
  }

  double real(int64_t i) const {
    if (i >= a_->n_reals) throw std::invalid_argument("too few numbers");
    return a_->reals[i];
  }

  // key is where the key of dropout is read from instead, or null.
  const uint64_t *key() const { return reinterpret_cast<const uint64_t *>(a_->key); }

  void out(int64_t i, Tensor t) const {
    if (i < a_->n_out) a_->out[i] = new Tensor(std::move(t));
  }

 private:
  const pacia_args *a_;
};

// rows calls f(begin, end) on parts of 0..n, in parallel when n rows of the
// given width are worth it.
template <class F>
void rows(int64_t n, int64_t width, const F &f) {
  at::parallel_for(0, n, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, width)), f);
}

// Emulation is whether kernels run on the emulator where otherwise the loops of
// this layer would, and in which order their threads do: a setting of tests, for
// the calling thread.
enum class Emulation : int { off, forwards, backwards };
inline Emulation &emulating() {
  static thread_local Emulation how = Emulation::off;
  return how;
}

// on_cpu says whether the loops of this layer apply, or else the kernels of
// package cuda.
inline bool on_cpu(const Tensor &t) { return t.device().is_cpu() && emulating() == Emulation::off; }

inline const int32_t *ints(const Tensor &t) { return t.data_ptr<int32_t>(); }

// index turns offsets or row numbers into what ATen's gathers take.
inline Tensor index(const Tensor &t) { return t.to(at::kLong); }

// repeats expands offsets p [n+1] to the number of the segment of each row.
inline Tensor segments(const Tensor &p) {
  auto q = index(p);
  auto counts = q.slice(0, 1) - q.slice(0, 0, -1);
  return at::repeat_interleave(counts);
}

// linear is x Wᵀ + b for x [..., in], W [out, in]; weights kept as 1×1
// convolutions by checkpoints of other programs are taken as they are.
inline Tensor linear(const Tensor &x, const Tensor &w, const Tensor &b) {
  return at::linear(x, w.dim() == 2 ? w : w.flatten(1), b);
}

inline Tensor leaky(const Tensor &x) { return at::leaky_relu(x, kLeak); }

}  // namespace pacia

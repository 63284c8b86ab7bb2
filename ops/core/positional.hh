// For families that do not take their path as a tag yet: arguments by number, and
// the choice between loops and kernels by where a tensor is.
#pragma once

#include <ATen/ATen.h>

#include "args.hh"
#include "autograd.hh"
#include "check.hh"
#include "emulation.hh"
#include "launch.hh"
#include "layers/linear.hh"

namespace pacia {

inline bool on_cpu(const Tensor &t) { return by_loops(t); }

class Positional {
 public:
  explicit Positional(Args &a) : a_(a), tensors_(a.tensors()), ints_(a.integers()), reals_(a.reals()) {}
  ~Positional() noexcept(false) {
    for (auto &t : out_)
      if (t.defined())
        a_.give(t);
      else
        a_.skip();
  }

  int64_t inputs() const { return static_cast<int64_t>(tensors_.size()); }
  Tensor in(int64_t i) const { return tensors_.at(i); }
  std::vector<Tensor> rest(int64_t i) const { return {tensors_.begin() + i, tensors_.end()}; }
  int64_t integer(int64_t i) const { return ints_.at(i); }
  std::vector<int64_t> integers(int64_t from, int64_t n) const {
    return {ints_.begin() + from, ints_.begin() + from + n};
  }
  double real(int64_t i) const { return reals_.at(i); }
  const uint64_t *key() const { return a_.key(); }
  void out(int64_t i, Tensor t) const {
    if (i >= static_cast<int64_t>(out_.size())) out_.resize(static_cast<size_t>(i) + 1);
    out_[static_cast<size_t>(i)] = std::move(t);
  }

 private:
  Args &a_;
  std::vector<Tensor> tensors_;
  std::vector<int64_t> ints_;
  std::vector<double> reals_;
  mutable std::vector<Tensor> out_;
};

inline Dropout dropout_of(const Positional &a, int64_t i) {
  return {a.real(0), static_cast<uint64_t>(a.integer(i)), 0, a.key()};
}

inline Tensor layer(const Tensor &x, const Tensor &w, const Tensor &b, const Follow &f) {
  return on_cpu(x) ? layer(Loops{}, x, w, b, f) : layer(Kernels{}, x, w, b, f);
}

}  // namespace pacia

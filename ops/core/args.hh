// What an operation is given and gives, in the order in which Go lists it.
#pragma once

#include "base.hh"
#include "op.hh"

namespace pacia {

class Args {
 public:
  explicit Args(const pacia_args *a) : a_(a) {}

  // tensor returns the next input, undefined where Go passed none.
  Tensor tensor() {
    if (tensor_ >= a_->n_in) throw std::invalid_argument("too few tensors");
    auto *t = static_cast<Tensor *>(a_->in[tensor_++]);
    return t ? *t : Tensor();
  }

  // tensors returns the next n inputs, or all that are left.
  std::vector<Tensor> tensors(int64_t n) {
    std::vector<Tensor> list;
    for (int64_t i = 0; i < n; i++) list.push_back(tensor());
    return list;
  }
  std::vector<Tensor> tensors() { return tensors(a_->n_in - tensor_); }

  int64_t integer() {
    if (integer_ >= a_->n_ints) throw std::invalid_argument("too few integers");
    return a_->ints[integer_++];
  }
  bool flag() { return integer() != 0; }
  template <class E>
  E choice() { return static_cast<E>(integer()); }
  std::vector<int64_t> integers() {
    std::vector<int64_t> list;
    while (integer_ < a_->n_ints) list.push_back(integer());
    return list;
  }

  double real() {
    if (real_ >= a_->n_reals) throw std::invalid_argument("too few numbers");
    return a_->reals[real_++];
  }

  std::vector<double> reals() {
    std::vector<double> list;
    while (real_ < a_->n_reals) list.push_back(real());
    return list;
  }

  // key is where the key of dropout is read from instead, or null.
  const uint64_t *key() const { return reinterpret_cast<const uint64_t *>(a_->key); }

  // give hands out the next output; those that nobody asked for are passed over.
  void give(Tensor t) {
    if (given_ < a_->n_out) a_->out[given_] = new Tensor(std::move(t));
    given_++;
  }

  void skip() { given_++; }

  // end throws where something was given that the operation did not take.
  void end() const {
    if (tensor_ != a_->n_in || integer_ != a_->n_ints || real_ != a_->n_reals)
      throw std::invalid_argument("too many arguments");
  }

 private:
  const pacia_args *a_;
  int64_t tensor_ = 0, integer_ = 0, real_ = 0, given_ = 0;
};

}  // namespace pacia

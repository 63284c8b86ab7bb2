// The inputs and outputs of an operation, in the order in which Go passes them.
#pragma once

#include "base.hh"
#include "op.hh"

namespace pacia {

class Args {
 public:
  explicit Args(const pacia_args *a) : a_(a) {}

  // tensor returns the next input, which is undefined if Go passed none.
  Tensor tensor();

  // tensors returns the next n inputs, or all remaining ones.
  std::vector<Tensor> tensors(int64_t n);
  std::vector<Tensor> tensors() { return tensors(a_->n_in - tensor_); }

  int64_t integer();
  bool flag() { return integer() != 0; }
  template <class E>
  E choice() { return static_cast<E>(integer()); }
  std::vector<int64_t> integers();

  double real();
  std::vector<double> reals();

  // key returns the address from which the key of dropout is read, or null.
  const uint64_t *key() const { return reinterpret_cast<const uint64_t *>(a_->key); }

  // give returns a value as the next output. Outputs that are not requested are skipped.
  void give(Tensor t);
  void skip() { given_++; }

  // end throws if there are arguments that the operation did not read.
  void end() const;

 private:
  const pacia_args *a_;
  int64_t tensor_ = 0, integer_ = 0, real_ = 0, given_ = 0;
};

}  // namespace pacia

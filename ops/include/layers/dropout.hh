// Dropout with a mask that is a pure function of (key, element): element i of a tensor is kept
// if mask_hash(i, key) ≥ p·2³². There is therefore no state of a generator that a checkpoint
// would have to contain, and a backward pass can compute the same mask again and need not store
// it.
#pragma once

#include <tuple>

#include "core/args.hh"

namespace pacia {

// Dropout is the drop probability p and the key of one site in one step. If the steps of a
// training run are one CUDA graph, the key is read from the device at every step. add is always
// added to the key.
struct Dropout {
  double p = 0;
  uint64_t key = 0, add = 0;
  const uint64_t *where = nullptr;

  bool on() const { return p > 0; }
  Mask mask() const { return {threshold(), key, add, where}; }
  // at returns the dropout of the i-th site of an operation with several sites.
  Dropout at(uint64_t i) const { return {p, key, add + i, where}; }
  auto fields() { return std::tie(p, key, add, where); }

  uint32_t threshold() const { return static_cast<uint32_t>(p * 4294967296.0); }
  uint32_t low() const { return static_cast<uint32_t>(key + add); }
  uint32_t high() const { return static_cast<uint32_t>((key + add) >> 32); }
};

// dropout_of takes an integer, the key, and a real number, p.
inline Dropout dropout_of(Args &a) {
  return {a.real(), static_cast<uint64_t>(a.integer()), 0, a.key()};
}

// mask returns 1/(1−p) where an element of a tensor like this one is kept, and 0 elsewhere.
Tensor mask(const Tensor &like, const Dropout &d);

// dropped returns x with the mask of d applied, without gradients.
Tensor dropped(Loops, const Tensor &x, const Dropout &d);
Tensor dropped(Kernels, const Tensor &x, const Dropout &d);

// dropout applies d to x and is differentiable.
Tensor dropout(Plain, const Tensor &x, const Dropout &d);
Tensor dropout(Loops, const Tensor &x, const Dropout &d);
Tensor dropout(Kernels, const Tensor &x, const Dropout &d);

}  // namespace pacia

// Plain MLPs, which are parts of hypernetworks and of the classifier.
#pragma once

#include "layers/linear.hh"

namespace pacia {

// Steps after a linear layer: the bits of its flag.
constexpr int64_t kLeaky = 1, kResidual = 2, kDrop = 4;

// Mlp is a sequence of linear layers with flags: y = LeakyReLU(W x + b), plus x if the layer is
// residual, then dropout.
struct Mlp {
  std::vector<Tensor> weights;  // w, b, w, b, …
  std::vector<int64_t> flags;   // one for each linear layer
  Dropout dropout;

  size_t depth() const { return flags.size(); }

  // run applies layers [from, to) to x [..., in].
  template <class Path>
  Tensor run(Path, Tensor x, size_t from, size_t to) const {
    for (size_t i = from; i < to; i++)
      x = layer(Path{}, x, weights.at(2 * i), weights.at(2 * i + 1),
                {(flags[i] & kLeaky) != 0, (flags[i] & kResidual) != 0,
                 flags[i] & kDrop ? dropout.at(i) : Dropout()});
    return x;
  }
  template <class Path>
  Tensor run(Path, const Tensor &x) const {
    return run(Path{}, x, 0, depth());
  }
};

}  // namespace pacia

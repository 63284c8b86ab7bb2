// Grouped batch normalisation, and the ReLU and the dropout that follow it. Every group of rows
// (a task's support, a task's queries) is normalised by its own statistics, and the running
// averages are updated by one group after the other.
//
// Legend: A rows, G groups, d width.
#pragma once

#include "dropout.hh"

namespace pacia {

// Constants of torch's BatchNorm1d, which the published code uses.
constexpr double kNormEps = 1e-5;
constexpr double kMomentum = 0.1;

// NormMode selects the steps after the normalisation. Dropout is active in training. The
// running averages are updated with `momentum`; with 1, they become the group's own statistics.
struct NormMode {
  bool training, relu;
  Dropout dropout;
  double momentum = kMomentum;

  bool drops() const { return training && dropout.on(); }
  // left returns the expected share of non-zero entries after these steps.
  double left() const { return (relu ? 0.5 : 1) * (drops() ? 1 - dropout.p : 1); }
  auto fields() { return std::tie(training, relu, dropout, momentum); }
};

// BatchNorm has the parameters of a batch norm, all [d], and its mode. With own, the running
// averages do not change, and mean and var become the statistics of the last group, in the form
// that a running average uses.
struct BatchNorm {
  Tensor gamma, beta, mean, var;
  NormMode mode;
  bool own;
  Tensor like = {};  // [A] int32: the row that defines the dropout mask of each row; none if it is the same row
};

// batch_norm_of takes γ, β, running mean, running variance; the integers training, ReLU, key,
// own; the real p.
BatchNorm batch_norm_of(Args &a);

// check_norm throws if the rows [A, d] to normalise do not match the parameters.
void check_norm(const BatchNorm &n, const Tensor &group, int64_t rows, int64_t d);

// norm returns the normalised z [A, d].
Tensor norm(Plain, const Tensor &z, const Tensor &group, const BatchNorm &n);
Tensor norm(Loops, const Tensor &z, const Tensor &group, const BatchNorm &n);
Tensor norm(Kernels, const Tensor &z, const Tensor &group, const BatchNorm &n);

// give_norm returns y and, with own, the statistics as outputs.
void give_norm(Args &a, const Tensor &y, const BatchNorm &n);

// The parts of norm, for functions with their own backward pass.
struct Statistics {
  Tensor mean, rstd;  // [G, d] in training, [1, d] with running averages
  auto fields() { return std::tie(mean, rstd); }
};

// NormSaved has the values that the backward pass of a norm needs.
struct NormSaved {
  Tensor z, group, gamma, beta, like;
  Statistics s;
  NormMode mode;
  auto fields() { return std::tie(z, group, gamma, beta, like, s, mode); }
};

struct NormGradients {
  Tensor dz, dgamma, dbeta;
};

// norm_forward returns y, and saves the values that the backward pass needs.
Tensor norm_forward(Loops, const Tensor &z, const Tensor &group, const BatchNorm &n, NormSaved &s);
Tensor norm_forward(Kernels, const Tensor &z, const Tensor &group, const BatchNorm &n, NormSaved &s);
NormGradients norm_backward(Loops, const Tensor &dy, const NormSaved &s);
NormGradients norm_backward(Kernels, const Tensor &dy, const NormSaved &s);

}  // namespace pacia

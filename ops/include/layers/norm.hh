// Grouped batch normalisation with the ReLU and the dropout that follow it:
// every group of rows (a task's support, a task's queries) is normalised by
// its own statistics, and the running averages move as if the groups had
// come one after the other.
//
// Legend: A rows, G groups, d width.
#pragma once

#include "dropout.hh"

namespace pacia {

// Of torch's BatchNorm1d, which the published code uses.
constexpr double kNormEps = 1e-5;
constexpr double kMomentum = 0.1;

// NormMode selects the steps after the normalisation. Dropout is active in
// training. A group moves the running averages by momentum; by 1, they become its
// own.
struct NormMode {
  bool training, relu;
  Dropout dropout;
  double momentum = kMomentum;

  bool drops() const { return training && dropout.on(); }
  // left is the expected share of numbers other than zero then.
  double left() const { return (relu ? 0.5 : 1) * (drops() ? 1 - dropout.p : 1); }
  auto fields() { return std::tie(training, relu, dropout, momentum); }
};

// BatchNorm is the parameters of a batch norm, all [d], and how it runs. With own
// the running averages stay, and mean and var become the statistics of the last
// group, as a running average takes them.
struct BatchNorm {
  Tensor gamma, beta, mean, var;
  NormMode mode;
  bool own;
  Tensor like = {};  // [A] int32: the row that gives each its dropout mask; none where it is its own
};

// batch_norm_of takes γ, β, running mean, running variance; integers training,
// ReLU, key, own; the real p.
BatchNorm batch_norm_of(Args &a);

// check_norm throws where the rows [A, d] to normalise do not fit.
void check_norm(const BatchNorm &n, const Tensor &group, int64_t rows, int64_t d);

// norm is z [A, d] normalised.
Tensor norm(Plain, const Tensor &z, const Tensor &group, const BatchNorm &n);
Tensor norm(Loops, const Tensor &z, const Tensor &group, const BatchNorm &n);
Tensor norm(Kernels, const Tensor &z, const Tensor &group, const BatchNorm &n);

// give_norm hands out y and, with own, the statistics.
void give_norm(Args &a, const Tensor &y, const BatchNorm &n);

// The parts of norm, for functions with a backward pass of their own.
struct Statistics {
  Tensor mean, rstd;  // [G, d] in training, [1, d] with running averages
  auto fields() { return std::tie(mean, rstd); }
};

// NormSaved holds the values that the backward pass of a norm needs.
struct NormSaved {
  Tensor z, group, gamma, beta, like;
  Statistics s;
  NormMode mode;
  auto fields() { return std::tie(z, group, gamma, beta, like, s, mode); }
};

struct NormGradients {
  Tensor dz, dgamma, dbeta;
};

// norm_forward returns y, and leaves the values that the backward pass needs.
Tensor norm_forward(Loops, const Tensor &z, const Tensor &group, const BatchNorm &n, NormSaved &s);
Tensor norm_forward(Kernels, const Tensor &z, const Tensor &group, const BatchNorm &n, NormSaved &s);
NormGradients norm_backward(Loops, const Tensor &dy, const NormSaved &s);
NormGradients norm_backward(Kernels, const Tensor &dy, const NormSaved &s);

}  // namespace pacia

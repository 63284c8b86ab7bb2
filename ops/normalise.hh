// How a layer ends that aggregates by an operation of its own: batch norm per
// group, ReLU, dropout; see norm.hh.
//
// Legend: A rows, G groups, d width.
#pragma once

#include "check.hh"
#include "norm.hh"

namespace pacia {

struct NormFunction : torch::autograd::Function<NormFunction> {
  static Tensor forward(AutogradContext *ctx, const Tensor &z, const Tensor &gamma,
                        const Tensor &beta, const Tensor &mean, const Tensor &var,
                        const Tensor &group, const NormMode &mode) {
    auto s = norm_statistics(z, group, mean, var, mode);
    ctx->save_for_backward({z, s.mean, s.rstd, gamma, beta, group});
    mode.save(ctx);
    return norm_forward(z, group, s, gamma, beta, mode);
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    auto n = norm_backward(grads[0].contiguous(), s[0], s[5], {s[1], s[2]}, s[3], s[4],
                           NormMode::load(ctx));
    return {n.dz, n.dgamma, n.dbeta, Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

// normalise makes of z [A, d] output 0. Inputs from `at` on: γ, β, running
// mean, running variance. Integers 0 to 3: training, ReLU, key, whether the
// running averages stay as they are; then the statistics of the last group are
// outputs 1 and 2, as a running average takes them. Real 0: p.
inline void normalise(const Args &a, int64_t at, const Tensor &z, const Tensor &group, bool plain) {
  const char *names[] = {"gamma", "beta", "mean", "var"};
  for (int64_t i = 0; i < 4; i++) expect(names[i], a.in(at + i), {z.size(1)});
  expect_offsets("groups", group, z.size(0));
  auto mode = NormMode{a.integer(0) != 0, a.integer(1) != 0, dropout_of(a, 2)};
  auto gamma = a.in(at), beta = a.in(at + 1), mean = a.in(at + 2), var = a.in(at + 3);
  if (a.integer(3)) {
    mean = at::zeros_like(mean);
    var = at::zeros_like(var);
    mode.momentum = 1;
    a.out(1, mean);
    a.out(2, var);
  }
  a.out(0, plain ? reference::norm(z, group, gamma, beta, mean, var, mode)
                 : NormFunction::apply(z.contiguous(), gamma, beta, mean, var, group, mode));
}

}  // namespace pacia

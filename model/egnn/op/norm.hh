// A linear layer, a batch norm over the graphs of each task, and LeakyReLU.
//
// Legend: B tasks, Q queries, R rows of a query, c columns.
#pragma once

#include <ATen/core/grad_mode.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/pow.h>

#include "core/args.hh"
#include "core/check.hh"
#include "layers/norm.hh"

namespace pacia {

// Tasks has the task of each query.
struct Tasks {
  int64_t B;
  Tensor task;  // [Q]
  Tensor mine;  // [B, Q] 1 if the query belongs to the task, otherwise 0
  Tensor count; // [B, 1] number of queries

  Tasks(const Tensor &t, int64_t tasks, const Tensor &like) : B(tasks), task(t) {
    mine = at::arange(B, t.options()).unsqueeze(1).eq(t).to(like.scalar_type());
    count = mine.sum(1, true).clamp_min(1);
  }

  // mean [B, c] returns the mean of the rows z [Q, R, c] of a task's queries, with the weights
  // `times` [1, 1, R] of rows.
  Tensor mean(const Tensor &z, const Tensor &times) const {
    auto sums = at::matmul(times / times.sum(), z).squeeze(1);
    return at::mm(mine, sums) / count;
  }

  // of returns for each query the values of its task from x [B, c]: [Q, 1, c].
  Tensor of(const Tensor &x) const { return x.index_select(0, task).unsqueeze(1); }
};

// Block has the parameters of a layer: W [c, in], γ, β, and running averages [c].
struct Block {
  Tensor w, gamma, beta, mean, var;

  static Block of(Args &a, int64_t c, int64_t in) {
    Block b{a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor()};
    expect("W", b.w, {c, in});
    for (const Tensor *t : {&b.gamma, &b.beta, &b.mean, &b.var}) expect("a per-column parameter", *t, {c});
    return b;
  }

  // move updates the running averages with one task after the other, as torch does with one
  // batch after the other: with momentum 0.1 and unbiased variances.
  void move(const Tensor &m, const Tensor &v, const Tensor &rows) const {
    const at::NoGradGuard none;
    const int64_t B = m.size(0);
    auto weight = at::pow(1 - kMomentum, at::arange(B - 1, -1, -1, m.options())).unsqueeze(0) * kMomentum;
    const double left = std::pow(1 - kMomentum, B);
    mean.mul_(left).add_(at::mm(weight, m).squeeze(0));
    var.mul_(left).add_(at::mm(weight, v * (rows / (rows - 1).clamp_min(1))).squeeze(0));
  }

  // operator() returns LReLU(BN(z)) for z = Wx [Q, R, c]. A slope of 0 makes it ReLU.
  Tensor operator()(const Tensor &z, const Tasks &tasks, const Tensor &times, bool training, double slope = kLeak) const {
    if (!training) {
      auto scale = gamma * (var + kNormEps).rsqrt();
      auto y = at::addcmul(beta - mean * scale, z, scale);
      return at::leaky_relu_(y, slope);
    }
    auto m = tasks.mean(z, times);
    auto centred = z - tasks.of(m);
    auto v = tasks.mean(centred.square(), times);
    move(m, v, tasks.count * times.sum());
    auto y = at::addcmul(beta, centred, tasks.of(gamma * (v + kNormEps).rsqrt()));
    return at::leaky_relu_(y, slope);
  }
};

}  // namespace pacia

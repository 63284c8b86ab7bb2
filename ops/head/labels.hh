// Labels of support molecules: one-hot labels, and averages over each class. On the kernels'
// path, only kernels read the labels.
//
// Legend: R sets (tasks, or queries with their task's support), N support molecules of a set, n
// rows of a set: N, or N+1 with a query last; B tasks, Q listed tasks, d width.
#pragma once

#include "core/args.hh"
#include "core/autograd.hh"
#include "core/check.hh"
#include "core/launch.hh"

namespace pacia {

// one_hot returns labels [...] as [..., 2] in the type of like.
inline Tensor one_hot(const Tensor &labels, const Tensor &like) {
  TORCH_CHECK(labels.le(1).all().item<bool>(), "a label is not 0 or 1");
  auto active = labels.to(like.scalar_type());
  return at::stack({1 - active, active}, -1);
}

// class_weights returns [R, 2, N]: row c averages over the molecules of class c, for one-hot
// labels [R·N, 2].
inline Tensor class_weights(const Tensor &classes, int64_t N) {
  auto y = classes.view({-1, N, 2}).transpose(1, 2);
  return y / y.sum(2, true);
}

// labels_of_sets returns for each set the labels of its task from [B·N]. Without tasks of the
// sets, it returns the labels unchanged.
inline Tensor labels_of_sets(const Tensor &labels, const Tensor &task, int64_t N) {
  if (!task.defined()) return labels;
  return labels.view({-1, N}).index_select(0, index(task)).flatten();
}

// Sets has the labels of the sets: labels [B·N] of task t[s mod Q] for set s, or of task s if t
// is not defined.
struct Sets {
  Tensor labels, task;
  int64_t R, N, n;
  auto fields() { return std::tie(labels, task, R, N, n); }

  // of returns the sets of molecules [R·N, d] or of graphs [R, N+1, d]. It throws if the
  // kernels would read out of bounds.
  static Sets of(const Tensor &x, const Tensor &labels, const Tensor &task, int64_t N) {
    const bool graphs = x.dim() == 3;
    if (N < 1) throw std::invalid_argument("no support molecules");
    TORCH_CHECK(!graphs || x.size(1) == N + 1, "graphs of ", x.size(1), " nodes with ", N,
                " support molecules");
    TORCH_CHECK(graphs || x.size(0) % N == 0, x.size(0), " molecules are not sets of ", N);
    const Sets s{labels, task, graphs ? x.size(0) : x.size(0) / N, N, graphs ? N + 1 : N};
    expect("labels", labels, {task.defined() ? labels.numel() / N * N : s.R * N});
    if (!task.defined()) return s;
    expect("tasks of the queries", task, {kAny});
    TORCH_CHECK(s.R == 0 || (task.size(0) > 0 && s.R % task.size(0) == 0), s.R, " sets for ",
                task.size(0), " tasks of queries");
    return s;
  }
  int64_t Q() const { return task.defined() ? task.size(0) : R; }
};

// contiguous returns t in contiguous form; t may be undefined.
inline Tensor contiguous(const Tensor &t) { return t.defined() ? t.contiguous() : t; }

// ClassMeans converts x [R·n, d] to the class means, inactive first, [R, 2, d], or with apart
// [2, R, d], and, if requested, the queries [R, d].
struct ClassMeans : Function<ClassMeans> {
  struct Saved {
    Sets sets;
    Tensor share;
    bool apart;
    auto fields() { return std::tie(sets, share, apart); }
  };

  static variable_list forward(AutogradContext *ctx, const Tensor &in, const Sets &s, bool apart,
                               bool query) {
    auto x = in.contiguous(), share = at::empty({s.R, 2}, x.options());
    const int64_t d = x.size(1);
    variable_list out{apart ? at::empty({2, s.R, d}, x.options())
                            : at::empty({s.R, 2, d}, x.options())};
    if (query) out.push_back(at::empty({s.R, d}, x.options()));
    PACIA_LAUNCH(class_means, x, row_blocks(s.R, d), x, s.labels, s.task, s.Q(), s.N, s.n, d,
                 out[0].stride(apart ? 1 : 0), out[0].stride(apart ? 0 : 1), out[0], share,
                 query ? out[1] : Tensor());
    save(ctx, Saved{s, share, apart});
    return out;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    const auto [s, share, apart] = saved<Saved>(ctx);
    auto g = grads[0].contiguous(), dq = grads.size() > 1 ? contiguous(grads[1]) : Tensor();
    const int64_t d = g.size(2);
    auto dx = at::empty({s.R * s.n, d}, g.options());
    PACIA_LAUNCH(class_means_back, g, row_blocks(s.R * s.n, d), g, dq, s.labels, s.task, s.Q(),
                 share, s.N, s.n, d, g.stride(apart ? 1 : 0), g.stride(apart ? 0 : 1), dx);
    return {dx, Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace pacia

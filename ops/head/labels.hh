// Support molecules and their labels on kernels: joined with one-hot labels, and
// averaged over each class. Nobody looks at the labels but the kernels.
//
// Legend: R sets (tasks, or queries with their task's support), N support
// molecules of a set, n rows of it: N, or N+1, the last one a query; B tasks,
// Q tasks listed, d width.
#pragma once

#include "core/positional.hh"

namespace pacia {

// Sets says whose labels the sets have: those [B·N] of task t[s mod Q] for set
// s, or those of task s where t is not defined.
struct Sets {
  Tensor labels, task;
  int64_t R, N, n;

  // of returns those of molecules [R·N, d] or of graphs [R, N+1, d], or throws
  // where the kernels would read beyond an end.
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
  void save(AutogradContext *ctx) const {
    ctx->saved_data["sets"] = std::vector<int64_t>{R, N, n};
  }
  static Sets load(AutogradContext *ctx, const Tensor &labels, const Tensor &task) {
    auto v = ctx->saved_data["sets"].toIntVector();
    return {labels, task, v[0], v[1], v[2]};
  }
};

// contiguous is t, which may be undefined, without strides.
inline Tensor contiguous(const Tensor &t) { return t.defined() ? t.contiguous() : t; }

// JoinLabels: from h [R·n, d] to [R·N, d+2], and, if they are asked for, the
// queries [R, d].
struct JoinLabels : torch::autograd::Function<JoinLabels> {
  static variable_list forward(AutogradContext *ctx, const Tensor &in, const Sets &s, bool query) {
    auto h = in.contiguous();
    const int64_t d = h.size(1);
    variable_list out{at::empty({s.R * s.N, d + 2}, h.options())};
    if (query) out.push_back(at::empty({s.R, d}, h.options()));
    PACIA_LAUNCH(join_labels, h, row_blocks(s.R * s.n, d), h, s.labels, s.task, s.Q(), s.N, s.n, d,
                 out[0], query ? out[1] : Tensor());
    s.save(ctx);
    return out;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    const auto s = Sets::load(ctx, {}, {});
    auto dx = grads[0].contiguous(), dq = grads.size() > 1 ? contiguous(grads[1]) : Tensor();
    const int64_t d = dx.size(1) - 2;
    auto dh = at::empty({s.R * s.n, d}, dx.options());
    PACIA_LAUNCH(join_labels_back, dx, row_blocks(s.R * s.n, d), dx, dq, s.N, s.n, d, dh);
    return {dh, Tensor(), Tensor()};
  }
};

// ClassMeans: from x [R·n, d] to the class means, inactive first, [R, 2, d], or
// with apart [2, R, d]; and, if they are asked for, the queries [R, d].
struct ClassMeans : torch::autograd::Function<ClassMeans> {
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
    ctx->save_for_backward({s.labels, s.task, share});
    ctx->saved_data["apart"] = apart;
    s.save(ctx);
    return out;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto saved = ctx->get_saved_variables();
    const auto s = Sets::load(ctx, saved[0], saved[1]);
    const bool apart = ctx->saved_data["apart"].toBool();
    auto g = grads[0].contiguous(), dq = grads.size() > 1 ? contiguous(grads[1]) : Tensor();
    const int64_t d = g.size(2);
    auto dx = at::empty({s.R * s.n, d}, g.options());
    PACIA_LAUNCH(class_means_back, g, row_blocks(s.R * s.n, d), g, dq, s.labels, s.task, s.Q(),
                 saved[2], s.N, s.n, d, g.stride(apart ? 1 : 0), g.stride(apart ? 0 : 1), dx);
    return {dx, Tensor(), Tensor(), Tensor()};
  }
};

}  // namespace pacia

// The graphs in front of the first relation layer, where each has its own dropout.
//
// Legend: B tasks, Q queries (graphs), N support molecules, n = N+1 nodes of a graph, d width.
#include "core/libtorch.hh"

#include "core/args.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "layers/dropout.hh"
#include "layers/shared.hh"

namespace pacia {

namespace {

// TaskRows copies to each query the row of its task. Its backward pass adds up the gradients of
// a task in a fixed order: libtorch's own would add them by atomics on a GPU.
struct TaskRows : Function<TaskRows> {
  struct Saved {
    Tensor task;
    int64_t B;
    auto fields() { return std::tie(task, B); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &task) {
    save(ctx, Saved{task, x.size(0)});
    return x.index_select(0, index(task));
  }

  static variable_list backward(AutogradContext *ctx, variable_list g) {
    auto s = saved<Saved>(ctx);
    auto of = at::arange(s.B, s.task.options()).unsqueeze(1).eq(s.task.unsqueeze(0));  // [B, Q]
    return {(g[0].unsqueeze(0) * of.unsqueeze(2)).sum(1), Tensor()};
  }
};

Tensor of_tasks(Plain, const Tensor &x, const Tensor &task) { return shared(Plain{}, x, task); }
Tensor of_tasks(Loops, const Tensor &x, const Tensor &task) { return shared(Loops{}, x, task); }
Tensor of_tasks(Kernels, const Tensor &x, const Tensor &task) { return TaskRows::apply(x, task); }

}  // namespace

// graphs_op: inputs the support [B·N, d], queries [Q, d] and their tasks [Q], int32. Integers: N
// and those of dropout_of. Reals: those of dropout_of. Output: nodes [Q, n, d] with dropout.
template <class Path>
void graphs_op(Args &a) {
  auto support = a.tensor(), query = a.tensor(), task = a.tensor();
  const int64_t N = a.integer();
  if (N < 1) throw std::invalid_argument("no support molecules");
  const int64_t B = support.size(0) / N, Q = query.size(0), d = query.size(1);
  expect("support", support, {B * N, d});
  expect("task", task, {Q});
  if constexpr (std::is_same_v<Path, Loops>) expect_below("task", task, B);
  auto of_queries = of_tasks(Path{}, support.reshape({B, N * d}), task).view({Q, N, d});
  a.give(dropout(Path{}, at::cat({of_queries, query.unsqueeze(1)}, 1), dropout_of(a)));
}
PACIA_OP_ALL("relation graphs", graphs_op)

}  // namespace pacia

// The graphs in front of the first relation layer, where each has its own dropout.
//
// Legend: B tasks, Q queries (graphs), N support molecules, n = N+1 nodes of a graph, d width.
#include "core/libtorch.hh"

#include "relation.hh"

#include "core/args.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "layers/dropout.hh"
#include "layers/shared.hh"

namespace pacia {

// of_tasks copies to each query the row [w] of its task in x [B, w]. On a GPU, libtorch's backward
// pass of index_select would add up gradients by atomics, in no fixed order.
template <class Path>
static Tensor of_tasks(Path, const Tensor &x, const Tensor &task) {
  return shared(Path{}, x, task);
}
static Tensor of_tasks(Kernels, const Tensor &x, const Tensor &task) {
  auto own = task.unsqueeze(1).eq(at::arange(x.size(0), task.options()));  // [Q, B]
  return at::where(own.unsqueeze(2), x.unsqueeze(0), 0).sum(1);
}

template <class Path>
Tensor graphs(Path, const Tensor &support, const Tensor &query, const Tensor &task, int64_t N) {
  auto of_queries = of_tasks(Path{}, support.reshape({-1, N * support.size(1)}), task);
  return at::cat({of_queries.view({-1, N, support.size(1)}), query.unsqueeze(1)}, 1);
}
template Tensor graphs(Plain, const Tensor &, const Tensor &, const Tensor &, int64_t);

// graphs_op: inputs the support [B·N, d], queries [Q, d] and their tasks [Q], int32. Integers: N
// and those of dropout_of. Reals: those of dropout_of. Output: nodes [Q, n, d] with dropout.
template <class Path>
void graphs_op(Args &a) {
  auto support = a.tensor(), query = a.tensor(), task = a.tensor();
  const int64_t N = a.integer();
  if (N < 1) throw std::invalid_argument("no support molecules");
  const int64_t B = support.size(0) / N;
  expect("support", support, {B * N, query.size(1)});
  expect("task", task, {query.size(0)});
  if constexpr (std::is_same_v<Path, Loops>) expect_below("task", task, B);
  a.give(dropout(Path{}, graphs(Path{}, support, query, task, N), dropout_of(a)));
}
PACIA_OP_ALL("relation graphs", graphs_op)

}  // namespace pacia

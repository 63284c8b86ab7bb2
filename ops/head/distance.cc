// Distances of queries to the class means of their task's support.
//
// Legend: B tasks, N support molecules of a task, Q queries, d width.
#include "core/libtorch.hh"

#include "core/registry.hh"

#include "labels.hh"
#include "unit.hh"

namespace pacia {

namespace {

// distances subtracts before squaring, because |x|² − 2x·μ + |μ|² would lose small distances.
// The classes are masks, since one_hot would wait for a GPU.
Tensor distances(Plain, const Tensor &support, const Tensor &query, const Tensor &labels,
                 const Tensor &task, int64_t N) {
  auto active = labels.view({-1, N}).ne(0);
  auto share = at::stack({active.logical_not(), active}, 1).to(support.scalar_type());
  share = share / share.sum(2, true);
  auto means = at::bmm(share, support.reshape({-1, N, support.size(1)}));  // [B, 2, d]
  auto apart = query.unsqueeze(1) - means.index_select(0, index(task));
  return -(apart * apart).sum(2).unsqueeze(1);
}

}  // namespace

// distance_op gives the logits [Q, 1, 2]: −|x − μ_c|² for each query x and the mean μ_c of
// class c, inactive first. Inputs: support [B·N, d], queries [Q, d], labels [B·N], tasks of the
// queries [Q]; none, or a factor [1] of the logits. With a factor, all vectors are first scaled
// to length 1. Integer: N.
template <class Path>
void distance_op(Args &a) {
  auto support = a.tensor(), query = a.tensor(), labels = a.tensor(), task = a.tensor();
  const Tensor factor = a.tensor();
  const int64_t N = a.integer();
  if (N < 1) throw std::invalid_argument("no support molecules");
  expect("tasks of the queries", task, {kAny});
  expect("queries", query, {task.size(0), kAny});
  expect("support", support, {kAny, query.size(1)});
  expect("labels", labels, {support.size(0)});
  if (!factor.defined()) return a.give(distances(Path{}, support, query, labels, task, N));
  expect("factor", factor, {1});
  a.give(distances(Path{}, unit(support), unit(query), labels, task, N) * factor);
}
PACIA_OP("distances to class means", distance_op)

}  // namespace pacia

// Logits of queries by inner products with the class means of their task's support, or by
// Mahalanobis distances to them.
//
// Legend: B tasks, N support molecules of a task, Q queries, d width, c classes.
#include "core/libtorch.hh"

#include <ATen/ops/linalg_cholesky_ex.h>
#include <ATen/ops/linalg_solve_triangular.h>

#include "core/args.hh"
#include "core/check.hh"
#include "core/registry.hh"

namespace pacia {

namespace {

enum class Metric : int64_t { dot, mahalanobis };

// kShare is the weight of the covariance of a class; the covariance of the task has the rest.
// The published code uses min(N_c/(N_c + 1), 0.1), which is 0.1 for every N_c. kRidge is added
// to the diagonal.
constexpr double kShare = 0.1, kRidge = 0.1;

// Classes has the molecules of each class as masks, since one_hot would wait for a GPU.
struct Classes {
  Tensor member;  // [B, 2, N] 1 or 0
  Tensor count;   // [B, 2, 1]
  Tensor means;   // [B, 2, d]

  Classes(const Tensor &support, const Tensor &labels) {
    auto active = labels.view({support.size(0), support.size(1)}).ne(0);
    member = at::stack({active.logical_not(), active}, 1).to(support.scalar_type());
    count = member.sum(2, true);
    means = at::bmm(member / count, support);
  }
};

// roots returns rows V [B, 2, R, d] such that VᵀV are the covariances of the classes:
//
//   λ Cov(S_c) + (1 − λ) Cov(S),  unbiased
//
// A class of one molecule has no covariance, which counts as 0. With of_one, every entry of it
// is the variance of the molecule's d numbers, as in the published code.
Tensor roots(const Tensor &x, const Classes &of, bool of_one) {
  const int64_t B = x.size(0), N = x.size(1), d = x.size(2);
  auto whole = (x - x.mean(1, true)) * std::sqrt((1 - kShare) / std::max<int64_t>(1, N - 1));
  auto own = (x.unsqueeze(1) - of.means.unsqueeze(2)) *
             (of.member * (kShare / (of.count - 1).clamp_min(1)).sqrt()).unsqueeze(3);
  std::vector<Tensor> rows{whole.unsqueeze(1).expand({B, 2, N, d}), own};
  if (of_one) {
    auto one = of.count.eq(1);
    auto variance = at::where(one, of.means.var(2, /*unbiased=*/true, /*keepdim=*/true), 1) * kShare;
    rows.push_back((variance.sqrt() * one).unsqueeze(3).expand({B, 2, 1, d}));
  }
  return at::cat(rows, 2);
}

// mahalanobis returns −uᵀ(VᵀV + rI)⁻¹u with u = x − μ_c. V usually has fewer rows than columns,
// so that a system of [R, R] is solved (Woodbury):
//
//   uᵀ(VᵀV + rI)⁻¹u = (|u|² − wᵀ(VVᵀ + rI)⁻¹w)/r,  w = Vu
//
// Every query is multiplied by the V of every task. This needs less memory than a copy of its
// task's V for each query.
Tensor mahalanobis(const Tensor &x, const Tensor &query, const Classes &of, const Tensor &task, bool of_one) {
  auto v = roots(x, of, of_one);  // [B, 2, R, d]
  auto inner = v.matmul(v.transpose(2, 3));
  inner.diagonal(0, 2, 3).add_(kRidge);
  auto lower = std::get<0>(at::linalg_cholesky_ex(inner, /*upper=*/false, /*check_errors=*/false));
  auto w = v.matmul(query.t()) - v.matmul(of.means.unsqueeze(3));  // [B, 2, R, Q]
  auto solved = at::linalg_solve_triangular(lower, w, /*upper=*/false).square().sum(2);  // [B, 2, Q]
  auto own = solved.permute({2, 0, 1}).gather(1, task.view({-1, 1, 1}).expand({-1, 1, 2})).squeeze(1);
  auto apart = (query.unsqueeze(1) - of.means.index_select(0, task)).square().sum(2);
  return (own - apart) / kRidge;
}

}  // namespace

// metric_op gives the logits [Q, 1, 2] of queries x, inactive first: ⟨x, μ_c⟩, or minus the
// squared Mahalanobis distance of x to μ_c, in float64. Inputs: support [B·N, d], queries
// [Q, d], labels [B·N], tasks of the queries [Q]. Integers: N; Metric; 1 for the published
// covariance of a class of one molecule.
template <class Path>
void metric_op(Args &a) {
  auto support = a.tensor(), query = a.tensor(), labels = a.tensor(), task = a.tensor();
  const int64_t N = a.integer();
  const auto metric = a.choice<Metric>();
  const bool of_one = a.flag();
  if (N < 1) throw std::invalid_argument("no support molecules");
  expect("tasks of the queries", task, {kAny});
  expect("queries", query, {task.size(0), kAny});
  expect("support", support, {kAny, query.size(1)});
  expect("labels", labels, {support.size(0)});
  const auto type = query.scalar_type();
  auto x = support.reshape({-1, N, support.size(1)});
  if (metric == Metric::dot) {
    const Classes of(x, labels);
    return a.give((query.unsqueeze(1) * of.means.index_select(0, index(task))).sum(2).unsqueeze(1));
  }
  x = x.to(at::kDouble);
  const Classes of(x, labels);
  a.give(mahalanobis(x, query.to(at::kDouble), of, index(task), of_one).to(type).unsqueeze(1));
}
PACIA_OP("metric of class means", metric_op)

}  // namespace pacia

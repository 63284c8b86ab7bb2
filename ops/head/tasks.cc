// Logits of molecules from a linear classifier for each task.
//
// Legend: n molecules, T tasks, d width.
#include "core/libtorch.hh"

#include <algorithm>
#include <optional>

#include <ATen/ops/_sparse_coo_tensor_unsafe.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>

#include "core/args.hh"
#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "core/rows.hh"
#include "product/vector.hh"
#include "unit.hh"

namespace pacia {

namespace {

// RowsOf has the rows of W that a batch uses, in ascending order [R], and the place of each
// molecule's row among them [n].
struct RowsOf {
  std::vector<int64_t> rows;
  std::vector<int64_t> place;

  RowsOf(const int32_t *of, int64_t n) : rows(of, of + n), place(static_cast<size_t>(n)) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (int64_t i = 0; i < n; i++)
      place[i] = std::lower_bound(rows.begin(), rows.end(), of[i]) - rows.begin();
  }
};

// ScoresLoops computes z_i = ⟨x_i, W_t⟩ + b_t [n] with t = task[i]. If W lags, its gradient is
// sparse, with the rows of the batch's tasks.
struct ScoresLoops : Function<ScoresLoops> {
  struct Saved {
    Tensor x, w, task;
    bool lags;
    auto fields() { return std::tie(x, w, task, lags); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &w, const Tensor &b,
                        const Tensor &task, bool lags) {
    const int64_t n = x.size(0), d = x.size(1);
    auto out = at::empty({n}, x.options());
    const int32_t *of = ints(task);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "task_scores", [&] {
      const auto *from = x.data_ptr<scalar_t>(), *by = w.data_ptr<scalar_t>();
      const auto *bias = b.data_ptr<scalar_t>();
      auto *to = out.data_ptr<scalar_t>();
      rows(n, d, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++)
          to[i] = dot(from + i * d, by + of[i] * d, d) + bias[of[i]];
      });
    });
    save(ctx, Saved{x, w, task, lags});
    return out;
  }

  // Each thread has its own columns, so that the order of the sums over molecules is fixed.
  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto dz = grads[0].contiguous();
    const int64_t n = s.x.size(0), d = s.x.size(1);
    const int32_t *of = ints(s.task);
    std::optional<RowsOf> few;
    if (s.lags) few.emplace(of, n);
    const int64_t R = few ? static_cast<int64_t>(few->rows.size()) : s.w.size(0);
    auto dx = at::empty_like(s.x), dw = at::zeros({R, d}, dz.options()), db = at::zeros({s.w.size(0)}, dz.options());
    AT_DISPATCH_FLOATING_TYPES(dz.scalar_type(), "task_scores_back", [&] {
      const auto *g = dz.data_ptr<scalar_t>(), *x = s.x.data_ptr<scalar_t>();
      const auto *w = s.w.data_ptr<scalar_t>();
      auto *to_x = dx.data_ptr<scalar_t>(), *to_w = dw.data_ptr<scalar_t>(), *to_b = db.data_ptr<scalar_t>();
      columns(n, d, [&](int64_t first, int64_t width) {
        for (int64_t i = 0; i < n; i++) {
          const int64_t at = i * d + first, row = few ? few->place[i] : of[i];
          std::fill_n(to_x + at, width, scalar_t(0));
          axpy(to_x + at, w + of[i] * d + first, g[i], width);
          axpy(to_w + row * d + first, x + at, g[i], width);
        }
      });
      for (int64_t i = 0; i < n; i++) to_b[of[i]] += g[i];
    });
    if (few) {
      auto rows = at::tensor(few->rows, at::kLong).unsqueeze(0);
      dw = at::_sparse_coo_tensor_unsafe(rows, dw, s.w.sizes(), dw.options().layout(at::kSparse))._coalesced_(true);
    }
    return {dx, dw, db, Tensor(), Tensor()};
  }
};

Tensor scores(Plain, const Tensor &x, const Tensor &w, const Tensor &b, const Tensor &task, bool) {
  const auto t = index(task);
  return (x * w.index_select(0, t)).sum(1) + b.index_select(0, t);
}
Tensor scores(Loops, const Tensor &x, const Tensor &w, const Tensor &b, const Tensor &task, bool lags) {
  return ScoresLoops::apply(x.contiguous(), w, b, task, lags);
}

}  // namespace

// task_logits_op gives the logits [n, 1, 2]: 0, and ⟨x, W_t⟩ + b_t for the classifier t of each
// molecule. Inputs: x [n, d], W [T, d], b [T], t [n]; none, or a factor [1] of the logits. With
// a factor, all x are first scaled to length 1. Integers: 1 if a task has a row of W for each
// class, inactive first, so that the logits are those of both rows; 1 if W lags (adam.hh), so
// that its gradient must be sparse.
template <class Path>
void task_logits_op(Args &a) {
  auto x = a.tensor(), w = a.tensor(), b = a.tensor(), task = a.tensor();
  expect("x", x, {kAny, kAny});
  expect("W", w, {kAny, x.size(1)});
  expect("b", b, {w.size(0)});
  expect("tasks", task, {x.size(0)});
  const Tensor factor = a.tensor();
  const bool pairs = a.flag(), lags = a.flag();
  if (x.is_cpu()) expect_below("tasks", task, pairs ? w.size(0) / 2 : w.size(0));
  if (factor.defined()) x = unit(x);
  const auto rows = pairs ? task * 2 : task;
  auto z = scores(Path{}, x, w, b, pairs ? rows + 1 : rows, lags);
  auto logits = at::stack({pairs ? scores(Path{}, x, w, b, rows, lags) : at::zeros_like(z), z}, 1);
  a.give((factor.defined() ? logits * factor : logits).unsqueeze(1));
}
PACIA_OP_LOOPS("logits of tasks", task_logits_op)

}  // namespace pacia

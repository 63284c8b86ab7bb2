// A layer of GIN in training, on previous states with many zeros from ReLU and dropout. Its input
// is h = x⊙f + s, where x is mostly zeros, and f and s belong to the row's task (Eq. 6), or h is
// x itself. Then
//
//   W1 m_v = Σ_{u ∈ N(v) ∪ {v}} (W1 (x⊙f)_u + W1 s + W1 (E1[type] + E2[direction]))
//
// where W1 is applied before the sum over neighbours. So three products only need the non-zero
// entries of x: this one, and the gradients of W1 and of x. The gradient of x is not needed where
// x is zero, since ReLU and dropout do not propagate it there.
//
// Legend: A atoms, B tasks, d width, d' inner width.
#pragma once

#include "core/graph.hh"
#include "film.hh"
#include "gin.hh"
#include "product/sparse.hh"

namespace pacia {

namespace {

// Left is the input of such a layer.
struct Left {
  Tensor x;                   // [A, d]
  Tensor factor, shift, ptr;  // [B, d], [B, d], [B+1]; undefined if h is x
  auto fields() { return std::tie(x, factor, shift, ptr); }

  Sparse sparse() const { return {x, factor, ptr}; }
};

// joined returns the rows of both tensors; the second may be undefined.
Tensor joined(const Tensor &first, const Tensor &second) {
  return second.defined() ? at::cat({first, second}) : first;
}

// activation [A, d'] is the ReLU of the sums over neighbours: of p [A, d'], and of the terms
// [18, d'] of each bond's code and of the self loop.
Tensor activation(const PaddedMatrix &p, const Graph &g, const Tensor &code) {
  auto out = at::empty({p.M, p.N}, code.options());
  const int32_t *ptr = ints(g.rowptr), *col = ints(g.col);
  const uint8_t *of = g.code.data_ptr<uint8_t>();
  const float *each = code.data_ptr<float>();
  rows(p.M, 4 * p.N, [&](int64_t begin, int64_t end) {
    std::vector<const float *> terms;
    for (int64_t r = begin; r < end; r++) {
      terms = {p.row(r), each + kSelfLoop * p.N};
      for (int32_t k = ptr[r]; k < ptr[r + 1]; k++) {
        terms.push_back(p.row(col[k]));
        terms.push_back(each + of[k] * p.N);
      }
      sum_of(terms.data(), static_cast<int64_t>(terms.size()), p.N, true, out.data_ptr<float>() + r * p.N);
    }
  });
  return out;
}

// Back has the results from du [A, d']. dp [A, d'] has for each atom the sum of du over the atoms
// that use its state: its neighbours and itself. few [18 + B, d'] has the sums of du over the
// bonds of each code and the self loops, and of dp over each task.
struct Back {
  PaddedMatrix dp;
  Tensor few;

  Back(const Tensor &du, const Graph &g, const Tensor &tasks);
};

// Threads sum parts of kPart rows, so that the order does not depend on the number of threads.
constexpr int64_t kPart = 512;

Back::Back(const Tensor &du, const Graph &g, const Tensor &tasks) : dp(du.size(0), du.size(1)) {
  const int64_t A = dp.M, d = dp.N, B = tasks.defined() ? tasks.size(0) - 1 : 0, n = (A + kPart - 1) / kPart;
  const int32_t *ptr = ints(g.rowptr), *col = ints(g.col), *task = B ? ints(tasks) : nullptr;
  const uint8_t *of = g.code.data_ptr<uint8_t>();
  const float *x = du.data_ptr<float>();
  auto parts = at::empty({n, kCodes + B, d}, du.options());
  at::parallel_for(0, n, 1, [&](int64_t begin, int64_t end) {
    std::vector<const float *> terms;
    for (int64_t part = begin; part < end; part++) {
      float *sums = parts.data_ptr<float>() + part * (kCodes + B) * d;
      std::fill_n(sums, (kCodes + B) * d, 0.0f);
      for (int64_t r = part * kPart, t = 0; r < std::min(A, (part + 1) * kPart); r++) {
        terms = {x + r * d};
        add(sums + kSelfLoop * d, x + r * d, d);
        for (int32_t k = ptr[r]; k < ptr[r + 1]; k++) {
          terms.push_back(x + col[k] * d);
          add(sums + of[k] * d, x + r * d, d);
        }
        sum_of(terms.data(), static_cast<int64_t>(terms.size()), d, false, dp.row(r));
        std::fill_n(dp.row(r) + d, dp.l - d, 0.0f);
        while (t < B && task[t + 1] <= r) t++;
        if (t < B) add(sums + (kCodes + t) * d, dp.row(r), d);
      }
    }
  });
  few = parts.sum(0);
}

struct SparseGin : Function<SparseGin> {
  struct Saved {
    Left in;
    Tensor a, w1, w2, e1, e2;
    Graph g;
    NormSaved norm;
    auto fields() { return std::tie(in, a, w1, w2, e1, e2, g, norm); }
  };

  static Tensor forward(AutogradContext *ctx, const Tensor &x, const Tensor &factor, const Tensor &shift, const Tensor &w1,
                        const Tensor &b1, const Tensor &w2, const Tensor &b2, const Tensor &e1, const Tensor &e2,
                        const Tensor &gamma, const Tensor &beta, const Tensor &ptr, const Graph &g, const BatchNorm &n) {
    Saved s{{x, factor, shift, ptr}, {}, w1.contiguous(), w2, e1, e2, g, {}};
    auto few = times(joined(bond_table(e1, e2), shift), s.w1, true);  // W1 applied to the codes and the shifts
    auto code = few.slice(0, 0, kCodes);
    code[kSelfLoop].add_(b1);
    const PaddedMatrix p(x.size(0), w1.size(0));
    s.in.sparse().times_transposed(s.w1, shift.defined() ? few.slice(0, kCodes) : Tensor(), p);
    s.a = activation(p, g, code);
    auto z = Update{{}, {}, w2, b2}.outer(s.a);
    auto y = norm_forward(Loops{}, z, g.group, n, s.norm);
    save(ctx, s);
    return y;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto n = norm_backward(Loops{}, grads[0].contiguous(), s.norm);
    auto o = Update{{}, {}, s.w2, {}}.outer_back(n.dz, s.a);
    const bool shifted = s.in.shift.defined();
    const Back b(o.da, s.g, s.in.ptr);
    auto dw1 = s.in.sparse().across(b.dp).add_(across(b.few, joined(bond_table(s.e1, s.e2), s.in.shift)));
    auto few = times(b.few, s.w1, false);
    auto table = few.slice(0, 0, kCodes).view({kTypes, kDirections, -1});
    auto dx = s.in.sparse().where_left(b.dp, s.w1);
    Tensor df, ds;
    if (shifted) {
      auto film = film_gradients(dx, s.in.x, s.in.ptr, s.in.factor);
      dx = film[0];
      df = film[1];
      ds = few.slice(0, kCodes);
    }
    return {dx, df, ds, dw1, b.few[kSelfLoop], o.dw2, o.db2, table.sum(1), table.sum(0), n.dgamma, n.dbeta, Tensor(), Tensor(), Tensor()};
  }
};

// left_of returns the expected share of non-zero entries of x, the output of a layer.
double left_of(const Tensor &x) {
  if (auto *ctx = made_by(x, GinFunction<Loops>::backward)) return saved<GinFunction<Loops>::Saved>(ctx).norm.mode.left();
  if (auto *ctx = made_by(x, SparseGin::backward)) return saved<SparseGin::Saved>(ctx).norm.mode.left();
  return 1;
}

// input_of splits the input of a layer into the tensors that get gradients.
Left input_of(const Tensor &h) {
  auto *ctx = made_by(h, FilmLoops::backward);
  if (!ctx) return {h, {}, {}, {}};
  auto s = saved<FilmLoops::Saved>(ctx);
  return {s.h, s.factor, s.shift, s.ptr};
}

Tensor gin(Loops, const Layer &l) {
  const bool atoms = !l.g.self.defined() && !l.g.spread.defined() && l.h.scalar_type() == at::kFloat;
  const auto in = atoms && at::GradMode::is_enabled() && l.h.grad_fn() ? input_of(l.h) : Left{};
  if (in.x.defined() && sparse_pays(in.x.size(0), left_of(in.x)))
    return SparseGin::apply(in.x, in.factor, in.shift, l.u.w1, l.u.b1, l.u.w2, l.u.b2, l.e1, l.e2, l.n.gamma, l.n.beta,
                            in.ptr, l.g, l.n);
  return GinFunction<Loops>::apply(l.h, l.u.w1, l.u.b1, l.u.w2, l.u.b2, l.e1, l.e2, l.n.gamma, l.n.beta, l.g, l.n);
}

}  // namespace

}  // namespace pacia

// Comparison of queries with each support molecule of their task, after both are refined by
// attention and LSTMs.
//
// Legend: B tasks, N support molecules of a task, Q queries, d width, T steps.
#include "core/libtorch.hh"

#include <ATen/ops/layer_norm.h>
#include <ATen/ops/log.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros_like.h>

#include "core/args.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "layers/dropout.hh"

namespace pacia {

namespace {

// Reading selects how similarities are converted to logits, as in DeepChem or as in MHNfs.
enum class Reading : int64_t { softmax, mean };

// Gates selects the gates of an LSTM: clip(0.2u + 0.5, 0, 1), Keras' former default, or σ(u).
enum class Gates : int64_t { hard, sigmoid };

constexpr double kClip = 1e-7;      // limit of probabilities, in DeepChem
constexpr double kSlack = 1e-8;     // added to lengths and counts, in MHNfs
constexpr double kShortest = 1e-3;  // the smallest length to divide by, so that gradients stay finite
constexpr double kLayerEps = 1e-5;

// unit scales the rows of x to length 1, up to slack.
Tensor unit(const Tensor &x, double slack) {
  return x / (x.norm(2, -1, /*keepdim=*/true) + slack).clamp_min(kShortest);
}

// Support defines which of the B·N support molecules each row uses. Rows of queries use all of
// them with a mask, which avoids copies of their task's molecules.
struct Support {
  int64_t B, N;
  Tensor other;   // [Q, B·N] molecules of other tasks; undefined if B = 1
  Tensor absent;  // [B·N] padding of a support set; undefined without padding
  double slack;   // added to lengths before attention

  Tensor unit(const Tensor &x) const { return pacia::unit(x, slack); }

  // weights [Q, B·N] returns softmax(cos(x, z)) over the molecules z [B, N, d] of x's task.
  Tensor weights(const Tensor &x, const Tensor &z) const {
    auto near = at::mm(unit(x), unit(z).flatten(0, 1).t());
    if (other.defined()) near = near.masked_fill(other, -INFINITY);
    if (absent.defined()) near = near.masked_fill(absent, -INFINITY);
    return at::softmax(near, 1);
  }

  // among [B, N, N] returns the weights of each support molecule z over those of its task.
  Tensor among(const Tensor &z, const Tensor &keys) const {
    auto near = at::bmm(unit(z), keys.transpose(1, 2));
    if (absent.defined()) near = near.masked_fill(absent.view({B, 1, N}), -INFINITY);
    return at::softmax(near, 2);
  }
};

// Cell is an LSTM with the weights W [4d, 2d], U [4d, d] and b [4d] of the gates i, f, g, o.
struct Cell {
  Tensor w, u, b;
  Gates gates;

  Tensor gate(const Tensor &x) const {
    return gates == Gates::hard ? (x * 0.2 + 0.5).clamp(0, 1) : x.sigmoid();
  }

  // step updates the state h, c [n, d] with the input [h | r].
  void step(const Tensor &r, Tensor &h, Tensor &c) const {
    auto all = linear(at::cat({h, r}, 1), w, b) + linear(h, u, Tensor());
    auto parts = all.chunk(4, 1);
    c = gate(parts[1]) * c + gate(parts[0]) * parts[2].tanh();
    h = gate(parts[3]) * c.tanh();
  }

  static Cell of(Args &a, int64_t d, Gates gates) {
    Cell c{a.tensor(), a.tensor(), a.tensor(), gates};
    if (!c.w.defined()) return c;
    expect("W", c.w, {4 * d, 2 * d});
    expect("U", c.u, {4 * d, d});
    expect("b", c.b, {4 * d});
    return c;
  }
};

// refine makes T steps (Altae-Tran et al. 2017):
//
//   r   = softmax(cos(z + δ_s, s)) s          g   = softmax(cos(x + δ_q, z)) z
//   δ_s = LSTM_s([δ_s | r])                   δ_q = LSTM_q([δ_q | g])           z = r
//
// It starts from z = s, and finally adds δ_s to s [B, N, d] and δ_q to x [Q, d]. Queries do not
// affect the support or each other. Without LSTM_s, s does not change.
void refine(Tensor &s, Tensor &x, const Support &of, const Cell &cell, const Cell &query, int64_t T) {
  const int64_t d = x.size(1);
  auto keys = of.unit(s), z = s;
  auto flat = s.flatten(0, 1);
  auto ds = at::zeros_like(flat), cs = ds, dq = at::zeros_like(x), cq = dq;
  for (int64_t t = 0; t < T; t++) {
    auto g = at::mm(of.weights(x + dq, z), z.flatten(0, 1));
    if (cell.w.defined()) {
      z = at::bmm(of.among(z + ds.reshape(s.sizes()), keys), s);
      cell.step(z.reshape({-1, d}), ds, cs);
    }
    query.step(g, dq, cq);
  }
  s = s + ds.reshape(s.sizes());
  x = x + dq;
}

// shares returns the log-odds of Σ_s softmax(cos(x, s)) y_s, as the logits [Q, 2].
Tensor shares(const Tensor &x, const Tensor &s, const Tensor &active, const Support &of) {
  auto p = (of.weights(x, s) * active).sum(1).clamp(kClip, 1 - kClip);
  return at::stack({at::log1p(-p), at::log(p)}, 1);
}

// means returns the logits 0 and β/2 · (mean of ⟨x, s⟩ over actives − mean over inactives). Pairs
// that are left out count as 0.
Tensor means(const Tensor &x, const Tensor &s, const Tensor &active, const Support &of, double beta, bool cosine,
             const Dropout &left_out) {
  auto present = of.absent.defined() ? of.absent.logical_not().to(x.scalar_type()) : at::ones_like(active);
  auto each = [&](const Tensor &member) {
    auto in = (member * present).view({of.B, of.N});
    return in / (2 * in.sum(1, true) + kSlack);
  };
  auto weights = (each(active) - each(1 - active)).view({1, -1});
  if (of.other.defined()) weights = weights.masked_fill(of.other, 0);
  auto z = s.flatten(0, 1);
  auto near = cosine ? at::mm(unit(x, 0), unit(z, 0).t()) : at::mm(x, z.t());
  if (left_out.on()) near = near * (mask(near, left_out) * (1 - left_out.p));
  auto logit = (near * weights).sum(1) * beta;
  return at::stack({at::zeros_like(logit), logit}, 1);
}

}  // namespace

// match_op gives the logits [Q, 1, 2] of queries and, if requested, the refined queries [Q, d]
// and support [B·N, d]. Inputs: support [B·N, d], queries [Q, d], labels [B·N], tasks of the
// queries [Q]; which support molecules are present [B·N], or none if all are; W, U and b of the
// support's LSTM, or none, and of the queries' LSTM. Integers: N, T, Reading, Gates; 1 for
// cosines in place of inner products in Reading::mean; 1 if absent molecules take part in
// attention; a key of dropout. Reals: β; the share of the pairs that Reading::mean leaves out.
template <class Path>
void match_op(Args &a) {
  auto support = a.tensor(), x = a.tensor(), labels = a.tensor(), task = a.tensor(), there = a.tensor();
  const int64_t N = a.integer(), T = a.integer(), d = x.size(1);
  const auto form = a.choice<Reading>();
  const auto gates = a.choice<Gates>();
  const bool cosine = a.flag(), attend = a.flag();
  const auto key = static_cast<uint64_t>(a.integer());
  const double beta = a.real();
  const Dropout left_out{a.real(), key, 0, nullptr};
  if (N < 1) throw std::invalid_argument("no support molecules");
  expect("tasks of the queries", task, {kAny});
  expect("queries", x, {task.size(0), kAny});
  expect("support", support, {kAny, d});
  expect("labels", labels, {support.size(0)});
  if (there.defined()) expect("molecules that are present", there, {support.size(0)});
  const Cell cell = Cell::of(a, d, gates), query = Cell::of(a, d, gates);
  auto s = support.reshape({-1, N, d});
  Support of{s.size(0), N, {}, {}, form == Reading::mean ? kSlack : 0};
  if (of.B > 1) {
    auto owner = at::arange(of.B * N, task.options()).div(N, "floor");
    of.other = task.unsqueeze(1).ne(owner);
  }
  if (form == Reading::mean) {
    s = at::layer_norm(s, {d}, {}, {}, kLayerEps);
    x = at::layer_norm(x, {d}, {}, {}, kLayerEps);
  }
  auto absent = there.defined() ? there.eq(0) : Tensor();
  if (!attend) of.absent = absent;
  if (T > 0) refine(s, x, of, cell, query, T);
  of.absent = absent;
  auto active = labels.ne(0).to(x.scalar_type());
  auto logits = form == Reading::softmax ? shares(x, s, active, of) : means(x, s, active, of, beta, cosine, left_out);
  a.give(logits.unsqueeze(1));
  a.give(x);
  a.give(s.flatten(0, 1));
}
PACIA_OP("match with the support", match_op)

}  // namespace pacia

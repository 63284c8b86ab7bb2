// The stages of MHNfs (Schimunek et al. 2023) before its comparison.
//
// Legend: B tasks, N support molecules of a task, Q queries, R = B·N + Q rows, support first;
// C molecules of the context; d width of a molecule's vector, t of the entry for its
// activity, e = d + t; H heads, w width of a head, f of the hidden layer.
#include "core/libtorch.hh"

#include "core/registry.hh"

#include "layers.hh"

#include <ATen/ops/relu.h>
#include <ATen/ops/softmax.h>

namespace pacia {

namespace {

// Hopfield is a modern Hopfield network that stores a context. K and V [C, H·w] are the
// context's keys and values. retrieve returns one update of the rows x [R, d]:
//
//   (softmax(β (LN(x) W_q) Kᵀ) V) W_o, for each head separately
struct Hopfield {
  Tensor keys, values;
  Normed query;
  Dense out;
  int64_t H;
  double beta;

  static Hopfield of(Args &a, int64_t d, int64_t H, double beta) {
    Hopfield h{a.tensor(), a.tensor(), {}, {}, H, beta};
    expect("keys", h.keys, {kAny, kAny});
    expect("values", h.values, h.keys.sizes());
    const int64_t wide = h.keys.size(1);
    if (wide % H != 0) throw std::invalid_argument("the width of the keys is not a multiple of the number of heads");
    h.query = Normed::of(a, wide, d);
    h.out = Dense::of(a, d, wide);
    return h;
  }

  Tensor retrieve(const Tensor &x, Drop drop, const Dropout &rate) const {
    auto near = at::bmm(heads(query(x) * beta, H), heads(keys, H).transpose(1, 2));
    return out(joined(at::bmm(drop(at::softmax(near, 2), rate), heads(values, H))));
  }
};

// hidden marks what each row must not attend to: [R, B·N + 1], the support molecules and finally
// the query itself. A query attends to its task's support and itself, and a support molecule to
// its task's support. In training, each other molecule is left out with the probability of rate.
Tensor hidden(const Tensor &task, int64_t B, int64_t N, const Tensor &like, const Dropout &rate) {
  auto columns = at::arange(B * N + 1, task.options());
  auto rows = at::arange(like.size(0), task.options()).clamp_max(B * N);
  auto self = columns.eq(rows.unsqueeze(1));
  auto owners = at::arange(B * N, task.options()).div(N, "floor");
  auto other = at::cat({owners, task}).unsqueeze(1).ne(at::cat({owners, at::full({1}, -1, task.options())}));
  if (rate.on()) {
    auto whole = at::empty_like(self, like.options());
    other = other.logical_or(mask(whole, rate).eq(0));
  }
  return other.logical_and(self.logical_not());
}

// Attention is a transformer block over rows [R, e], with the norm first. As published, its
// input is added twice: the result of the block already includes it.
struct Attention {
  Normed in;  // e → [q | k | v] of H·w each
  Dense out;  // H·w → e
  Normed first;
  Dense second;  // e → f → e
  int64_t H;

  static Attention of(Args &a, int64_t e, int64_t H) {
    Attention l{};
    l.H = H;
    l.in = Normed::of(a, kAny, e);
    const int64_t wide = l.in.dense.w.size(0) / 3;
    if (wide < 1 || wide % H != 0 || 3 * wide != l.in.dense.w.size(0))
      throw std::invalid_argument("the width of queries, keys and values is not a multiple of the number of heads");
    l.out = Dense::of(a, e, wide);
    l.first = Normed::of(a, kAny, e);
    l.second = Dense::of(a, e, l.first.dense.w.size(0));
    return l;
  }

  Tensor operator()(const Tensor &x, const Tensor &hidden) const {
    const int64_t seen = hidden.size(1) - 1;
    auto parts = in(x).chunk(3, 1);
    auto q = heads(parts[0], H), k = heads(parts[1], H), v = heads(parts[2], H);
    auto near = at::cat({at::bmm(q, k.slice(1, 0, seen).transpose(1, 2)), (q * k).sum(2, true)}, 2);
    near = near * (1 / std::sqrt(static_cast<double>(q.size(2))));
    auto p = at::softmax(near.masked_fill(hidden, -INFINITY), 2);
    auto taken = at::bmm(p.slice(2, 0, seen), v.slice(1, 0, seen)) + p.slice(2, seen) * v;
    auto y = x + out(joined(taken));
    return x + y + second(at::relu(first(y)));
  }
};

// marked appends t entries to each row: 1 if it is active, −1 if inactive, 0 for a query.
Tensor marked(const Tensor &x, const Tensor &labels, int64_t t) {
  auto active = labels.ne(0).to(x.scalar_type()) * 2 - 1;
  auto entry = at::cat({active, at::zeros({x.size(0) - labels.size(0)}, x.options())});
  return at::cat({x, entry.unsqueeze(1).expand({x.size(0), t})}, 1);
}

}  // namespace

// mhnfs_keys_op gives the keys and values [C, H·w] of a context. Inputs: vectors [C, d]; scale,
// offset, W and b of the keys, and of the values. Integer: 1 to compute gradients of the
// vectors.
template <class Path>
void mhnfs_keys_op(Args &a) {
  auto context = a.tensor();
  expect("context", context, {kAny, kAny});
  auto x = scaled(a.flag() ? context : context.detach());
  const Normed key = Normed::of(a, kAny, x.size(1));
  const Normed value = Normed::of(a, key.dense.w.size(0), x.size(1));
  a.give(key(x));
  a.give(value(x));
}
PACIA_OP("mhnfs keys", mhnfs_keys_op)

// mhnfs_op gives the queries [Q, d] and the support [B·N, d] after the stages. Inputs: support
// [B·N, d], queries [Q, d], labels [B·N], tasks of the queries [Q]; keys, values, then
// Hopfield::query and out; the inputs of Attention. Integers: N, heads of the Hopfield network,
// heads of the attention, t, the key of dropout. If the number of heads is 0, the stage and its
// inputs are omitted. Reals: β, the dropout rate of the Hopfield network's softmax, the rate of
// molecules left out in the attention.
template <class Path>
void mhnfs_op(Args &a) {
  auto support = a.tensor(), x = a.tensor(), labels = a.tensor(), task = a.tensor();
  const int64_t N = a.integer(), retrieving = a.integer(), attending = a.integer(), t = a.integer();
  const auto key = static_cast<uint64_t>(a.integer());
  const double beta = a.real(), rate = a.real(), left_out = a.real();
  if (N < 1) throw std::invalid_argument("no support molecules");
  expect("tasks of the queries", task, {kAny});
  expect("queries", x, {task.size(0), kAny});
  const int64_t d = x.size(1);
  expect("support", support, {kAny, d});
  expect("labels", labels, {support.size(0)});
  if (support.size(0) % N != 0) throw std::invalid_argument("the number of support molecules is not a multiple of N");
  auto rows = at::cat({support, x});
  if (retrieving > 0) {
    const Hopfield hopfield = Hopfield::of(a, d, retrieving, beta);
    const Drop drop = [](const Tensor &p, const Dropout &r) { return dropout(Path{}, p, r); };
    rows = scaled(rows);
    rows = rows + hopfield.retrieve(rows, drop, {rate, key, 0, nullptr});
  }
  if (attending > 0) {
    const Attention attention = Attention::of(a, d + t, attending);
    rows = marked(scaled(rows), labels, t);
    auto away = hidden(task, support.size(0) / N, N, rows, {left_out, key, 1, nullptr});
    rows = attention(rows, away).slice(1, 0, d);
  }
  a.give(rows.slice(0, support.size(0)));
  a.give(rows.slice(0, 0, support.size(0)));
}
PACIA_OP_ALL("mhnfs", mhnfs_op)

}  // namespace pacia

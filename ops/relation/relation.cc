#include "core/libtorch.hh"

#include "relation.hh"

#include <ATen/ops/exp.h>
#include <ATen/ops/eye.h>

#include "core/args.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "layers/linear.hh"

namespace pacia {

Tensor PairNet::similar(const Tensor &h_i, const Tensor &h_j) const {
  auto x = at::exp(-(h_i - h_j).abs());
  x = leaky(linear(x, w1, b1));
  x = leaky(linear(x, w2, b2));
  return linear(x, w3, b3).squeeze(-1).sigmoid();
}

Tensor with_neighbours(const Tensor &h, const Tensor &a) {
  auto weights = a / a.sum(2, true).clamp_min(kLeastLength);
  return at::cat({h, at::bmm(weights, h)}, 2).flatten(0, 1);
}

// Computes a_ij (Eq. 4) of every pair of every graph at once: [Q, n, n, d] in memory, without sharing.
Related relation(Plain, const Relations &r, bool) {
  const int64_t n = r.n(), d = r.rows.size(1), support = r.rows.size(0) - r.Q;
  auto h = r.rows;
  if (r.shared) h = graphs(Plain{}, h.slice(0, 0, support), h.slice(0, support), r.task, r.N);
  h = h.view({r.Q, n, d});
  auto self = at::eye(n, h.options().dtype(at::kBool));
  auto a = r.net.similar(h.unsqueeze(2), h.unsqueeze(1)).masked_fill(self, 0);
  auto top = std::get<1>(a.masked_fill(self, -1).topk(r.K, 2));
  auto kept = a * at::zeros_like(a).scatter(2, top, 1);
  return {with_neighbours(h, kept), kept};
}

// relation_op: inputs nodes [Q, n, d], or the distinct support [B·N, d], queries [Q, d] and the
// queries' tasks [Q]; then w, b of the pair network's three layers; then w, b of each layer of
// the node update, with LeakyReLU after each. Integers: N, K, 1 to return the adjacency.
// Outputs: nodes [Q, n, d]; the entries of A that were kept [Q, n, n].
template <class Path>
void relation_op(Args &a) {
  auto x = a.tensor(), query = a.tensor(), task = a.tensor();
  const bool shared = query.defined();
  const int64_t N = a.integer(), K = std::min(a.integer(), N);
  const bool adjacency = a.flag();
  if (N < 1) throw std::invalid_argument("no support molecules");
  const int64_t Q = shared ? query.size(0) : x.size(0), d = x.size(-1);
  if (shared) {
    expect("support", x, {x.size(0) / N * N, kAny});
    expect("query", query, {Q, d});
  } else {
    expect("nodes", x, {kAny, N + 1, kAny});
  }
  if (shared || task.defined()) expect("task", task, {Q});
  const Relations r{shared ? at::cat({x, query}) : x.reshape({Q * (N + 1), d}), task, shared, Q, N, K,
                    {a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor(), a.tensor()}};
  auto [h, kept] = relation(Path{}, r, adjacency);
  const auto update = a.tensors();
  for (size_t i = 0; i + 1 < update.size(); i += 2)
    h = layer(Path{}, h, update[i], update[i + 1], {true, false, {}});
  a.give(h.view({Q, N + 1, -1}));
  if (adjacency) a.give(kept);
}
PACIA_OP_ALL("relation layer", relation_op)

}  // namespace pacia

// See head.hh.
#include "core/libtorch.hh"

#include "head.hh"

#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sort.h>

namespace pacia {

Tensor class_means(const Tensor &support, const Tensor &labels) {
  auto active = labels.ne(0);
  auto share = at::stack({active.logical_not(), active}).to(support.scalar_type());
  return at::mm(share / share.sum(1, true), support);
}

Tensor attended(const Tensor &x, const Tensor &means, const Tensor &attention, const Dropout &drop) {
  const int64_t d = x.size(1), R = x.size(0);
  auto qkv = linear(at::cat({x, means}), attention, Tensor());
  auto part = [&](int64_t i) { return qkv.slice(1, i * d, (i + 1) * d); };
  auto q = part(0).slice(0, 0, R), k = part(1), v = part(2);
  auto s = at::cat({(q * k.slice(0, 0, R)).sum(1, true), at::mm(q, k.slice(0, R).t())}, 1);
  auto p = dropout(Plain{}, at::softmax(s / std::sqrt(static_cast<double>(d)), 1), drop);
  return p.slice(1, 0, 1) * v.slice(0, 0, R) + at::mm(p.slice(1, 1), v.slice(0, R));
}

Tensor projected(const Tensor &x, const Tensor &a, const Adapted &phi, const Dropout &drop) {
  auto h = dropout(Plain{}, leaky(linear(at::cat({a, x}, 1), phi.w0, phi.b0)), drop);
  return linear(h, phi.w1, phi.b1);
}

Tensor classified(const Tensor &nodes, const Adapted &phi) {
  return linear(leaky(linear(nodes, phi.f1, phi.c1)), phi.f2, phi.c2);
}

namespace {

// related computes a relation layer: the nodes [G·n, w] after it, and its adjacency.
std::pair<Tensor, Tensor> related(const Tensor &table, const Graphs &g, const Pairings &p, const Layer &layer,
                                  int64_t K) {
  auto similar = layer.net.similar(table.index_select(0, p.left), table.index_select(0, p.right));
  auto self = at::eye(g.n, table.options().dtype(at::kBool));
  auto a = similar.index_select(0, p.pair).view({g.G, g.n, g.n}).masked_fill(self, 0);
  if (K < g.n - 1) {  // the first among equal ones
    auto sorted = at::sort(a.detach().masked_fill(self, -1), /*stable=*/true, 2, /*descending=*/true);
    a = a * at::zeros_like(a).scatter(2, std::get<1>(sorted).slice(2, 0, K), 1);
  }
  auto h = table.index_select(0, p.node).view({g.G, g.n, -1});
  return {leaky(linear(with_neighbours(h, a), layer.node, Tensor())), a};
}

}  // namespace

Answers answers(const Tensor &support, const Tensor &query, const Tensor &labels, const Graphs &g,
                const Adapted &phi, const std::vector<Layer> &layers, int64_t K, const Rates &rates) {
  auto x = g.M > 0 ? at::cat({support, query}) : support;
  auto a = attended(x, class_means(support, labels), phi.attention, rates.context);
  auto h = dropout(Plain{}, projected(x, a, phi, rates.context.at(1)), rates.relation);
  Tensor adjacency;
  for (size_t l = 0; l < layers.size(); l++)
    std::tie(h, adjacency) = related(h, g, l == 0 ? g.first : g.later, layers[l], K);
  h = dropout(Plain{}, h.view({g.G, g.n, -1}), rates.relation.at(1));
  return {classified(h, phi), adjacency};
}

}  // namespace pacia

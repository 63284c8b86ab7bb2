// GS-META's relation graphs of molecules and properties (Zhuang et al. 2023), for one task.
//
// Legend: M graphs, one for each query, T properties, the target first, N support molecules,
// n = N + 1 molecules of a graph (N without queries), d width, P pairs of molecules, K shots, L
// layers.
#include "core/libtorch.hh"

#include "core/registry.hh"

#include "graph.hh"

#include <ATen/ops/topk.h>

#include "../../egnn/op/graph.hh"
#include "../../egnn/op/norm.hh"
#include "layers/linear.hh"

namespace pacia {

namespace {

// kPairs is the number of rows of pairs that are processed at a time in evaluation, where graphs
// are independent. With a width of 300, they take 30 MB including the results.
constexpr int64_t kPairs = 1 << 14;

// affine returns x Wᵀ + b. On the CPU, the products do not depend on the number of threads.
Tensor affine(const Tensor &x, const Tensor &w, const Tensor &b) {
  return x.is_cpu() ? layer(Loops{}, x, w, b, {}) : linear(x, w, b);
}

// Drops has the dropout of nodes before the first layer, and the dropout of nodes and of
// channels of the similarity in each layer.
struct Drops {
  Dropout before, within;
};

// Layer updates the nodes of all graphs of a task.
struct Layer {
  Block first, second;  // for pairs: d → h → h'
  Tensor w, b;          // → 1
  Tensor root_w, root_b, near_w, near_b;
  Tensor types;  // [kTypes, d]
  Tensor gamma, beta, mean, var;

  static Layer of(Args &a, int64_t d) {
    Layer l;
    l.first = Block::of(a, kAny, d);
    l.second = Block::of(a, kAny, l.first.w.size(0));
    for (Tensor *t : {&l.w, &l.b, &l.root_w, &l.root_b, &l.near_w, &l.near_b, &l.types, &l.gamma, &l.beta, &l.mean, &l.var})
      *t = a.tensor();
    expect("w", l.w, {1, l.second.w.size(0)});
    expect("b", l.b, {1});
    for (const Tensor *t : {&l.root_w, &l.near_w}) expect("W of nodes", *t, {d, d});
    expect("types", l.types, {kTypes, d});
    for (const Tensor *t : {&l.root_b, &l.near_b, &l.gamma, &l.beta, &l.mean, &l.var}) expect("a per-column parameter", *t, {d});
    return l;
  }

  // similarity [M, n, n] returns the similarities of molecules x [M, n, d], with 0 on the
  // diagonal. Dropout of a channel applies to all pairs of a graph.
  Tensor similarity(const Tensor &x, const Pairs &pairs, const Tasks &task, const Dropout &d, bool training) const {
    auto z = (-pairs.apart(x)).exp();
    for (const Block *b : {&first, &second}) {
      z = (*b)(affine(z, b->w, Tensor()), task, pairs.times, training);
      if (d.on()) z = z * mask(at::empty({z.size(0), 1, z.size(2)}, z.options()), d.at(b == &second));
    }
    auto s = pairs.full(affine(z, w, b).squeeze(2).sigmoid());
    return s * (1 - at::eye(pairs.n, s.options()));
  }

  // operator() returns dropout(LReLU(BN(W_root x_v + mean_{u→v} w_uv (W_n x_u + e_uv)))) for
  // nodes x [M, T + n, d], properties first.
  Tensor operator()(const Tensor &x, const Edges &edges, const Pairs &pairs, const Tasks &task, int64_t K,
                    const Dropout &d, bool training) const {
    auto molecules = x.slice(1, edges.T);
    auto s = similarity(molecules, pairs, task, d, training);
    const int64_t k = std::max<int64_t>(1, std::min(K - 1, edges.n - 1));
    auto kept = at::zeros_like(s).scatter_(2, std::get<1>(at::topk(s.detach(), k, 2)), 1);
    auto to = (s * kept).transpose(1, 2);  // [v, u]: row u sends along the pairs that it keeps
    auto near = affine(x, near_w, near_b);
    auto y = near.slice(1, edges.T);
    auto counts = at::cat({to.sum(2, true), edges.ofMolecules.slice(2, 1).expand({x.size(0), edges.n, kTypes - 1})}, 2);
    auto ofMolecules = edges.toMolecules(near.slice(1, 0, edges.T)) + at::bmm(to, y) + at::matmul(counts, types);
    auto ofProperties = edges.toProperties(y) + at::matmul(edges.ofProperties, types);
    // If the target is the only property, a query that no row keeps has no edge.
    ofMolecules = ofMolecules / (edges.perMolecule + kept.sum(1).unsqueeze(2)).clamp_min(1);
    auto z = affine(x, root_w, root_b) + at::cat({ofProperties / edges.perProperty, ofMolecules}, 1);
    const Block block{Tensor(), gamma, beta, mean, var};
    auto h = block(z, task, at::full({1, 1, z.size(1)}, 1, z.options()), training);
    return d.on() ? dropout(Plain{}, h, d.at(2)) : h;
  }
};

// Network has all layers.
struct Network {
  std::vector<Layer> layers;
  int64_t K;
  Drops drops;
  bool training;

  // run returns the nodes [M, T + n, d] after the last layer, from support [N, d], queries
  // [M, d], which may be undefined, and properties [T, d].
  Tensor run(const Tensor &support, const Tensor &queries, const Tensor &properties, const Edges &edges) const {
    const int64_t M = queries.defined() ? queries.size(0) : 1, d = support.size(1);
    auto molecules = support.unsqueeze(0).expand({M, edges.N, d});
    if (queries.defined()) molecules = at::cat({molecules, queries.unsqueeze(1)}, 1);
    auto own = properties.unsqueeze(0);
    if (drops.before.on()) {
      molecules = dropout(Plain{}, molecules.contiguous(), drops.before);
      own = dropout(Plain{}, own, drops.before.at(1));
    }
    auto x = at::cat({own.expand({M, edges.T, d}), molecules}, 1);
    const Tasks one(at::zeros({M}, x.options().dtype(at::kLong)), 1, x);
    const Pairs pairs(edges.n, x);
    for (size_t l = 0; l < layers.size(); l++)
      x = layers[l](x, edges, pairs, one, K, drops.within.at(4 * l + 4), training);
    return x;
  }
};

// read returns the states of the queries [M, 2d], or of the support [N, 2d] of a graph without
// queries, each joined with the target's.
Tensor read(const Tensor &x, const Edges &edges) {
  auto molecules = edges.toQuery.defined() ? x.slice(1, edges.T + edges.N) : x.slice(1, edges.T);
  auto target = x.slice(1, 0, 1).expand(molecules.sizes());
  return at::cat({molecules, target}, 2).flatten(0, 1);
}

}  // namespace

// gsmeta_op gives the states [R, 2d] of the queries, or of the support if there are none, each joined with the state
// of the target in its graph; and the vector [d] of the graphs. This vector is computed from the means of the nodes
// over the graphs: the target's, plus σ of the mean of all others. Inputs: support [N, d], queries [M, d] or none,
// target [1, d], other properties [T − 1, d] or none, types [N, T] of the support's edges, types [M, T] of the
// queries' edges or none; for each layer the blocks W, γ, β, mean, var of pairs, w, b, W_root, b_root, W_n, b_n,
// types, γ, β, mean, var. Integers: K, L; 1 in training, where batch norm uses the statistics of all graphs; the key
// of dropout. Reals: the dropout rates before and in layers.
template <class Path>
void gsmeta_op(Args &a) {
  auto support = a.tensor(), queries = a.tensor(), properties = a.tensor(), others = a.tensor(), known = a.tensor(), asked = a.tensor();
  const int64_t K = a.integer(), L = a.integer();
  const bool training = a.flag();
  const auto key = static_cast<uint64_t>(a.integer());
  const double before = a.real(), within = a.real();
  expect("support", support, {kAny, kAny});
  const int64_t N = support.size(0), d = support.size(1);
  if (N < 2) throw std::invalid_argument("fewer than two support molecules");
  expect("target", properties, {1, d});
  if (others.defined()) {
    expect("properties", others, {kAny, d});
    properties = at::cat({properties, others});
  }
  const int64_t T = properties.size(0);
  expect("types of the support", known, {N, T});
  if (queries.defined()) {
    expect("queries", queries, {kAny, d});
    expect("types of the queries", asked, {queries.size(0), T});
  }
  Network net{{}, K, {{before, key, 0, nullptr}, {within, key, 0, nullptr}}, training};
  for (int64_t l = 0; l < L; l++) net.layers.push_back(Layer::of(a, d));

  const int64_t M = queries.defined() ? queries.size(0) : 1, pairs = (N + 1) * N / 2 + 1;
  const int64_t part = training ? M : std::max<int64_t>(1, kPairs / pairs);
  std::vector<Tensor> states;
  Tensor sum;  // [T + n, d] sum of the nodes over all graphs
  for (int64_t from = 0; from < M; from += part) {
    const int64_t to = std::min(M, from + part);
    Tensor some, types;
    if (queries.defined()) {
      some = queries.slice(0, from, to);
      types = asked.slice(0, from, to);
    }
    const Edges edges(known, types, support);
    auto x = net.run(support, some, properties, edges);
    states.push_back(read(x, edges));
    auto nodes = x.sum(0);
    sum = sum.defined() ? sum + nodes : nodes;
  }
  a.give(at::cat(states));
  auto mean = sum / M;
  a.give(mean[0] + mean.slice(0, 1).mean(0).sigmoid());
}
PACIA_OP("property graph", gsmeta_op)

// property_classifier_op gives the logits [R, 1, 2] of inactive, which is 0, and active,
// w·ReLU(BN(W x + b)) + b', for x [R, in]. Inputs: x, W, γ, β, mean, var, b, w, b'. Integers: 1 in training.
template <class Path>
void property_classifier_op(Args &a) {
  auto x = a.tensor();
  expect("x", x, {kAny, kAny});
  const auto hidden = Block::of(a, kAny, x.size(1));
  auto bias = a.tensor(), w = a.tensor(), b = a.tensor();
  expect("bias", bias, {hidden.w.size(0)});
  expect("w", w, {1, hidden.w.size(0)});
  expect("b'", b, {1});
  const Tasks one(at::zeros({x.size(0)}, x.options().dtype(at::kLong)), 1, x);
  auto z = affine(x, hidden.w, bias).unsqueeze(1);
  auto h = hidden(z, one, at::full({1, 1, 1}, 1, x.options()), a.flag(), 0);
  auto active = affine(h.squeeze(1), w, b).squeeze(1);
  a.give(at::stack({at::zeros_like(active), active}, 1).unsqueeze(1));
}
PACIA_OP("property classifier", property_classifier_op)

}  // namespace pacia

// The edge-labelling graph network (J. Kim, T. Kim, S. Kim and Yoo 2019).
//
// Legend: B tasks, N support molecules of a task, Q queries, n = N + 1 nodes of a query's
// graph, d width of a molecule's vector, w of a node, P pairs of nodes, L layers.
#include "core/libtorch.hh"

#include "core/registry.hh"

#include "graph.hh"
#include "norm.hh"

namespace pacia {

namespace {

// kRows is the number of rows of pairs that are processed at a time in evaluation, where graphs
// are independent: at a width of 96, they take 100 MB.
constexpr int64_t kRows = 1 << 17;

// Layer updates nodes by the edges, and then edges by the nodes.
struct Layer {
  Block first, second;           // for nodes: 3d → 2w → w
  std::vector<Block> pair;       // for pairs: w → 2w → 2w → w → w
  Tensor w, b;                   // → 1

  static Layer of(Args &a, int64_t in, int64_t w) {
    Layer l{Block::of(a, 2 * w, 3 * in), Block::of(a, w, 2 * w), {}, {}, {}};
    int64_t from = w;
    for (int64_t to : {2 * w, 2 * w, w, w}) {
      l.pair.push_back(Block::of(a, to, from));
      from = to;
    }
    l.w = a.tensor();
    l.b = a.tensor();
    expect("w", l.w, {1, w});
    expect("b", l.b, {1});
    return l;
  }
};

// Network has the layers and the common data of their graphs.
struct Network {
  std::vector<Layer> layers;
  const Tasks &tasks;
  const Pairs &pairs;
  Tensor once;  // [1, 1, n] the weight of each node in batch norm
  bool training;

  // mixed returns Wz of z_i = [h_i | Σ_j ê_0ij h_j | Σ_j ê_1ij h_j]. The products with the
  // three parts of W come first: three = [W_a h | W_b h | W_c h] [Q, n, 6w].
  Tensor mixed(const Tensor &three, const Tensor &e) const {
    auto parts = three.chunk(3, 2);
    auto share = shares(e);
    return parts[0] + at::bmm(share.select(1, 0), parts[1]) + at::bmm(share.select(1, 1), parts[2]);
  }

  // parted returns the products of h with the three parts of W [2w, 3d], side by side.
  static Tensor parted(const Tensor &h, const Tensor &w) {
    return linear(h, at::cat(w.chunk(3, 1), 0), Tensor());
  }

  Tensor nodes(const Layer &l, const Tensor &three, const Tensor &e) const {
    auto h = l.first(mixed(three, e), tasks, once, training);
    return l.second(linear(h, l.second.w, Tensor()), tasks, once, training);
  }

  Tensor similarity(const Layer &l, const Tensor &h) const {
    auto x = pairs.apart(h);
    for (const Block &b : l.pair) x = b(linear(x, b.w, Tensor()), tasks, pairs.times, training);
    return pairs.full(linear(x, l.w, l.b).squeeze(2).sigmoid());
  }

  // run takes the support [B·N, d], the queries x [Q, d] and the first edges [Q, 2, n, n]. It
  // appends the nodes [Q, n, w] and the edges after each layer.
  void run(const Tensor &support, const Tensor &x, Tensor e, std::vector<Tensor> &h, std::vector<Tensor> &edges) const {
    const int64_t N = pairs.n - 1, Q = x.size(0);
    for (const Layer &l : layers) {
      Tensor three;
      if (h.empty()) {  // the graphs of a task share the products of its support
        auto common = parted(support, l.first.w).view({-1, N, l.first.w.size(0) * 3});
        three = at::cat({common.index_select(0, tasks.task), parted(x, l.first.w).view({Q, 1, -1})}, 1);
      } else {
        three = parted(h.back(), l.first.w);
      }
      e = apart_from_self(e);
      h.push_back(nodes(l, three, e));
      e = updated(e, similarity(l, h.back()));
      edges.push_back(e);
    }
  }
};

// loss returns the mean over tasks of the cross entropy of the edges [Q, 2, n, n] between query
// and support, in both directions. It is the mean over edges of equal labels plus the mean over
// edges of different labels. The two channels sum to 1.
Tensor loss(const Tensor &e, const Tensor &same, const Tasks &tasks) {
  const int64_t N = same.size(1);
  auto both = [&](int64_t channel, const Tensor &of) {
    auto c = e.select(1, channel);
    auto cost = -(c.select(1, N).slice(1, 0, N).log() + c.select(2, N).slice(1, 0, N).log());
    auto total = at::mm(tasks.mine, (cost * of).sum(1, true)), count = at::mm(tasks.mine, of.sum(1, true));
    return (total / (2 * count).clamp_min(1)).mean();
  };
  return both(0, same) + both(1, 1 - same);
}

// votes returns the logarithms of the class means v of the edges from the query to the support,
// so that P(active) = v_1/(v_0 + v_1).
Tensor votes(const Tensor &e, const Tensor &labels, const Tensor &task, int64_t N) {
  auto active = labels.view({-1, N}).ne(0);
  auto share = at::stack({active.logical_not(), active}, 1).to(e.scalar_type());
  share = (share / share.sum(2, true)).index_select(0, task);  // [Q, 2, N]
  auto to = e.select(1, 0).select(1, N).slice(1, 0, N);
  return at::bmm(share, to.unsqueeze(2)).squeeze(2).log().unsqueeze(1);
}

}  // namespace

// edges_op gives the logits [Q, 1, 2]. With labels of the queries, it also gives the loss: the
// sum of the layers' losses, divided by L, with weight 1/2 for all layers but the last. If
// requested, it gives the nodes [L, Q, n, w] and edges [L, Q, 2, n, n] of all layers. Inputs:
// support [B·N, d], queries [Q, d], labels [B·N], tasks of the queries [Q], labels of the
// queries [Q] or none; for each layer the blocks W, γ, β, mean, var of Layer, then w, b.
// Integers: N, w, L; 1 in training, where batch norm uses the statistics of each task.
template <class Path>
void edges_op(Args &a) {
  auto support = a.tensor(), x = a.tensor(), labels = a.tensor(), task = a.tensor(), answers = a.tensor();
  const int64_t N = a.integer(), w = a.integer(), L = a.integer(), d = x.size(1);
  const bool training = a.flag();
  if (N < 1) throw std::invalid_argument("no support molecules");
  expect("tasks of the queries", task, {kAny});
  expect("queries", x, {task.size(0), kAny});
  expect("support", support, {kAny, d});
  expect("labels", labels, {support.size(0)});
  if (answers.defined()) expect("labels of the queries", answers, {task.size(0)});
  task = index(task);
  const Pairs pairs(N + 1, x);
  const auto once = at::full({1, 1, N + 1}, 1, x.options());
  std::vector<Layer> layers;
  for (int64_t l = 0; l < L; l++) layers.push_back(Layer::of(a, l == 0 ? d : w, w));

  const int64_t Q = x.size(0), B = support.size(0) / N, rows = pairs.times.numel();
  const int64_t part = training ? std::max<int64_t>(1, Q) : std::max<int64_t>(1, kRows / rows);
  std::vector<std::vector<Tensor>> nodes(L), edges(L);
  for (int64_t from = 0; from < Q; from += part) {
    const int64_t to = std::min(Q, from + part);
    auto of = task.slice(0, from, to);
    const Tasks tasks(of, B, x);
    const Network network{layers, tasks, pairs, once, training};
    std::vector<Tensor> h, e;
    network.run(support, x.slice(0, from, to), start(labels, of, N, x), h, e);
    for (int64_t l = 0; l < L; l++) {
      nodes[l].push_back(h[l]);
      edges[l].push_back(e[l]);
    }
  }
  std::vector<Tensor> all_nodes, all_edges;
  for (int64_t l = 0; l < L; l++) {
    all_nodes.push_back(at::cat(nodes[l]));
    all_edges.push_back(at::cat(edges[l]));
  }
  a.give(votes(all_edges.back(), labels, task, N));
  if (answers.defined()) {
    const Tasks tasks(task, B, x);
    auto same = labels.view({-1, N}).ne(0).index_select(0, task).eq(answers.ne(0).unsqueeze(1)).to(x.scalar_type());
    Tensor sum;
    for (int64_t l = 0; l < L; l++) {
      auto one = loss(all_edges[l], same, tasks) * ((l + 1 < L ? 0.5 : 1.0) / L);
      sum = sum.defined() ? sum + one : one;
    }
    a.give(sum);
  } else {
    a.skip();
  }
  a.give(at::stack(all_nodes));
  a.give(at::stack(all_edges));
}
PACIA_OP("edge graph", edges_op)

}  // namespace pacia

// The operations of PAR's head. They are composed of calls of ATen, on any device and in the
// type of the vectors, and need no kernels of their own on a GPU.
//
// Legend: B tasks, N support molecules of a task, Q queries, M queries of one task, L relation
// layers, n = N + 1, d width of a molecule's vector, w width of a node.
#include "core/libtorch.hh"

#include "core/autograd.hh"
#include "core/check.hh"
#include "core/registry.hh"
#include "episode.hh"

namespace pacia {

namespace {

// Whole has all inputs of a step's loss except the tensors.
struct Whole {
  int64_t N, K;
  Steps steps;
  Rates rates;
  std::vector<int64_t> queries;  // number for each task
};

// Outer is the mean loss of tasks. Its forward pass also computes the gradients, one task at a
// time, so that the graphs of second derivatives of only one task are in memory.
struct Outer : Function<Outer> {
  static Tensor forward(AutogradContext *ctx, const Tensor &support, const Tensor &query, const Tensor &labels,
                        const Tensor &asked, at::TensorList weights, const Whole &w) {
    const Recording on;
    const auto phi_at = static_cast<size_t>(Adapted::size);
    std::vector<Tensor> phi, layers;
    for (size_t i = 0; i < weights.size(); i++) (i < phi_at ? phi : layers).push_back(weights[i].detach());
    const auto B = static_cast<int64_t>(w.queries.size());
    auto S = support.detach(), X = query.detach();
    std::vector<Tensor> dS, dX, sum(layers.size() + phi.size());
    Tensor loss;
    int64_t first = 0;
    for (int64_t b = 0; b < B; b++) {
      const int64_t last = first + w.queries[static_cast<size_t>(b)];
      auto mine = S.slice(0, b * w.N, (b + 1) * w.N), other = X.slice(0, first, last);
      const Episode e(mine, other, labels.slice(0, b * w.N, (b + 1) * w.N), layers, w.K, w.steps,
                      w.rates.at(static_cast<uint64_t>(b) << 40));
      auto g = e.gradients(phi, asked.slice(0, first, last));
      loss = loss.defined() ? loss + g.loss : g.loss;
      dS.push_back(g.by[0].defined() ? g.by[0] : at::zeros_like(mine));
      dX.push_back(g.by[1].defined() ? g.by[1] : at::zeros_like(other));
      for (size_t i = 0; i < sum.size(); i++) {
        const auto &more = g.by[2 + i];
        if (more.defined()) sum[i] = sum[i].defined() ? sum[i] + more : more;
      }
      first = last;
    }
    const double share = 1 / static_cast<double>(B);
    variable_list keep{at::cat(dS) * share, at::cat(dX) * share};
    for (size_t i = 0; i < weights.size(); i++) {  // φ is first
      const auto &g = sum[i < phi_at ? layers.size() + i : i - phi_at];
      keep.push_back(g.defined() ? g * share : at::zeros_like(weights[i]));
    }
    for (auto &t : keep) t = t.detach();
    ctx->save_for_backward(keep);
    return (loss * share).detach();
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    variable_list out;
    for (const auto &t : ctx->get_saved_variables()) {
      if (out.size() == 2) out.resize(4);  // the labels
      out.push_back(t * grads[0]);
    }
    out.emplace_back();
    return out;
  }
};

Rates rates_of(Args &a) {
  const auto key = static_cast<uint64_t>(a.integer());
  const double context = a.real(), relation = a.real();
  return {{context, key, 0, nullptr}, {relation, key, 0, nullptr}};
}

// The default number of pairs that are compared at a time. Each takes some 10,000 numbers,
// including those that are kept to differentiate the gradient.
constexpr int64_t kAtOnce = 16384;

void expect_molecules(int64_t N, int64_t K) {
  if (N < 2 || K < 1) throw std::invalid_argument("fewer than two support molecules, or no neighbours");
}

Steps steps_of(Args &a) {
  const int64_t T = a.integer();
  const double rate = a.real();
  const bool second = a.flag();
  const int64_t most = a.integer();
  return {T, rate, second, most > 0 ? most : kAtOnce};
}

}  // namespace

// par_loss_op gives one number: the mean over tasks of the queries' loss after inner steps.
// Inputs: support [B·N, d], queries [Q, d] in the order of their tasks, labels [B·N] and [Q];
// φ, then L relation layers (head.hh). Integers: N, K, steps, 1 for gradients through the
// steps, number of pairs that are compared at a time or 0, the key of dropout, the number of
// queries of each task. Reals: the steps' rate, the dropout rates in the context and in the
// relation graph.
template <class Path>
void par_loss_op(Args &a) {
  auto support = a.tensor(), query = a.tensor(), labels = a.tensor(), asked = a.tensor();
  const auto weights = a.tensors();
  const int64_t N = a.integer(), K = a.integer();
  const Steps steps = steps_of(a);
  const Rates rates = rates_of(a);
  const Whole w{N, K, steps, rates, a.integers()};
  expect_molecules(N, K);
  const auto B = static_cast<int64_t>(w.queries.size());
  expect("support", support, {B * N, kAny});
  expect("queries", query, {std::accumulate(w.queries.begin(), w.queries.end(), int64_t(0)), support.size(1)});
  expect("labels of the support", labels, {support.size(0)});
  expect("labels of the queries", asked, {query.size(0)});
  if (B < 1 || *std::min_element(w.queries.begin(), w.queries.end()) < 1)
    throw std::invalid_argument("a task has no queries");
  a.give(Outer::apply(support, query, labels, asked, at::TensorList(weights), w));
}
PACIA_OP("par loss", par_loss_op)

// par_adapt_op makes the steps on a task's φ. Inputs: support [N, d], labels [N], the other
// molecules of its graphs [M, d] or none; φ, then the layers. Integers: K, steps, 0, 0, a key,
// 1 to compare the graphs' mean adjacency. Reals: those of par_loss_op. Outputs: φ after the
// steps; the cross entropy and the adjacency's loss before the first step.
template <class Path>
void par_adapt_op(Args &a) {
  auto support = a.tensor(), labels = a.tensor(), partners = a.tensor();
  const auto phi = a.tensors(Adapted::size), layers = a.tensors();
  const int64_t K = a.integer();
  const Steps steps = steps_of(a);
  const Rates rates = rates_of(a);
  const bool averaged = a.flag();
  expect("support", support, {kAny, kAny});
  expect("labels", labels, {support.size(0)});
  if (partners.defined()) expect("partners", partners, {kAny, support.size(1)});
  expect_molecules(support.size(0), K);
  const Recording on;
  const Episode e(support, partners, labels, layers, K, steps, rates);
  Losses first;
  const auto path = e.adapt(phi, averaged, &first, nullptr);
  for (const auto &t : path.back()) a.give(t.detach());
  a.give(first.entropy);
  a.give(first.adjacency);
}
PACIA_OP("par adaptation", par_adapt_op)

// par_nodes_op gives the first nodes [R, w] of molecules x [R, d], and the vectors that they
// attended to [R, d]. Inputs: support [N, d], labels [N], x; φ.
template <class Path>
void par_nodes_op(Args &a) {
  auto support = a.tensor(), labels = a.tensor(), x = a.tensor();
  const Adapted phi(a.tensors(Adapted::size));
  expect("support", support, {kAny, kAny});
  expect("labels", labels, {support.size(0)});
  expect("molecules", x, {kAny, support.size(1)});
  auto token = attended(x, class_means(support, labels), phi.attention, {});
  a.give(projected(x, token, phi, {}));
  a.give(token);
}
PACIA_OP("par nodes", par_nodes_op)

// par_logits_op gives the logits [Q, n, 2] of the nodes [Q, n, w] of graphs, or [Q, 1, 2] of
// their last node if the integer is 1. Inputs: nodes; φ.
template <class Path>
void par_logits_op(Args &a) {
  auto nodes = a.tensor();
  const Adapted phi(a.tensors(Adapted::size));
  expect("nodes", nodes, {kAny, kAny, kAny});
  a.give(classified(a.flag() ? nodes.slice(1, nodes.size(1) - 1) : nodes, phi));
}
PACIA_OP("par logits", par_logits_op)

}  // namespace pacia

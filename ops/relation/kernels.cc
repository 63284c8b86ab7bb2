// The relation layer by kernels of package cuda, with the products of libtorch between them.
// Every pair passes through the whole network.
//
// The backward pass uses y1 and y2, the hidden layers of the pair network, which forward saves;
// it computes D from the nodes again. In the `reference` preset, a step of 9 tasks with 16
// queries has 4,590 pairs in the first layer and 30,240 in each later one. With 256 + 128
// numbers each, they take 7 MB and 46 MB.
//
// Legend: B tasks, Q queries (graphs), N support molecules, n = N+1 nodes of a graph, K
// neighbours kept, R rows of distinct nodes, P pairs, d, d', d'' widths.
#include "core/libtorch.hh"

#include "relation.hh"

#include <ATen/ops/searchsorted.h>

#include "core/check.hh"
#include "core/launch.hh"
#include "layers/linear.hh"

namespace pacia {

namespace {

// The number of pairs that are evaluated at a time if no gradient is needed. It bounds the
// memory: with 512 numbers each, they take 0.5 GB. It is small on the emulator, so that tests
// cover more than one chunk.
int64_t pairs_at_once() {
  return emulating() == Emulation::off ? int64_t{1} << 18 : 50;
}

// Comparison is a Compared that also owns its tensors.
struct Comparison {
  Tensor task, start;  // [Q], [B+1], if the graphs of a task share its support
  int64_t Q, N, B;
  auto fields() { return std::tie(task, start, Q, N, B); }

  static Comparison of(const Relations &r) {
    Comparison c{r.shared ? r.task : Tensor(), {}, r.Q, r.N, r.B()};
    if (r.shared)
      c.start = at::searchsorted(r.task, at::arange(c.B + 1, r.task.options()), /*out_int32=*/true);
    return c;
  }

  bool shared() const { return task.defined(); }
  int64_t n() const { return N + 1; }
  int64_t pairs() const { return shared() ? B * N * (N - 1) / 2 + Q * N : Q * N * n() / 2; }
  operator Compared() const {
    return {Q, static_cast<int32_t>(B), static_cast<int32_t>(N), shared(),
            shared() ? ints(task) : nullptr, shared() ? ints(start) : nullptr};
  }
};

Tensor pair_distances(const Tensor &h, const Comparison &c, int64_t first, int64_t count) {
  auto D = at::empty({count, h.size(1)}, h.options());
  PACIA_LAUNCH(pair_distances, h, warp_blocks(count), h, Compared(c), first, count, h.size(1), D);
  return D;
}

// Similarities has a [P] and, if gradients are needed, y1 [P, d'] and y2 [P, d''].
struct Similarities {
  Tensor a, y1, y2;
};

Similarities pair_similarities(const Tensor &h, const Comparison &c, const PairNet &net,
                                      bool keep) {
  const int64_t P = c.pairs();
  Similarities s{at::empty({P}, h.options()), {}, {}};
  for (int64_t first = 0, count; first < P; first += count) {
    count = keep ? P : std::min(pairs_at_once(), P - first);
    auto y1 = after_product(at::mm(pair_distances(h, c, first, count), net.w1.t()), net.b1, {},
                            {true, false, {}});
    auto y2 = at::mm(y1, net.w2.t());
    PACIA_LAUNCH(pair_scores, h, warp_blocks(count), y2, net.b2, net.w3, net.b3, count, y2.size(1),
                 keep, s.a.narrow(0, first, count));
    if (keep) s.y1 = y1, s.y2 = y2;
  }
  return s;
}

// Joined has [h_i | Σ_j W_ij h_j] of all nodes, [Q·n, 2d], and W [Q·n, n], the entries kept,
// divided by the total [Q·n] of their row.
struct Joined {
  Tensor y, W, total;
};

Joined join(const Tensor &h, const Tensor &a, const Comparison &c, int64_t K) {
  const int64_t rows = c.Q * c.n(), d = h.size(1);
  auto empty = [&](at::IntArrayRef sizes) { return at::empty(sizes, h.options()); };
  Joined out{empty({rows, 2 * d}), empty({rows, c.n()}), empty({rows})};
  PACIA_LAUNCH(strongest, h, warp_blocks(rows), a, Compared(c), K, kLeastLength, out.W, out.total);
  PACIA_LAUNCH(join, h, row_blocks(rows, d), h, out.W, Compared(c), d, out.y);
  return out;
}

// joined_gradients returns dn [Q·n, d], the gradients of the graphs' nodes, and ds [P], the
// gradients of the logits of a.
std::pair<Tensor, Tensor> joined_gradients(const Tensor &dy, const Tensor &h,
                                                  const Tensor &a, const Tensor &W,
                                                  const Tensor &total, const Comparison &c) {
  const int64_t rows = c.Q * c.n(), d = h.size(1);
  auto dn = at::empty({rows, d}, h.options()), da = at::empty_like(W), ds = at::empty_like(a);
  PACIA_LAUNCH(join_back, h, row_blocks(rows, d), dy, W, Compared(c), d, dn);
  PACIA_LAUNCH(strongest_back, h, warp_blocks(rows), dy, h, W, total, Compared(c), d, da);
  PACIA_LAUNCH(pairs_back, h, blocks(a.numel()), da, a, Compared(c), a.numel(), ds);
  return {dn, ds};
}

// pair_gradients returns the gradients of the six weights, undefined for missing biases, and
// the gradient of D.
std::pair<std::vector<Tensor>, Tensor> pair_gradients(const Tensor &h, const Tensor &ds,
                                                             const Tensor &y1, const Tensor &y2,
                                                             const Comparison &c,
                                                             const PairNet &net) {
  auto g2 = at::empty_like(y2);
  PACIA_LAUNCH(pair_scores_back, h, warp_blocks(y2.size(0)), ds, y2, net.w3, y2.size(0), y2.size(1),
               g2);
  auto g1 = at::mm(g2, net.w2);
  PACIA_LAUNCH(after_linear_back, g1, blocks(g1.numel()), g1, y1, g1.numel(), Tensor(), g1,
               Dropout().mask(), 1);
  auto D = pair_distances(h, c, 0, c.pairs());
  auto sum = [](const Tensor &b, const Tensor &g) { return b.defined() ? g.sum(0) : Tensor(); };
  std::vector<Tensor> weights{at::mm(g1.t(), D),  sum(net.b1, g1),
                              at::mm(g2.t(), y1), sum(net.b2, g2),
                              at::mm(ds.unsqueeze(0), y2), sum(net.b3, ds.unsqueeze(1))};
  return {weights, at::mm_out(D, g1, net.w1)};  // D is not used any more
}

// RelationKernels converts distinct nodes [R, d] to [Q·n, 2d]. It also returns W and the totals.
struct RelationKernels : Function<RelationKernels> {
  struct Saved {
    Tensor h, a, y1, y2, W, total;
    PairNet net;
    Comparison c;
    auto fields() { return std::tie(h, a, y1, y2, W, total, net, c); }
  };

  static variable_list forward(AutogradContext *ctx, const Tensor &h, const Tensor &w1,
                               const Optional &b1, const Tensor &w2, const Optional &b2,
                               const Tensor &w3, const Optional &b3, const Comparison &c,
                               int64_t K) {
    auto bias = [](const Optional &b) { return b.value_or(Tensor()); };
    const PairNet net{w1, bias(b1), w2, bias(b2), w3, bias(b3)};
    auto s = pair_similarities(h, c, net.matrices(), true);
    auto out = join(h, s.a, c, K);
    save(ctx, Saved{h, s.a, s.y1, s.y2, out.W, out.total, net, c});
    ctx->mark_non_differentiable({out.W, out.total});
    ctx->set_materialize_grads(false);  // no zeros for the gradients of these two
    return {out.y, out.W, out.total};
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = saved<Saved>(ctx);
    auto [dn, ds] = joined_gradients(grads[0].contiguous(), s.h, s.a, s.W, s.total, s.c);
    auto [weights, dD] = pair_gradients(s.h, ds, s.y1, s.y2, s.c, s.net.matrices());
    auto dh = at::empty_like(s.h);
    PACIA_LAUNCH(nodes_back, dh, row_blocks(dh.size(0), dh.size(1)), dn, dD, s.h, Compared(s.c),
                 dh.size(1), dh);
    return gradients(dh, s.net, weights);
  }
};

void check_net(const PairNet &net, int64_t d) {
  const int64_t d1 = net.w1.size(0), d2 = net.w2.size(0);
  expect("W1", net.w1, {kAny, d});
  expect("W2", net.w2, {kAny, d1});
  expect("W3", net.w3, {1, d2});
  if (net.b1.defined()) expect("b1", net.b1, {d1});
  if (net.b2.defined()) expect("b2", net.b2, {d2});
  if (net.b3.defined()) expect("b3", net.b3, {1});
}

}  // namespace

Related relation(Kernels, const Relations &in, bool adjacency) {
  Relations r = in;
  r.rows = r.rows.contiguous();
  const auto net = r.net.matrices();
  check_net(net, r.rows.size(1));
  const auto c = Comparison::of(r);
  bool wanted = r.rows.requires_grad();
  for (auto &w : r.net.list()) wanted |= w.defined() && w.requires_grad();
  Joined out;
  if (wanted && at::GradMode::is_enabled()) {
    auto y = apply<RelationKernels>(r, c);
    out = {y[0], y[1], y[2]};
  } else {
    out = join(r.rows, pair_similarities(r.rows, c, net, false).a, c, r.K);
  }
  Tensor A;
  if (adjacency) A = (out.W * out.total.unsqueeze(1)).view({r.Q, r.n(), r.n()});
  return {out.y, A};
}

}  // namespace pacia

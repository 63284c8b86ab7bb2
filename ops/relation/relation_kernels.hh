// The relation layer on a GPU: kernels of package cuda, and between them the
// products of libtorch. Every pair goes through the whole network.
//
// A backward pass finds y1 and y2, the pair network's hidden layers, where
// forward left them; D is made again from the nodes. In the `reference` preset
// a step of 9 tasks with 16 queries has 4,590 pairs in the first layer and
// 30,240 in each later one, of 256 + 128 numbers: 7 MB and 46 MB.
//
// Legend: B tasks, Q queries (graphs), N support molecules, n = N+1 nodes of a
// graph, K neighbours kept, R rows of distinct nodes, P pairs, d, d', d'' widths.
#pragma once

#include "core/positional.hh"
#include "pairnet.hh"
#include "relation_reference.hh"

namespace pacia {

// Pairs that are evaluated at a time where no gradient is wanted, so that
// memory is bounded: 512 numbers each make 0.5 GB. Few on the emulator, so that
// its tests see more than one such chunk.
inline int64_t pairs_at_once() {
  return emulating() == Emulation::off ? int64_t{1} << 18 : 50;
}

// Comparison is a Compared that keeps its tensors alive.
struct Comparison {
  Tensor task, start;  // [Q], [B+1], where the graphs of a task share its support
  int64_t Q, N, B;

  // of compares the molecules of Q graphs; task is that of each where they
  // share the support of their task among B, or not defined.
  static Comparison of(const Tensor &task, int64_t Q, int64_t N, int64_t B) {
    Comparison c{task, {}, Q, N, B};
    if (task.defined())
      c.start = at::searchsorted(task, at::arange(B + 1, task.options()), /*out_int32=*/true);
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

inline Tensor pair_distances(const Tensor &h, const Comparison &c, int64_t first, int64_t count) {
  auto D = at::empty({count, h.size(1)}, h.options());
  PACIA_LAUNCH(pair_distances, h, warp_blocks(count), h, Compared(c), first, count, h.size(1), D);
  return D;
}

// Similarities are a [P], and, where a gradient is wanted, y1 [P, d'], y2 [P, d''].
struct Similarities {
  Tensor a, y1, y2;
};

inline Similarities pair_similarities(const Tensor &h, const Comparison &c, const PairNet &net,
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

// Joined is [h_i | Σ_j W_ij h_j] of all nodes, [Q·n, 2d], and W [Q·n, n]: the
// entries kept, divided by the total [Q·n] of their row.
struct Joined {
  Tensor y, W, total;
};

inline Joined join(const Tensor &h, const Tensor &a, const Comparison &c, int64_t K) {
  const int64_t rows = c.Q * c.n(), d = h.size(1);
  auto empty = [&](at::IntArrayRef sizes) { return at::empty(sizes, h.options()); };
  Joined out{empty({rows, 2 * d}), empty({rows, c.n()}), empty({rows})};
  PACIA_LAUNCH(strongest, h, warp_blocks(rows), a, Compared(c), K, kNormFloor, out.W, out.total);
  PACIA_LAUNCH(join, h, row_blocks(rows, d), h, out.W, Compared(c), d, out.y);
  return out;
}

// joined_gradients returns dn [Q·n, d], the gradients of the graphs' nodes, and
// ds [P], those of the logits of a.
inline std::pair<Tensor, Tensor> joined_gradients(const Tensor &dy, const Tensor &h,
                                                  const Tensor &a, const Tensor &W,
                                                  const Tensor &total, const Comparison &c) {
  const int64_t rows = c.Q * c.n(), d = h.size(1);
  auto dn = at::empty({rows, d}, h.options()), da = at::empty_like(W), ds = at::empty_like(a);
  PACIA_LAUNCH(join_back, h, row_blocks(rows, d), dy, W, Compared(c), d, dn);
  PACIA_LAUNCH(strongest_back, h, warp_blocks(rows), dy, h, W, total, Compared(c), d, da);
  PACIA_LAUNCH(pairs_back, h, blocks(a.numel()), da, a, Compared(c), a.numel(), ds);
  return {dn, ds};
}

// pair_gradients returns the gradients of the six weights, undefined where there
// is no bias, and that of D.
inline std::pair<std::vector<Tensor>, Tensor> pair_gradients(const Tensor &h, const Tensor &ds,
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
  return {weights, at::mm_out(D, g1, net.w1)};  // D is not needed any more
}

// RelationKernels: from distinct nodes [R, d] to [Q·n, 2d]; also returns W and
// the totals.
struct RelationKernels : torch::autograd::Function<RelationKernels> {
  static variable_list forward(AutogradContext *ctx, const Tensor &h, const Tensor &w1,
                               const Optional &b1, const Tensor &w2, const Optional &b2,
                               const Tensor &w3, const Optional &b3, const Comparison &c,
                               int64_t K) {
    auto bias = [](const Optional &b) { return b.value_or(Tensor()); };
    std::vector<Tensor> net{w1, bias(b1), w2, bias(b2), w3, bias(b3)};
    auto s = pair_similarities(h, c, PairNet::from(net), true);
    auto out = join(h, s.a, c, K);
    variable_list saved{h, s.a, s.y1, s.y2, out.W, out.total, c.task, c.start};
    saved.insert(saved.end(), net.begin(), net.end());
    ctx->save_for_backward(saved);
    ctx->saved_data["sizes"] = std::vector<int64_t>{c.Q, c.N, c.B};
    ctx->mark_non_differentiable({out.W, out.total});
    ctx->set_materialize_grads(false);  // no zeros for these two
    return {out.y, out.W, out.total};
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto s = ctx->get_saved_variables();
    auto sizes = ctx->saved_data["sizes"].toIntVector();
    Comparison c{s[6], s[7], sizes[0], sizes[1], sizes[2]};
    std::vector<Tensor> net(s.begin() + 8, s.end());
    auto [dn, ds] = joined_gradients(grads[0].contiguous(), s[0], s[1], s[4], s[5], c);
    auto [weights, dD] = pair_gradients(s[0], ds, s[2], s[3], c, PairNet::from(net));
    auto dh = at::empty_like(s[0]);
    PACIA_LAUNCH(nodes_back, dh, row_blocks(dh.size(0), dh.size(1)), dn, dD, s[0], Compared(c),
                 dh.size(1), dh);
    variable_list out{dh};
    for (size_t i = 0; i < net.size(); i++)
      out.push_back(weights[i].defined() ? weights[i].view(net[i].sizes()) : Tensor());
    out.resize(9);
    return out;
  }
};

inline void check_net(const PairNet &net, int64_t d) {
  const int64_t d1 = net.w1.size(0), d2 = net.w2.size(0);
  expect("W1", net.w1, {kAny, d});
  expect("W2", net.w2, {kAny, d1});
  expect("W3", net.w3, {1, d2});
  if (net.b1.defined()) expect("b1", net.b1, {d1});
  if (net.b2.defined()) expect("b2", net.b2, {d2});
  if (net.b3.defined()) expect("b3", net.b3, {1});
}

// relation_kernels is the layer on distinct nodes [R, d], up to the node update;
// the adjacency [Q, n, n] only where it is wanted.
inline std::pair<Tensor, Tensor> relation_kernels(const Tensor &rows,
                                                  const std::vector<Tensor> &net,
                                                  const Tensor &task, bool shared, int64_t Q,
                                                  int64_t N, int64_t K, bool want_adjacency) {
  auto h = rows.contiguous();
  auto weights = PairNet::from(net);
  check_net(weights, h.size(1));
  auto c = Comparison::of(shared ? task : Tensor(), Q, N, shared ? (h.size(0) - Q) / N : Q);
  bool wanted = h.requires_grad();
  for (auto &w : net) wanted |= w.defined() && w.requires_grad();
  Joined out;
  if (wanted && at::GradMode::is_enabled()) {
    auto y = RelationKernels::apply(h, net[0], optional(net[1]), net[2], optional(net[3]), net[4],
                                    optional(net[5]), c, K);
    out = {y[0], y[1], y[2]};
  } else {
    out = join(h, pair_similarities(h, c, weights, false).a, c, K);
  }
  Tensor A;
  if (want_adjacency) A = (out.W * out.total.unsqueeze(1)).view({Q, N + 1, N + 1});
  return {out.y, A};
}

}  // namespace pacia

// One layer of the relation graph up to the node update (Eqs. 3 and 4): the
// similarities of all pairs, of each row the K largest, normalised to sum 1,
// and the neighbours' mean so weighted, joined with the node itself:
//
//   [h_i | Σ_j â_ij h_j]      a_ii = 0
//
// These are the loops for the CPU; relation_kernels.hh has the way of a GPU.
//
// Legend: Q queries, n = N+1 nodes of a graph (support, then the query),
// K neighbours kept, d width, R rows of distinct nodes, P pairs.
#pragma once

#include "relation_kernels.hh"
#include "similarity.hh"

namespace pacia {

// keep_largest writes to kept [K] the nodes of the K largest entries of row i
// of graph q; among equals the first.
template <class T>
void keep_largest(const T *a, const Pairs &p, int64_t q, int64_t i, int64_t K, int32_t *kept,
                  std::vector<std::pair<T, int32_t>> &row) {
  row.clear();
  for (int64_t j = 0; j < p.n; j++)
    if (j != i) row.emplace_back(-a[p.of(q, i, j)], static_cast<int32_t>(j));
  std::nth_element(row.begin(), row.begin() + (K - 1), row.end());
  for (int64_t k = 0; k < K; k++) kept[k] = row[k].second;
  std::sort(kept, kept + K);
}

// gather returns [h_i | Σ_j â_ij h_j] of all nodes, [Q·n, 2d], and the nodes
// kept, [Q·n, K] int32.
inline std::pair<Tensor, Tensor> gather(const Tensor &x, const Tensor &a, const Pairs &p,
                                        int64_t K) {
  const int64_t d = x.size(1), n = p.n;
  auto out = at::zeros({p.Q * n, 2 * d}, x.options());
  auto kept = at::empty({p.Q * n, K}, x.options().dtype(at::kInt));
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gather", [&] {
    const auto *h = x.data_ptr<scalar_t>(), *s = a.data_ptr<scalar_t>();
    at::parallel_for(0, p.Q, 1, [&](int64_t begin, int64_t end) {
      std::vector<std::pair<scalar_t, int32_t>> row;
      for (int64_t q = begin; q < end; q++)
        for (int64_t i = 0; i < n; i++) {
          const int64_t r = q * n + i;
          auto *js = kept.data_ptr<int32_t>() + r * K;
          auto *y = out.data_ptr<scalar_t>() + r * 2 * d;
          keep_largest(s, p, q, i, K, js, row);
          scalar_t sum = 0;
          for (int64_t k = 0; k < K; k++) sum += s[p.of(q, i, js[k])];
          sum = std::max(sum, static_cast<scalar_t>(kNormFloor));
          std::copy_n(h + p.node[r] * d, d, y);
          for (int64_t k = 0; k < K; k++)
            axpy(y + d, h + p.node[q * n + js[k]] * d, s[p.of(q, i, js[k])] / sum, d);
        }
    });
  });
  return {out, kept};
}

// gather_gradients returns the gradients of x [R, d] and of a [P]. Graphs
// that share support rows belong to one task; tasks go to threads whole.
inline std::pair<Tensor, Tensor> gather_gradients(const Tensor &g, const Tensor &x, const Tensor &a,
                                                  const Tensor &kept, const Pairs &p) {
  const int64_t d = x.size(1), n = p.n, K = kept.size(1);
  auto dx = at::zeros_like(x), da = at::zeros_like(a);
  auto graph = [&](int64_t q, auto *zero) {
    using T = std::remove_pointer_t<decltype(zero)>;
    const auto *h = x.data_ptr<T>(), *s = a.data_ptr<T>();
    auto *to = dx.data_ptr<T>(), *ts = da.data_ptr<T>();
    std::vector<T> weight(K), grad(K);
    for (int64_t r = q * n; r < (q + 1) * n; r++) {
      const auto *dy = g.data_ptr<T>() + r * 2 * d;
      const auto *js = kept.data_ptr<int32_t>() + r * K;
      axpy(to + p.node[r] * d, dy, T(1), d);
      T sum = 0, mean = 0;
      for (int64_t k = 0; k < K; k++) sum += weight[k] = s[p.of(q, r - q * n, js[k])];
      sum = std::max(sum, static_cast<T>(kNormFloor));
      for (int64_t k = 0; k < K; k++) {
        const int64_t j = p.node[q * n + js[k]] * d;
        weight[k] /= sum;
        grad[k] = dot(dy + d, h + j, d);
        mean += grad[k] * weight[k];
        axpy(to + j, dy + d, weight[k], d);
      }
      for (int64_t k = 0; k < K; k++) ts[p.of(q, r - q * n, js[k])] += (grad[k] - mean) / sum;
    }
  };
  // first[b] is the first graph of block b.
  std::vector<int64_t> first;
  for (int64_t q = 0; q < p.Q; q++)
    if (q == 0 || p.inner[q] != p.inner[q - 1]) first.push_back(q);
  first.push_back(p.Q);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gather_gradients", [&] {
    at::parallel_for(0, static_cast<int64_t>(first.size()) - 1, 1, [&](int64_t begin, int64_t end) {
      for (int64_t q = first[begin]; q < first[end]; q++)
        graph(q, static_cast<scalar_t *>(nullptr));
    });
  });
  return {dx, da};
}

// RelationFunction: from distinct nodes [R, d] to [Q·n, 2d]. Saved: the
// nodes, a and which entries were kept; the pair network is computed again.
struct RelationFunction : torch::autograd::Function<RelationFunction> {
  static variable_list forward(AutogradContext *ctx, const Tensor &x, const Tensor &w1,
                               const Optional &b1, const Tensor &w2, const Optional &b2,
                               const Tensor &w3, const Optional &b3,
                               const c10::intrusive_ptr<Pairs> &p, int64_t K) {
    auto h = x.contiguous();
    std::vector<Tensor> net{w1, b1.value_or(Tensor()), w2, b2.value_or(Tensor()),
                            w3, b3.value_or(Tensor())};
    auto weights = PairNet::from(net);
    auto pieces = pieces_of(h, *p, weights);
    auto a = similarities(h, *p, weights, *pieces);
    auto [out, kept] = gather(h, a, *p, K);
    ctx->save_for_backward({h, net[0], net[1], net[2], net[3], net[4], net[5], a, kept});
    ctx->saved_data["pairs"] = c10::IValue::make_capsule(p);
    ctx->saved_data["pieces"] = c10::IValue::make_capsule(pieces);
    ctx->mark_non_differentiable({a, kept});
    return {out, a, kept};
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto capsule = ctx->saved_data["pairs"].toCapsule();
    const auto &p = static_cast<const Pairs &>(*capsule);
    auto pieces = ctx->saved_data["pieces"].toCapsule();
    auto s = ctx->get_saved_variables();
    auto [dx, da] = gather_gradients(grads[0].contiguous(), s[0], s[7], s[8], p);
    auto g = similarity_gradients(s[0], p, PairNet::from({s.begin() + 1, s.begin() + 7}),
                                  static_cast<const Pieces &>(*pieces), s[7], da);
    variable_list out{dx.add_(g.x)};
    for (size_t i = 0; i < 6; i++)
      out.push_back(g.weights[i].defined() ? g.weights[i].view(s[i + 1].sizes()) : Tensor());
    out.resize(9);
    return out;
  }
};

// adjacency spreads the entries kept over [Q, n, n], as they are before the
// normalisation; for inspection.
inline Tensor adjacency(const Tensor &a, const Tensor &kept, const Pairs &p) {
  auto out = at::zeros({p.Q, p.n, p.n}, a.options());
  auto k = kept.accessor<int32_t, 2>();
  for (int64_t r = 0; r < kept.size(0); r++)
    for (int64_t c = 0; c < kept.size(1); c++)
      out[r / p.n][r % p.n][k[r][c]] = a[p.of(r / p.n, r % p.n, k[r][c])];
  return out;
}

// relation_loops is the layer on distinct nodes [R, d], up to the node update.
inline std::pair<Tensor, Tensor> relation_loops(const Tensor &rows, const std::vector<Tensor> &net,
                                                const Tensor &task, bool shared, int64_t Q,
                                                int64_t N, int64_t K, bool want_adjacency) {
  const int32_t *of = task.defined() ? ints(task) : nullptr;
  auto pairs = c10::make_intrusive<Pairs>(
      shared ? shared_pairs(of, (rows.size(0) - Q) / N, Q, N) : separate_pairs(of, Q, N));
  auto out = RelationFunction::apply(rows, net[0], optional(net[1]), net[2], optional(net[3]),
                                     net[4], optional(net[5]), pairs, K);
  return {out[0], want_adjacency ? adjacency(out[1], out[2], *pairs) : Tensor()};
}

// relation_op: inputs nodes [Q, n, d], or the distinct support [B·N, d],
// queries [Q, d] and the queries' tasks [Q]; then w, b of the pair network's
// three layers; then w, b of each layer of the node update, LeakyReLU after
// each. Integers: N, K, whether the adjacency is wanted. Outputs: nodes
// [Q, n, d]; the entries of A that were kept [Q, n, n].
inline void relation_op(const Positional &a, bool plain) {
  const int64_t N = a.integer(0), n = N + 1, K = std::min(a.integer(1), N);
  auto x = a.in(0);
  const bool shared = a.in(1).defined();
  const int64_t Q = shared ? a.in(1).size(0) : x.size(0), d = x.size(-1);
  if (N < 1) throw std::invalid_argument("no support molecules");
  if (shared) {
    expect("support", x, {x.size(0) / N * N, kAny});
    expect("query", a.in(1), {Q, d});
    expect("task", a.in(2), {Q});
  } else {
    expect("nodes", x, {kAny, n, kAny});
    if (a.in(2).defined()) expect("task", a.in(2), {Q});
  }
  std::vector<Tensor> net, update = a.rest(9);
  for (int64_t i = 3; i < 9; i++) net.push_back(a.in(i));
  Tensor joined, A;
  if (plain) {
    auto nodes = shared ? reference::graphs(x, a.in(1), index(a.in(2)), N) : x;
    std::tie(joined, A) = reference::relation(nodes, net, K);
  } else {
    auto rows = shared ? at::cat({x, a.in(1)}) : x.reshape({Q * n, d});
    auto compare = on_cpu(x) ? relation_loops : relation_kernels;
    std::tie(joined, A) = compare(rows, net, a.in(2), shared, Q, N, K, a.integer(2));
  }
  for (size_t i = 0; i < update.size(); i += 2)
    joined = plain ? leaky(linear(joined, update[i], update[i + 1]))
                   : layer(joined, update[i], update[i + 1], {true, false, {}});
  a.out(0, joined.view({Q, n, -1}));
  if (a.integer(2)) a.out(1, A);
}

}  // namespace pacia

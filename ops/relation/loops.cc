// The relation layer by loops for the CPU.
//
// Legend: Q queries, n = N+1 nodes of a graph (support, then the query), K neighbours kept, d
// width, R rows of distinct nodes, P pairs.
#include "core/libtorch.hh"

#include "relation.hh"

#include "anchors.hh"
#include "pairs.hh"
#include "product/vector.hh"
#include "similarity.hh"

namespace pacia {

namespace {

// keep_largest writes to kept [K] the nodes of the K largest entries of row i of graph q; among
// equal entries, the first nodes.
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

// gather returns [h_i | Σ_j â_ij h_j] of all nodes, [Q·n, 2d], and the nodes kept, [Q·n, K] int32.
std::pair<Tensor, Tensor> gather(const Tensor &x, const Tensor &a, const Pairs &p,
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
          sum = std::max(sum, static_cast<scalar_t>(kLeastLength));
          std::copy_n(h + p.node[r] * d, d, y);
          for (int64_t k = 0; k < K; k++)
            axpy(y + d, h + p.node[q * n + js[k]] * d, s[p.of(q, i, js[k])] / sum, d);
        }
    });
  });
  return {out, kept};
}

// gather_gradients returns the gradients of x [R, d] and of a [P]. Graphs that share support
// rows belong to one task, so that a thread processes whole tasks.
std::pair<Tensor, Tensor> gather_gradients(const Tensor &g, const Tensor &x, const Tensor &a,
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
      sum = std::max(sum, static_cast<T>(kLeastLength));
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

// RelationLoops converts distinct nodes [R, d] to [Q·n, 2d]. It saves the nodes, a, and which
// entries were kept. The pair network is computed again.
struct RelationLoops : Function<RelationLoops> {
  struct Saved {
    Tensor h, a, kept;
    PairNet net;
    auto fields() { return std::tie(h, a, kept, net); }
  };

  static variable_list forward(AutogradContext *ctx, const Tensor &x, const Tensor &w1,
                               const Optional &b1, const Tensor &w2, const Optional &b2,
                               const Tensor &w3, const Optional &b3,
                               const c10::intrusive_ptr<Pairs> &p, int64_t K) {
    auto bias = [](const Optional &b) { return b.value_or(Tensor()); };
    const PairNet net{w1, bias(b1), w2, bias(b2), w3, bias(b3)}, weights = net.matrices();
    auto h = x.contiguous();
    auto pieces = pieces_of(h, *p, weights);
    auto a = similarities(h, *p, weights, *pieces);
    auto [out, kept] = gather(h, a, *p, K);
    save(ctx, Saved{h, a, kept, net});
    ctx->saved_data["pairs"] = c10::IValue::make_capsule(p);
    ctx->saved_data["pieces"] = c10::IValue::make_capsule(pieces);
    ctx->mark_non_differentiable({a, kept});
    return {out, a, kept};
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    auto capsule = ctx->saved_data["pairs"].toCapsule();
    const auto &p = static_cast<const Pairs &>(*capsule);
    auto pieces = ctx->saved_data["pieces"].toCapsule();
    auto s = saved<Saved>(ctx);
    auto [dx, da] = gather_gradients(grads[0].contiguous(), s.h, s.a, s.kept, p);
    auto g = similarity_gradients(s.h, p, s.net.matrices(), static_cast<const Pieces &>(*pieces),
                                  s.a, da);
    return gradients(dx.add_(g.x), s.net, g.weights);
  }
};

// adjacency returns the kept entries as [Q, n, n], before the normalisation, for inspection.
Tensor adjacency(const Tensor &a, const Tensor &kept, const Pairs &p) {
  auto out = at::zeros({p.Q, p.n, p.n}, a.options());
  auto k = kept.accessor<int32_t, 2>();
  for (int64_t r = 0; r < kept.size(0); r++)
    for (int64_t c = 0; c < kept.size(1); c++)
      out[r / p.n][r % p.n][k[r][c]] = a[p.of(r / p.n, r % p.n, k[r][c])];
  return out;
}

}  // namespace

Related relation(Loops, const Relations &r, bool wanted) {
  const int32_t *of = r.task.defined() ? ints(r.task) : nullptr;
  auto pairs = c10::make_intrusive<Pairs>(r.shared ? shared_pairs(of, r.B(), r.Q, r.N)
                                                   : separate_pairs(of, r.Q, r.N));
  auto out = apply<RelationLoops>(r, pairs);
  return {out[0], wanted ? adjacency(out[1], out[2], *pairs) : Tensor()};
}

}  // namespace pacia

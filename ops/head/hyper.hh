// The hypernetworks (Eqs. 6 to 8): a first MLP on every support molecule
// joined with its one-hot label, the mean over each class, optionally the
// query, a last MLP. And plain MLPs, which they are made of. Ablations leave the
// labels out, or average the two class means.
//
// Legend: R sets (tasks, or queries with their task's support), N support
// molecules of a set, n = N+1 nodes of a relation graph, d width.
#pragma once

#include "labels.hh"

namespace pacia {

// What follows a linear layer: bits of its flag.
constexpr int64_t kLeaky = 1, kResidual = 2, kDrop = 4;

// Mlp is linear layers with their flags: y = LeakyReLU(W x + b), + x where
// the layer is residual, then dropout.
struct Mlp {
  std::vector<Tensor> weights;  // w, b, w, b, …
  std::vector<int64_t> flags;   // one a linear layer
  Dropout dropout;

  // run applies layers [from, to) to x [..., in].
  Tensor run(Tensor x, size_t from, size_t to) const {
    for (size_t i = from; i < to; i++)
      x = layer(x, weights[2 * i], weights[2 * i + 1],
                {(flags[i] & kLeaky) != 0, (flags[i] & kResidual) != 0,
                 flags[i] & kDrop ? dropout.at(i) : Dropout()});
    return x;
  }
  Tensor run(const Tensor &x) const { return run(x, 0, flags.size()); }
};

// mlp_op: inputs x, then w, b a layer; integers key, flags; reals p.
inline void mlp_op(const Positional &a) {
  Mlp m;
  m.weights = a.rest(1);
  m.flags = a.integers(1, static_cast<int64_t>(m.weights.size() / 2));
  m.dropout = dropout_of(a, 0);
  a.out(0, m.run(a.in(0)));
}

// one_hot returns indices [...] below n as [..., n] in the type of like. ATen's
// own looks at the indices, for which it would wait for a GPU.
inline Tensor one_hot(const Tensor &indices, int64_t n, const Tensor &like) {
  if (on_cpu(indices)) return at::one_hot(index(indices), n).to(like.scalar_type());
  auto all = at::arange(n, indices.options().dtype(at::kLong));
  return indices.unsqueeze(-1).eq(all).to(like.scalar_type());
}

// class_weights returns [R, 2, N]: row c averages over the molecules of
// class c of labels [R·N].
inline Tensor class_weights(const Tensor &labels, int64_t N, const Tensor &like) {
  auto y = one_hot(labels, 2, like).view({-1, N, 2}).transpose(1, 2);
  return y / y.sum(2, true);
}

// labels_of_sets repeats the labels of the tasks [B·N] for each set, given
// the task of each set, or returns them as they are.
inline Tensor labels_of_sets(const Tensor &labels, const Tensor &task, int64_t N) {
  if (!task.defined()) return labels;
  return labels.view({-1, N}).index_select(0, index(task)).flatten();
}

// HyperNet is a hypernetwork: an MLP whose layers [0, first) go on molecules,
// [first, means) on the class means, the others on these and, if it joins, the
// query.
struct HyperNet {
  Mlp m;
  size_t first, means;
  bool query, unlabelled, averaged;

  // loops is for support vectors [R·N, d] or nodes [R, n, d]; labels are those of
  // the sets [R·N].
  Tensor loops(const Tensor &h, const Tensor &labels, int64_t N) const {
    auto x = support(h, N);
    if (!unlabelled) x = at::cat({x, one_hot(labels, 2, h)}, 1);
    x = m.run(x, 0, first);
    auto r = joined(at::bmm(class_weights(labels, N, h), x.view({-1, N, x.size(1)})));
    r = m.run(r, first, means);
    if (query) r = at::cat({r, h.select(1, N)}, 1);
    return m.run(r, means, m.flags.size());
  }

  // kernels takes the labels of the tasks [B·N] and the tasks of the sets.
  Tensor kernels(const Tensor &h, const Tensor &labels, const Tensor &task, int64_t N) const {
    TORCH_CHECK(h.dim() == 3 || !query, "molecules alone have no query to join");
    auto s = Sets::of(h, labels, task, N);
    variable_list x;
    if (!unlabelled)
      x = JoinLabels::apply(h.reshape({-1, h.size(-1)}), s, query);
    else
      x = {support(h, N), query ? h.select(1, N) : Tensor()};
    s.n = N;
    auto r = joined(ClassMeans::apply(m.run(x[0], 0, first), s, false, false)[0]);
    r = m.run(r, first, means);
    if (query) r = at::cat({r, x[1]}, 1);
    return m.run(r, means, m.flags.size());
  }

  // support [R·N, d] of molecules or of nodes.
  static Tensor support(const Tensor &h, int64_t N) {
    return h.dim() == 3 ? h.slice(1, 0, N).reshape({-1, h.size(2)}) : h;
  }

  // joined makes [r− | r+], inactive first, or their mean, of the class means
  // [R, 2, d].
  Tensor joined(const Tensor &r) const { return averaged ? r.mean(1) : r.flatten(1); }
};

// hyper_op: inputs labels [B·N], tasks of the sets [R] or none, the support's
// vectors [R·N, d], or the nodes [R, n, d] of relation graphs after L layers, then
// w, b a layer of the network. Integers: N, key, layers of the first MLP, layers
// between the class means and the query, whether the query joins, L, whether no
// label does, whether the class means are averaged, flags.
// Reals: p. Outputs: for each of the L.
inline void hyper_op(const Positional &a) {
  const int64_t N = a.integer(0), L = a.integer(5);
  auto all = a.rest(2);
  const std::vector<Tensor> layers(all.begin(), all.begin() + L);
  HyperNet net;
  net.m.weights.assign(all.begin() + L, all.end());
  net.m.flags = a.integers(8, static_cast<int64_t>(net.m.weights.size() / 2));
  net.m.dropout = dropout_of(a, 1);
  net.first = static_cast<size_t>(a.integer(2));
  net.means = net.first + static_cast<size_t>(a.integer(3));
  net.query = a.integer(4) != 0;
  net.unlabelled = a.integer(6) != 0;
  net.averaged = a.integer(7) != 0;
  if (on_cpu(layers[0])) {
    auto labels = labels_of_sets(a.in(0), a.in(1), N);
    for (int64_t l = 0; l < L; l++) a.out(l, net.loops(layers[l], labels, N));
    return;
  }
  if (L == 1) return a.out(0, net.kernels(layers[0], a.in(0), a.in(1), N));
  auto h = at::stack(layers);
  auto y = net.kernels(h.flatten(0, 1), a.in(0), a.in(1), N).view({L, h.size(1), -1}).unbind();
  for (int64_t l = 0; l < L; l++) a.out(l, y[l]);
}

}  // namespace pacia

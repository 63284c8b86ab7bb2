// The hypernetworks (Eqs. 9 to 11): a first MLP on every support molecule joined with its
// one-hot label, the mean over each class, optionally the query, and a last MLP; and plain
// MLPs. Ablations omit the labels, or average the two class means.
//
// Legend: R sets (tasks, or queries with their task's support), N support
// molecules of a set, n = N+1 nodes of a relation graph, d width.
#include "core/libtorch.hh"

#include "core/registry.hh"

#include "labels.hh"
#include "mlp.hh"

namespace pacia {

namespace {

// JoinLabels converts h [R·n, d] to [R·N, d+2] and, if requested, the queries [R, d].
struct JoinLabels : Function<JoinLabels> {
  static variable_list forward(AutogradContext *ctx, const Tensor &in, const Sets &s, bool query) {
    auto h = in.contiguous();
    const int64_t d = h.size(1);
    variable_list out{at::empty({s.R * s.N, d + 2}, h.options())};
    if (query) out.push_back(at::empty({s.R, d}, h.options()));
    PACIA_LAUNCH(join_labels, h, row_blocks(s.R * s.n, d), h, s.labels, s.task, s.Q(), s.N, s.n, d,
                 out[0], query ? out[1] : Tensor());
    save(ctx, s);
    return out;
  }

  static variable_list backward(AutogradContext *ctx, variable_list grads) {
    const auto s = saved<Sets>(ctx);
    auto dx = grads[0].contiguous(), dq = grads.size() > 1 ? contiguous(grads[1]) : Tensor();
    const int64_t d = dx.size(1) - 2;
    auto dh = at::empty({s.R * s.n, d}, dx.options());
    PACIA_LAUNCH(join_labels_back, dx, row_blocks(s.R * s.n, d), dx, dq, s.N, s.n, d, dh);
    return {dh, Tensor(), Tensor()};
  }
};

// HyperNet is a hypernetwork: an MLP with layers [0, first) on molecules, layers [first, means)
// on the class means, and the others on their result, joined with the query if requested.
struct HyperNet {
  Mlp m;
  size_t first, means;
  bool query, unlabelled, averaged;

  // run takes support vectors [R·N, d] or nodes [R, n, d] of L layers, one layer after another, the
  // labels of the tasks [B·N], and the tasks of a layer's sets [R/L] or none.
  template <class Path>
  Tensor run(Path, const Tensor &h, const Tensor &labels, const Tensor &task, int64_t N, int64_t L) const {
    const auto classes = one_hot(labels_of_sets(labels, task, N).repeat({L}), h);
    auto x = support(h, N);
    if (!unlabelled) x = at::cat({x, classes}, 1);
    x = m.run(Path{}, x, 0, first);
    auto means = at::bmm(class_weights(classes, N), x.view({-1, N, x.size(1)}));
    return end(Path{}, means, query ? h.select(1, N) : Tensor());
  }
  Tensor run(Kernels, const Tensor &h, const Tensor &labels, const Tensor &task, int64_t N, int64_t) const {
    TORCH_CHECK(h.dim() == 3 || !query, "the vectors of molecules do not include a query to join");
    auto s = Sets::of(h, labels, task, N);
    variable_list x;
    if (!unlabelled)
      x = JoinLabels::apply(h.reshape({-1, h.size(-1)}), s, query);
    else
      x = {support(h, N), query ? h.select(1, N) : Tensor()};
    s.n = N;
    auto means = ClassMeans::apply(m.run(Kernels{}, x[0], 0, first), s, false, false)[0];
    return end(Kernels{}, means, query ? x[1] : Tensor());
  }

  // support returns the support rows [R·N, d] of molecules or of nodes.
  static Tensor support(const Tensor &h, int64_t N) {
    return h.dim() == 3 ? h.slice(1, 0, N).reshape({-1, h.size(2)}) : h;
  }

  // end continues from the class means r [R, 2, d]: from [r− | r+], inactive first, or from their
  // mean.
  template <class Path>
  Tensor end(Path, const Tensor &r, const Tensor &q) const {
    auto x = m.run(Path{}, averaged ? r.mean(1) : r.flatten(1), first, means);
    if (query) x = at::cat({x, q}, 1);
    return m.run(Path{}, x, means, m.depth());
  }
};

// All layers pass through the network together.
template <class Path>
std::vector<Tensor> hyper(Path, const HyperNet &net, const std::vector<Tensor> &layers,
                          const Tensor &labels, const Tensor &task, int64_t N) {
  const auto L = static_cast<int64_t>(layers.size());
  return net.run(Path{}, L == 1 ? layers[0] : at::cat(layers), labels, task, N, L).chunk(L);
}

}  // namespace

// mlp_op: inputs x, then w, b for each layer; integers key, flags; real p.
template <class Path>
void mlp_op(Args &a) {
  auto x = a.tensor();
  Mlp m;
  m.weights = a.tensors();
  m.dropout = dropout_of(a);
  m.flags = a.integers();
  a.give(m.run(Path{}, x));
}
PACIA_OP_ALL("mlp", mlp_op)

// hyper_op: inputs labels [B·N], tasks of the sets [R] or none, the support's vectors [R·N, d]
// or the nodes [R, n, d] of relation graphs after L layers, then w, b for each layer of the
// network. Integers: L, N, key, number of layers of the first MLP, number of layers between the
// class means and the query, 1 to join the query, 1 to omit the labels, 1 to average the class
// means, flags. Real: p. Outputs: one for each of the L layers.
template <class Path>
void hyper_op(Args &a) {
  auto labels = a.tensor(), task = a.tensor();
  const auto layers = a.tensors(a.integer());
  const int64_t N = a.integer();
  HyperNet net;
  net.m.weights = a.tensors();
  net.m.dropout = dropout_of(a);
  net.first = static_cast<size_t>(a.integer());
  net.means = net.first + static_cast<size_t>(a.integer());
  net.query = a.flag();
  net.unlabelled = a.flag();
  net.averaged = a.flag();
  net.m.flags = a.integers();
  for (auto &y : hyper(Path{}, net, layers, labels, task, N)) a.give(y);
}
PACIA_OP_ALL("hypernetwork", hyper_op)

}  // namespace pacia

// One layer of the relation graph up to the node update (Eqs. 4 and 5). It computes the
// similarities of all pairs, keeps the K largest of each row, and normalises their sum to 1.
// The mean of the neighbours with these weights is joined with the node itself:
//
//   [h_i | Σ_j â_ij h_j]      a_ii = 0
//
// Legend: B tasks, Q queries (graphs), N support molecules, n = N+1 nodes of a graph (support,
// then the query), K neighbours kept, R rows of distinct nodes, d width.
#pragma once

#include "core/autograd.hh"
#include "core/op.hh"

namespace pacia {

// PairNet has the weights of the pair network, d → d' → d'' → 1; biases may be undefined.
struct PairNet {
  Tensor w1, b1, w2, b2, w3, b3;
  auto fields() { return std::tie(w1, b1, w2, b2, w3, b3); }

  std::vector<Tensor> list() const { return {w1, b1, w2, b2, w3, b3}; }

  // similar returns a_ij [...] of pairs of nodes h_i and h_j [..., d] (Eq. 4).
  Tensor similar(const Tensor &h_i, const Tensor &h_j) const;

  // matrices returns the weights without a graph, as matrices and vectors.
  PairNet matrices() const {
    auto matrix = [](const Tensor &w) { return w.detach().flatten(1).contiguous(); };
    auto vector = [](const Tensor &b) { return b.defined() ? b.detach() : b; };
    return {matrix(w1), vector(b1), matrix(w2), vector(b2), matrix(w3), vector(b3)};
  }
};

// with_neighbours returns [h_i | Σ_j â_ij h_j] [G·n, 2d] of nodes h [G, n, d], for the kept entries a [G, n, n] of A.
Tensor with_neighbours(const Tensor &h, const Tensor &a);

// Relations has the nodes that a layer compares. If shared, rows [R, d] are the support of all
// tasks [B·N], then the queries [Q], which share the support of their task. Otherwise they are
// the nodes of all graphs [Q·n], and task [Q], which is ascending, may be undefined.
struct Relations {
  Tensor rows, task;
  bool shared;
  int64_t Q, N, K;
  PairNet net;

  int64_t n() const { return N + 1; }
  int64_t B() const { return shared ? (rows.size(0) - Q) / N : Q; }
};

// relation returns [h_i | Σ_j â_ij h_j] of all nodes, [Q·n, 2d], and, if requested, the entries
// of A that were kept [Q, n, n], before the normalisation.
struct Related {
  Tensor joined, adjacency;
};
Related relation(Plain, const Relations &r, bool adjacency);
Related relation(Loops, const Relations &r, bool adjacency);
Related relation(Kernels, const Relations &r, bool adjacency);

// graphs returns the nodes [Q, n, d] of the queries [Q, d] and the support [B·N, d] of their tasks.
template <class Path>
Tensor graphs(Path, const Tensor &support, const Tensor &query, const Tensor &task, int64_t N);

// apply calls the function F(rows, w1, b1, …, w3, b3, more, K).
template <class F, class More>
variable_list apply(const Relations &r, const More &more) {
  return F::apply(r.rows, r.net.w1, optional(r.net.b1), r.net.w2, optional(r.net.b2), r.net.w3,
                  optional(r.net.b3), more, r.K);
}

// gradients returns the result of the backward pass of such a function: the gradients of the
// rows, and those of the weights in their own shapes.
inline variable_list gradients(const Tensor &rows, const PairNet &net,
                               const std::vector<Tensor> &weights) {
  variable_list out{rows};
  const auto of = net.list();
  for (size_t i = 0; i < of.size(); i++)
    out.push_back(of[i].defined() ? weights[i].view(of[i].sizes()) : Tensor());
  out.resize(9);
  return out;
}

}  // namespace pacia

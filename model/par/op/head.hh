// PAR's head, composed of calls of ATen, so that its gradients are differentiable.
//
// Legend: N support molecules, M queries, G graphs of n nodes, K neighbours kept, d width of a
// molecule's vector, w width of a node, R molecules.
#pragma once

#include "../../../ops/relation/relation.hh"
#include "graphs.hh"
#include "layers/dropout.hh"

namespace pacia {

// Adapted has the parameters φ that an inner step adapts.
struct Adapted {
  static constexpr int64_t size = 9;
  Tensor attention;      // [3d, d] q, k, v of the tokens
  Tensor w0, b0, w1, b1; // the projection 2d → w → w
  Tensor f1, c1, f2, c2; // the classifier of nodes w → w → 2

  explicit Adapted(const std::vector<Tensor> &t)
      : attention(t.at(0)), w0(t.at(1)), b0(t.at(2)), w1(t.at(3)), b1(t.at(4)), f1(t.at(5)), c1(t.at(6)),
        f2(t.at(7)), c2(t.at(8)) {}
};

// Layer has the weights of one relation layer, which no step adapts.
struct Layer {
  static constexpr int64_t size = 5;
  PairNet net;  // w → … → 1
  Tensor node;  // [w, 2w]
};

// Rates has the dropout rates with the keys of one pass: `context` for the attention's weights
// and the projection; `relation` for the nodes, before the first and after the last relation
// layer.
struct Rates {
  Dropout context, relation;
  Rates at(uint64_t pass) const { return {context.at(4 * pass), relation.at(4 * pass + 2)}; }
};

// attended returns the output [R, d] of the attention of each molecule's token in x [R, d] to
// itself and to the class means [2, d] of the support.
Tensor attended(const Tensor &x, const Tensor &means, const Tensor &attention, const Dropout &drop);

// class_means returns the class means [2, d] of support [N, d] with labels [N].
Tensor class_means(const Tensor &support, const Tensor &labels);

// projected returns the nodes [R, w] of molecules x [R, d].
Tensor projected(const Tensor &x, const Tensor &a, const Adapted &phi, const Dropout &drop);

// classified returns the logits [..., 2] of nodes [..., w].
Tensor classified(const Tensor &nodes, const Adapted &phi);

// Answers has the logits of all nodes [G, n, 2] and the adjacency of the last layer [G, n, n]:
// the K largest similarities of each row.
struct Answers {
  Tensor logits, adjacency;
};
Answers answers(const Tensor &support, const Tensor &query, const Tensor &labels, const Graphs &g,
                const Adapted &phi, const std::vector<Layer> &layers, int64_t K, const Rates &rates);

}  // namespace pacia

// PAR's head, composed of ATen's calls so that its gradients can be differentiated.
//
// Legend: N support molecules, M queries, G graphs of n nodes, K neighbours kept, d
// width of a molecule's vector, w of the nodes, R molecules.
#pragma once

#include "graphs.hh"
#include "layers/dropout.hh"

namespace pacia {

// Adapted holds the parameters that an inner step adapts, φ.
struct Adapted {
  static constexpr int64_t size = 9;
  Tensor attention;      // [3d, d] q, k, v of the tokens
  Tensor w0, b0, w1, b1; // the projection 2d → w → w
  Tensor f1, c1, f2, c2; // the classifier of nodes w → w → 2

  explicit Adapted(const std::vector<Tensor> &t)
      : attention(t.at(0)), w0(t.at(1)), b0(t.at(2)), w1(t.at(3)), b1(t.at(4)), f1(t.at(5)), c1(t.at(6)),
        f2(t.at(7)), c2(t.at(8)) {}
};

// Layer is the weights of one relation layer, which no step adapts.
struct Layer {
  static constexpr int64_t size = 5;
  Tensor w1, w2, w3, b3;  // the pair network w → … → 1
  Tensor node;            // [w, 2w]
};

// Rates are those of dropout, with the keys of one pass: of the attention's weights
// and the projection; and of the nodes, before the first relation layer and after the last.
struct Rates {
  Dropout context, relation;
  Rates at(uint64_t pass) const { return {context.at(4 * pass), relation.at(4 * pass + 2)}; }
};

// attended is the sum that a molecule's token takes from itself and from the class means of
// the support: x [R, d], means [2, d] give [R, d].
Tensor attended(const Tensor &x, const Tensor &means, const Tensor &attention, const Dropout &drop);

// class_means of support [N, d] with labels [N]: [2, d].
Tensor class_means(const Tensor &support, const Tensor &labels);

// projected are the nodes [R, w] of molecules x [R, d].
Tensor projected(const Tensor &x, const Tensor &a, const Adapted &phi, const Dropout &drop);

// classified are the logits [..., 2] of nodes [..., w].
Tensor classified(const Tensor &nodes, const Adapted &phi);

// Answers are the logits of all nodes [G, n, 2] and the last layer's adjacency, of each
// row the K largest similarities [G, n, n].
struct Answers {
  Tensor logits, adjacency;
};
Answers answers(const Tensor &support, const Tensor &query, const Tensor &labels, const Graphs &g,
                const Adapted &phi, const std::vector<Layer> &layers, int64_t K, const Rates &rates);

}  // namespace pacia

// Similarities of all pairs of a relation layer (Eq. 4) and their gradients. Pairs on their
// anchor's piece of the pair network use the anchor, and all others use the network.
//
// On a piece the logit is linear in D, and so is everything that the gradients of the weights
// need. With R = Σ ds·D and c = Σ ds over the graphs of a task, an anchor's contribution to all
// of them is that of one pair with D = R and biases c·b.
//
// Legend: P pairs, Q queries (graphs), n nodes of a graph, R anchors, d width.
#pragma once

#include "pieces.hh"

namespace pacia {

// similarities returns a [P].
Tensor similarities(const Tensor &x, const Pairs &p, const PairNet &net, Pieces &t);

// PairGradients has the gradients of the table and of the six weights.
struct PairGradients {
  Tensor x;
  std::vector<Tensor> weights;

  void add(const std::vector<Tensor> &more) {
    for (size_t i = 0; i < weights.size(); i++)
      if (weights[i].defined()) weights[i].add_(more[i]);
  }
};

// similarity_gradients converts the gradients da [P] of a [P] to those of the table and the
// weights.
PairGradients similarity_gradients(const Tensor &x, const Pairs &p, const PairNet &net,
                                   const Pieces &t, const Tensor &a, const Tensor &da);

}  // namespace pacia

// Package pintuning is Pin-Tuning (Wang et al., Pin-Tuning: Parameter-Efficient In-Context Tuning for
// Few-Shot Molecular Property Prediction, NeurIPS 2024). It has GS-META's graphs of molecules and
// properties ([gsmeta.Learner]) on vectors of a frozen pretrained GIN. The same GIN then runs again,
// with adapters that read a molecule's context in its graph.
//
// Legend: h^l atoms' states after layer l, φ parameters.
//
//  1. x of a molecule is the readout of the pretrained GIN. From it, graphs of [gsmeta.Learner] compute
//     the states c of the molecule and t of the target. Each query has its own graph.
//  2. MP-Adapter: with z^l = MLP(h^(l−1) + Σ (h^(l−1) + e)), the output of GIN, a layer is
//     h^l = dropout(ReLU(BN(LN(z^l + U ReLU(D z^l + b) + u)))), the last one without ReLU. To the
//     first is added U_c ReLU(D_c c + b_c) + U_t ReLU(D_t t + b_t), for all atoms of a
//     molecule ([network.adapted], [adapter]).
//  3. P(active) = σ(w·ReLU(BN(W [x | c | t | x'] + b)) + b'), x' the readout of h^L ([network.Logits]).
//  4. The tables of atoms and bonds in 2 are the pretrained ones plus a trained difference, first 0
//     ([table]). Other parameters of the pretrained encoder are frozen. Running averages are updated.
//     A readout with parameters (model.readout=combined) is not part of such a file, and is trained.
//  5. A training step is that of [gsmeta.Learner] without a selector: inner steps adapt all trained
//     parameters, with gradients of the second order. Emb-BWC adds the mean over episodes of
//     λ ‖φ_K − φ_0‖ of the tables of 4 to the outer loss.
//
// Without model.pretrained all parameters are trained, as in the published program.
//
// The published program (CRIPAC-DIG/Pin-Tuning) differs as follows. All queries of a pass share one
// graph, so that a score depends on the other queries. A query's label in auxiliary task i is an edge
// to property i − 1, and the label in the first one is an edge to the target. Training updates copies
// of the running averages, so that a test task uses their initial values and one pass of its own. For
// the matrix H of Emb-BWC, that program and step 5 use the identity, and the norm in place of its
// square.
package pintuning

// Package par is property-aware relation networks (Wang, Abuduweili, Yao and Dou:
// Property-Aware Relation Networks for Few-Shot Molecular Property Prediction, NeurIPS
// 2021): vectors that know the task's class means, a relation graph of the support and a
// query, and a gradient step on a part of the head. The rest learns through that step.
//
// Legend: S [N, d], Q [M, d] vectors of support and queries, y their labels, K
// neighbours kept, w width of nodes; A adjacency; φ the parameters that a step adapts.
//
//  1. Context: a molecule's token g and the support's class means are the tokens
//     [g; μ_0; μ_1]; one head of attention gives a = softmax(q k/√d) v of the first.
//  2. Projection: [a | g] → w → w are the nodes. A query's graph is the support and it.
//  3. Relation: each layer has similarities of all pairs, of a row the K largest kept, and
//     mixes the nodes by them (the layers of [pacia/ops.Relation]). A are the last layer's.
//  4. Two linear layers classify each node.
//  5. The support's loss is the mean over queries of CE(support nodes, y) + mean (A_ij −
//     1[y_i = y_j])² over the support; the queries' is CE(query node, y) + mean (A_q,s −
//     1[y_q = y_s])².
//  6. φ is context, projection and classifier. Training: φ' = φ − α ∂/∂φ of the support's
//     loss; the gradient of the queries' loss at φ' goes through that, by exact second
//     derivatives of the head; the encoder's share of them comes to it with the gradient
//     by S and Q, in its one backward pass ([pacia/ops.PAR.Loss]).
//  7. A test task takes the same step without dropout. Its graph is of the support
//     alone, without a query in it, since a score would otherwise depend on the other
//     queries: a copy of a support molecule in a query's place, the alternative, would
//     be tied with it for a place among the K largest. Then each query is scored in its
//     own graph.
//
// In the published code inner and outer pass each have vectors of their own, with
// different dropout masks of the encoder. Here both come from one pass, and only masks
// of the head differ. There masks are drawn for each pair of a query and a support
// molecule, here for each molecule up to the relation graph. Its test step has 16 of the
// queries, without their labels, as partners, and moves the running averages of the
// model.
package par

// Package par is property-aware relation networks (Wang, Abuduweili, Yao and Dou:
// Property-Aware Relation Networks for Few-Shot Molecular Property Prediction, NeurIPS
// 2021): vectors with the context of the task's class means, a relation graph of the support
// and a query, and a gradient step on a part of the head. The rest is trained through that
// step.
//
// Legend: S [N, d], Q [M, d] vectors of support and queries, y their labels, K
// neighbours kept, w width of nodes; A adjacency; φ the parameters that a step adapts.
//
//  1. Context: a molecule's token g and the support's class means are the tokens
//     [g; μ_0; μ_1]; one head of attention gives a = softmax(q k/√d) v of the first.
//  2. Projection: [a | g] → w → w are the nodes. A query's graph has the support and the query.
//  3. Relation: each layer computes similarities of all pairs, keeps the K largest of a row, and
//     mixes the nodes by them (the layers of [pacia/ops.Relation]). A is that of the last layer.
//  4. Two linear layers classify each node.
//  5. The support's loss is the mean over queries of CE(support nodes, y) + mean (A_ij −
//     1[y_i = y_j])² over the support; the queries' is CE(query node, y) + mean (A_q,s −
//     1[y_q = y_s])².
//  6. φ is context, projection and classifier. Training: φ' = φ − α ∂/∂φ of the support's
//     loss. The gradient of the queries' loss at φ' goes through this step, with exact second
//     derivatives of the head. The encoder gets its share with the gradient by S and Q, in one
//     backward pass ([head.loss]).
//  7. A test task takes the same step without dropout. Its graph has the support alone:
//     with queries, a score would depend on the other queries. (A copy of a support molecule
//     in place of a query would be tied with it for a place among the K largest.) Then
//     each query is scored in its own graph.
//
// In the published code the inner and the outer pass have different vectors, with
// different dropout masks of the encoder. Here both use the vectors of one pass, and only
// masks of the head differ. The published code draws masks for each pair of a query and a
// support molecule, this package for each molecule up to the relation graph. The published
// test step includes 16 of the queries, without their labels, and updates the running
// averages of the model.
package par

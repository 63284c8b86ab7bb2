// Package gsmeta is GS-META (Zhuang et al., Graph Sampling-based Meta-Learning for Molecular
// Property Prediction, IJCAI 2023). A graph relates molecules to each other and, by their labels,
// to other tasks. First-order MAML adapts all parameters.
//
// Legend: N support molecules, a query, P = 1 + A properties: the task (target) and A other
// training tasks (auxiliary); d width, T training tasks, σ the logistic function.
//
//  1. Each query has its own graph of the properties, the support and the query. The vector x of a
//     molecule is the output of the readout ([model.Body.Encode]), x of a training task is a row
//     of a table [T, d], and x of a test task is 0. All of them are adapted.
//  2. Edges, both ways and of weight 1: each support molecule with all properties, the query
//     with the auxiliary ones, by type: inactive, active, not measured. Between molecules
//     a_ij = σ(MLP(exp(−|x_i − x_j|))), with batch norm and LeakyReLU; row i sends along its K − 1
//     largest, at least one.
//  3. A layer: x_v ← dropout(LReLU(BN(W_r x_v + mean over u→v of w_uv (W_n x_u + e_type)))). After the
//     last P(active) = σ(MLP([x | x_target])). The vector of an episode's graphs, of the means of
//     their nodes, is x_target + σ(mean of all others) ([propertyGraphs]).
//  4. Inner step of an episode, over all parameters: φ_e = φ − α ∇ BCE(support), in one graph
//     of properties and support without a query ([step.adapt]).
//  5. A training step has two episodes of each of its tasks. The outer loss is (1/E) Σ_e BCE of the
//     queries at φ_e + β NT-Xent of the graphs' vectors ([contrast]). Order 1 uses its gradient by
//     φ_e in place of the one by φ. Order 2 takes it through the inner steps ([step.through]).
//  6. A selector draws the tasks to learn from ([selector]), by vectors of graphs of the target
//     alone, before the step, in evaluation mode. Its loss is −Σ log p(task) (R − mean R so far),
//     with the contrast as the reward R.
//  7. For a test task, a copy of the model makes train.finetune.steps of step 4 without dropout. Batch
//     norms for the task and its queries take running averages. With model.norm=support they take the
//     statistics of the support set: of its molecules in the encoder, and of the graph of step 4.
//
// The model keeps the labels of the training tasks, and no others, by the molecules' fingerprints
// (memory.go). In training a task reads the labels of the other tasks. In a test task, the edges of
// a query come from the labels of that molecule in training tasks. The labels of the support set
// are the only labels of a test task that are read, and no score depends on another query.
//
// The published program takes gradients of the second order. Its graphs of the inner step also
// contain the queries, so that a score depends on the other queries.
package gsmeta

// Package gsmeta is GS-META (Zhuang et al., Graph Sampling-based Meta-Learning for Molecular
// Property Prediction, IJCAI 2023): molecules are related to each other and to tasks by labels
// that they have in other tasks, and MAML of the first order adapts all of it.
//
// Legend: N support molecules, a query, P = 1 + A properties: the task, which is the target, and
// other training tasks, the auxiliary ones; d width, T training tasks, σ the logistic function.
//
//  1. A query has a graph of its own with properties, the support and itself: x of a molecule is
//     the output of the readout ([model.Body.Encode]), that of a training task a row of a table
//     [T, d], and that of a test task 0. All of them are adapted.
//  2. Edges, both ways and of weight 1: each support molecule with all properties, the query
//     with the auxiliary ones, by type: inactive, active, not measured. Between molecules
//     a_ij = σ(MLP(exp(−|x_i − x_j|))), with batch norm and LeakyReLU; row i sends along its K − 1
//     largest, at least one.
//  3. A layer: x_v ← dropout(LReLU(BN(W_r x_v + mean over u→v of w_uv (W_n x_u + e_type)))). After the
//     last P(active) = σ(MLP([x | x_target])). The vector of an episode's graphs, of the means of
//     their nodes, is x_target + σ(mean of all others) ([ops.PropertyGraphs]).
//  4. Inner step of an episode, over all parameters: φ_e = φ − α ∇ BCE of the support, in one graph
//     of properties and support without a query ([step.adapt]).
//  5. A training step has two episodes of each of its tasks. The outer loss is (1/E) Σ_e BCE of the
//     queries at φ_e + β NT-Xent of the graphs' vectors ([contrast]). By order 1 its gradient by φ_e
//     stands for that by φ; order 2 takes it through the inner steps ([step.through]).
//  6. A selector draws the tasks to learn from ([selector]): by vectors of graphs of the target
//     alone, before the step, in evaluation mode. It learns by −Σ log p(task) (R − mean R so
//     far), R the contrast.
//  7. A test task gets a copy of the model and train.finetune.steps of step 4 without dropout. Its
//     batch norms, and those of its queries, take running averages or, with model.norm=support, the
//     statistics of its own support set: those of its molecules in the encoder, and of the graph of 4.
//
// The labels of the training tasks, and only they, are kept with the model, by the molecules'
// fingerprints (memory.go). In training a task sees those of the others; for a test task a
// query's edges come from the labels of that molecule in training tasks. The labels of its
// support set are the only labels of a test task that are read, and no score depends on another
// query.
//
// The published program takes gradients of the second order. There the queries are also in the graphs
// of the inner step, so that a score depends on the other queries.
package gsmeta

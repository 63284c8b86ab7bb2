// Package egnn is the edge-labelling graph network (J. Kim, T. Kim, S. Kim and Yoo: Edge-Labeling
// Graph Neural Network for Few-shot Learning, CVPR 2019): a graph of a query and its task's
// support. Its edges state which molecules have equal labels.
//
//  1. A molecule's vector x is the output of the readout ([model.Body.Encode]). A query's graph
//     has n = N + 1 nodes, the support's molecules and the query. Edges e [2, n, n] have a
//     channel for equal labels and one for different ones: at first (1, 0) or (0, 1) by the
//     support's labels, and 0.5 in both between the query and any node.
//  2. A layer ([edgeGraphs]), with ê_c the edges of channel c without the diagonal,
//     rows divided by their sums, BN batch norm and LReLU of slope 0.01:
//     z_i = [h_i | Σ_j ê_0ij h_j | Σ_j ê_1ij h_j], h_i ← LReLU(BN(W₂ LReLU(BN(W₁ z_i)))),
//     widths 3d → 2w → w; and of |h_i − h_j| four such layers w → 2w → 2w → w → w give
//     s_ij = σ(w₅·… + b₅). Then e_c ← (s, 1 − s)_c ê_c, in which a row keeps its sum, plus
//     (I, 0) and 1e-6, divided by the sum of both channels.
//  3. Training: the loss of a layer is over the edges between query and support, in both
//     directions: the mean binary cross entropy of edges with equal labels plus the mean
//     of those with different labels. Layers have weight ½, the last one 1, and the sum is
//     divided by their number.
//  4. P(active) = v₁/(v₀ + v₁), with v_c the mean edge of the last layer from the query to the
//     support molecules of class c. The published code has sums, which favour the larger class.
//  5. Batch norm takes the statistics of all graphs of a task in training, and running
//     averages otherwise, also with model.norm=support, so that the score of a query does
//     not depend on other queries. A test task takes one forward pass of its support set.
package egnn

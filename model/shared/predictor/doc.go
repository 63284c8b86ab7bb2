// Package predictor is the part of PACIA's predictor that is not adapted. Other methods
// also use it.
//
//  1. Molecules' vectors are projected to nodes: MLP_R of Eq. 15.
//  2. A query and the support set of its task are a graph of N+1 nodes. Each relation
//     layer computes similarities of all pairs, keeps the K largest of a node, and
//     exchanges messages between the nodes (Eqs. 4 and 5). In training, entries of the
//     first layer's nodes may be dropped (model.relation.dropout).
//  3. The adaptive classifier maps the mean node of each class to the weights of its
//     logit (Eqs. 16 to 20).
//
// [Predictor.Relate] takes a function of the method that changes the nodes after each
// layer.
package predictor

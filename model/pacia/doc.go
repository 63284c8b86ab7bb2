// Package pacia is PACIA: a molecular encoder adapted to a task, a relation graph
// adapted to a query, and the hypernetworks that adapt them (Wu, Yao and Wang,
// IJCAI 2024).
//
// A support set of N labelled molecules, K of the smaller class, and Q query
// molecules go through it in four stations:
//
//  1. encode.go: after each layer of the encoder the atom embeddings are modulated
//     (Eq. 5) by γ from the task's hypernetwork (Eqs. 6 and 7), which hyper.go lays
//     out; the molecules are read out (Eq. 2).
//  2. predict.go: the relation graph of N+1 nodes for every query (Eqs. 3 and 4, in
//     package predictor), whose depth or nodes are adapted to the query (Eq. 8).
//  3. predict.go: the adaptive classifier (Eqs. 13 to 17), the weighting of the
//     layers (Eq. 5, Eq. 12) and the loss (Eq. 10).
//  4. pacia.go: the loss of a step; adapting to a task and scoring its queries.
//
// Two presets fix what the paper leaves open or its code does otherwise; see
// [ForPreset].
package pacia

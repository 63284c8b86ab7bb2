// Package pacia is PACIA: a molecular encoder adapted to a task, a relation graph
// adapted to a query, and the hypernetworks that adapt them (Wu, Wang and Yao,
// IJCAI 2024).
//
// A support set of N labelled molecules, K of the smaller class, and Q query
// molecules pass through four stages:
//
//  1. encode.go: after each layer of the encoder the atom embeddings are modulated
//     (Eq. 6) by γ from the task's hypernetwork (Eqs. 9 and 10), which hyper.go lays
//     out. Then the molecules are read out (Eq. 2).
//  2. predict.go: the relation graph of N+1 nodes for every query (Eqs. 4 and 5,
//     in package predictor), with depth or nodes adapted to the query (Eq. 11).
//  3. predict.go: the adaptive classifier (Eqs. 16 to 20), the weighting of the
//     layers (Eqs. 7, 8 and 13) and the loss (Eq. 12).
//  4. pacia.go: the loss of a step; adapting to a task and scoring its queries.
//
// Two presets fix details that the paper leaves open or that its code does
// differently; see [ForPreset].
package pacia

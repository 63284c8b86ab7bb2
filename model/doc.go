// Package model is PACIA: a molecular encoder adapted to a task, a relation
// graph adapted to a query, and the hypernetworks that adapt them.
//
// A support set of N labelled molecules, K of the smaller class, and Q query
// molecules go through it in four stations:
//
//  1. encode.go: the encoder, whose atom embeddings are modulated after each
//     layer (Eq. 5) by γ from the task's hypernetwork (Eqs. 6 and 7), which
//     hyper.go lays out; readout.go: a vector of each molecule (Eq. 2).
//  2. relate.go: the relation graph of N+1 nodes for every query (Eqs. 3
//     and 4), whose depth or nodes are adapted to the query (Eq. 8).
//  3. classify.go: the adaptive classifier (Eqs. 13 to 17), the weighting of
//     the layers (Eq. 5, Eq. 12) and the loss (Eq. 10).
//  4. step.go and adapt.go: a training step; adapting to a task and scoring.
//
// finetune.go and multitask.go are what it is compared with: the same network
// without hypernetworks, and an encoder with a linear classifier a task, both
// fine-tuned on the support set.
//
// Two presets fix what the paper leaves open or its code does otherwise; see
// [ForPreset]. layout.go lays out the parameters for either. Molecules come with
// the categories of MoleculeNet's atoms, or, for the encoder pna, with the
// features of FS-Mol's; see [Config.CheckAtoms].
package model

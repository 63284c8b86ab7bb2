// Package measured tests how well models rank and predict measured values, on assays that have
// both values and labels (docs/lab/potency.md).
//
//  1. read.go reads a table of assays with labels and values.
//  2. test.go draws support sets of each assay. The model is adapted once to the values and once
//     to the labels, and ranks all other molecules.
//  3. summary.go averages over assays, grouped by how many of their molecules are in training assays.
//  4. rounds.go simulates rounds of measurements that a model chooses.
package measured

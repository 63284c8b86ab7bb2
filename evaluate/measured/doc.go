// Package measured tests how well models rank and predict measured values, on assays that have
// values beside labels (docs/lab/potency.md).
//
//  1. read.go: a table of assays with labels and values.
//  2. test.go: of each assay, draws of a support set. A model learns its values, and its labels
//     beside, and ranks all other molecules.
//  3. summary.go: means over assays, by how many of their molecules are in training assays.
//  4. rounds.go: rounds in which a model chooses what is measured next.
package measured

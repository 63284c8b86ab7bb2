// Package gnn holds the molecular encoders: networks that turn the atoms of
// a molecule into vectors (AGG and UPDATE of Eq. 1). Each lays out its
// parameters and runs one layer at a time, because the model adapts the atom
// embeddings between two layers (Eq. 6).
package gnn

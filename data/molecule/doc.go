// Package molecule has the representations of molecules that models read.
//
//  1. A [Featurizer] parses SMILES with RDKit, over several goroutines, into a [Store]: graphs
//     with categories or features of atoms, fingerprints, descriptors and vectors of an encoder.
//  2. [List.AddTo] appends a molecule to the [Inputs] of a batch.
package molecule

// Package counts is the common part of methods that compare molecules by the counts of
// their fingerprints (docs/methods.md).
//
//  1. vectors.go: the counts of a batch's molecules, as sparse vectors.
//  2. tanimoto.go: Σ min / Σ max of a molecule and each molecule of a support set.
//  3. untrained.go: the common part of methods without training.
package counts

// Package counts is shared by the methods without training that compare molecules by the
// counts of their fingerprints (docs/methods.md).
//
//  1. vectors.go: the counts of a batch's molecules, as sparse vectors.
//  2. tanimoto.go: Σ min / Σ max of a molecule and of each of a support set.
//  3. untrained.go: a method that learns nothing before it sees a task.
package counts

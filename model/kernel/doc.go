// Package kernel scores molecules by what is like them in the support set, where
// likeness is learnt and yet never loses sight of fingerprints: the method of the model
// that ships (docs/model.md).
//
//  1. Teaching: encoders that start apart, the members, each learn from all labels of
//     the training tasks at once, by a linear classifier for each task
//     (package classifiers) on a molecule's vector x̂ of length 1.
//  2. Kernel (kernel.go): k(i, j) is the mean over members of ⟨x̂_i, x̂_j⟩, plus t times
//     the Tanimoto coefficient of the two fingerprints (package counts).
//  3. Mixture (mixture.go): the support set decides t, by how alike its molecules are.
//     One series of close analogues, or molecules with nothing in common, ask for
//     fingerprints; what is in between, for what was learnt.
//  4. A task is ridge regression on that kernel (regression.go): a Gaussian process
//     whose noise is so large that it is near to the means of the two classes.
//
// Adapting is one forward pass and the solution of N equations. No score depends on
// which other queries are asked.
package kernel

// Package kernel scores molecules by what is like them in the support set, where
// likeness is learnt and yet never loses sight of fingerprints: the method of the model
// that ships (docs/model.md).
//
//  1. Teaching: encoders that start apart, the members, each learn from all labels of
//     the training tasks at once, by a linear classifier for each task
//     (package classifiers) on a molecule's vector x̂ of length 1.
//  2. Memory (memory.go, known.go): the labels of the training tasks are kept. Molecules
//     that were measured there are compared by them, too.
//  3. Kernel (similarity.go): what was learnt, what is known, and the Tanimoto coefficient
//     of fingerprints (package counts), weighed by whether each molecule is known.
//  4. A task is ridge regression on that kernel (regression.go): a Gaussian process
//     whose noise is so large that it is near to the means of the two classes.
//  5. To its prediction comes what is expected of a molecule in any assay: the mean of its
//     labels in training tasks, or the mean logit of their classifiers.
//
// Adapting is one forward pass and the solution of N equations. No score depends on
// which other queries are asked.
package kernel

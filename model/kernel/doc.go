// Package kernel scores molecules by similar molecules in the support set. The
// similarity is learnt and always includes that of fingerprints. It is the method of
// the model that ships (docs/model.md).
//
//  1. Teaching: encoders that start apart, the members, each learn from all labels of
//     the training tasks at once, by a linear classifier for each task
//     (package classifiers) on a molecule's vector x̂ of length 1.
//  2. Memory (memory.go, known.go): the labels of the training tasks are kept.
//     Molecules that were measured there are also compared by them.
//  3. Kernel (similarity.go): the learnt vectors, the known labels, the Tanimoto
//     coefficient of fingerprints (package counts), and vectors of a pretrained encoder
//     (package minimol), weighed by whether each molecule is known.
//  4. A task is ridge regression on that kernel (regression.go): a Gaussian process
//     with noise so large that it is close to the means of the two classes.
//  5. Its prediction is added to the expectation for a molecule in any assay: the mean
//     of its labels in training tasks, or the mean logit of their classifiers. The support
//     set decides whether it counts as it is or turned round (expectation.go),
//     and how much of all this counts beside structure alone (average.go).
//
// Adapting is one forward pass and the solution of N equations. No score depends on the
// other queries.
package kernel

// Package kernel scores molecules by similar molecules in the support set. The
// similarity is learnt, and always includes the similarity of fingerprints. It is the
// method of the model that ships (docs/model.md).
//
//  1. Teaching: several encoders with different initial values, the members, each learn
//     from all labels of the training tasks at once, with a linear classifier for each
//     task (package classifiers) on a molecule's vector x̂ of length 1. With
//     model.pretrained they start from the same encoder, but from different classifiers.
//  2. Memory (memory.go, known.go): the model keeps the labels of the training tasks.
//     Molecules that were measured there are also compared by these labels.
//  3. Kernel (similarity.go): the learnt vectors, the known labels, the Tanimoto
//     coefficient of fingerprints (package counts), and vectors of a pretrained encoder
//     (package minimol), with weights that depend on whether each molecule is known.
//  4. A task is ridge regression on that kernel (regression.go): a Gaussian process
//     with so much noise that it is close to comparing the means of the two classes.
//  5. Its prediction is added to the expectation for a molecule in any assay: the mean
//     of its labels in training tasks, or the mean logit of their classifiers. The support
//     set determines the sign of the expectation (expectation.go), and the weight of the
//     whole kernel against structure alone (average.go).
//
// Adapting is one forward pass and the solution of N equations. No score depends on the
// other queries.
package kernel

// Package forest is a random forest on the counts of fingerprints (Breiman: Random
// Forests, Machine Learning 45, 2001), the usual method without a neural network
// and a baseline of FS-Mol's benchmark (docs/methods.md).
//
//  1. forest.go: the method. The forest of a task is grown from its support set
//     alone; P(active) is the mean over the trees of the share of actives in the
//     leaf that a molecule falls into.
//  2. grow.go: a tree, as scikit-learn's RandomForestClassifier grows it by default.
//     It is grown from a bootstrap sample of the support set. Each node takes the best
//     split by Gini impurity among √bits random bits, and draws further bits while all
//     of those are constant. Growing stops when a leaf is pure or its molecules have
//     equal counts. For measured values the forest is that of RandomForestRegressor,
//     also with √bits bits.
//  3. split.go: the best split of a bit, halfway between two counts.
//
// The available Go libraries are unmaintained and take no seed. Scores are a function
// of the model's seed and of the support molecules, independent of their order.
package forest

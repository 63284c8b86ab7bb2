// Package forest is a random forest on the counts of fingerprints (Breiman: Random
// Forests, Machine Learning 45, 2001), the usual method without a neural network
// and a baseline of FS-Mol's benchmark (docs/methods.md).
//
//  1. forest.go: the method. The forest of a task is grown from its support set
//     alone; P(active) is the mean over the trees of the share of actives in the
//     leaf that a molecule falls into.
//  2. grow.go: a tree, as scikit-learn's RandomForestClassifier grows it by its
//     defaults: from as many molecules as the support set has, drawn with
//     replacement; at every node the best split by Gini impurity of √bits bits drawn
//     anew, and further ones while all of those are constant; until the leaves are
//     pure, or their molecules have equal counts.
//     Of measured values it is the forest of RandomForestRegressor, with √bits bits as well.
//  3. split.go: the best split of a bit, halfway between two counts.
//
// No library does this: those for Go are not kept, and take no seed. Scores are a
// function of the model's seed and of the support molecules, whatever their order.
package forest

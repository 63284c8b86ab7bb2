// Package classifiers is shared by the methods that learn from all labels of the training
// tasks at once: a linear classifier for each of these tasks, on the molecules' vectors
// of an encoder that all of them share.
package classifiers

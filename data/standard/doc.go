// Package standard makes of a molecule as it is drawn the one that a model sees: the parent
// of a salt or a solvate, without charges that moving hydrogens can take away. Training reads
// its tables by it, and predict its support sets and libraries.
package standard

// Package standard converts a molecule as it is drawn to the molecule that a model reads: the parent
// of a salt or a solvate, without charges that moving hydrogens can remove. Training uses it for
// its tables, and predict for support sets and libraries.
package standard

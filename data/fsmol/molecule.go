package fsmol

import "pacia/data/category"

// The sizes of the format.
const (
	Features  = category.Features
	BondTypes = category.KekuleTypes
	Counts    = 2048  // of a fingerprint
	MaxAtoms  = 1_000 // of a molecule; larger ones are refused
)

// Molecule is one line of a task file.
type Molecule struct {
	SMILES string
	Label  uint8 // 1 active, 0 inactive: whether Property is not 0

	Assay, Relation, AssayType string
	// The measured value and its logarithm, as written; empty where not given.
	Regression, LogRegression string

	Fingerprint []uint16  // [Counts]; nil where not given
	Descriptors []float32 // of one length in a file; nil where not given
	Graph       Graph
}

// Graph is a molecule of A atoms as the benchmark sees it.
type Graph struct {
	Atoms []uint32            // [A] feature i of an atom is bit i
	Types []string            // [A] element, with the charge as signs; nil where not given
	Bonds [BondTypes][]uint16 // [E_t, 2] the atoms of each single, double, triple bond, each bond once
}

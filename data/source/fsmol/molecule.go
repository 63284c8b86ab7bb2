package fsmol

import "pacia/data/category"

// The sizes of the format.
const (
	Features  = category.Features
	BondTypes = category.KekuleTypes
	Counts    = 2048  // of a fingerprint
	MaxAtoms  = 1_000 // of a molecule; larger molecules are refused
)

// Molecule is one line of a task file.
type Molecule struct {
	SMILES string
	Label  uint8 // 1 active, 0 inactive: whether Property is not 0

	Assay, Relation, AssayType string
	// The measured value and its logarithm, as in the file; empty if not given.
	Regression, LogRegression string

	Fingerprint []uint16  // [Counts]; nil if not given
	Descriptors []float32 // of the same length throughout a file; nil if not given
	Graph       Graph
}

// Graph is the benchmark's graph of a molecule with A atoms.
type Graph struct {
	Atoms []uint32            // [A] feature i of an atom is bit i
	Types []string            // [A] element, with the charge as signs; nil if not given
	Bonds [BondTypes][]uint16 // [E_t, 2] for single, double and triple bonds: the two atoms of each bond
}

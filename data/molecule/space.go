package molecule

import (
	"context"
	"fmt"

	"pacia/data/rdkit"
)

// InSpace returns the Featurizer of molecules whose atoms have coordinates and the features that the
// Molecule Attention Transformer reads, with or without fingerprints; see [rdkit.Conform].
func InSpace(fingerprints bool) Featurizer {
	f := Featurizer{Name: "space 1", Fingerprints: fingerprints, Parse: parser{counts: fingerprints, space: true}.parse}
	if fingerprints {
		f.Name += ", fingerprints 1"
	}
	return f
}

// conformed computes a conformer of a molecule that was parsed with the given number of atoms.
func conformed(ctx context.Context, smiles string, atoms int) (*rdkit.Conformer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, err := rdkit.Conform(ctx, smiles)
	if err == nil && len(c.Atoms) != atoms {
		err = fmt.Errorf("%d atoms in space, %d in the graph", len(c.Atoms), atoms)
	}
	return &c, err
}

package rdkit

/*
#cgo LDFLAGS: -lRDKitDistGeomHelpers -lRDKitForceFieldHelpers -lRDKitForceField -lRDKitDepictor -lRDKitRDGeometryLib
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"math"
)

// ConformerFeatures is how many features an atom of a [Conformer] has.
const ConformerFeatures = C.PACIA_CONFORMER_FEATURES

// Conformer is a molecule of A atoms in space, in the order of [Mol]. Hydrogens have
// taken part, but are not there.
type Conformer struct {
	Atoms  []uint32  // [A] feature i of an atom is bit i
	Places []float32 // [A, 3] in Å
	Flat   bool      // the places are those of a drawing
}

// Conform gives the atoms of a SMILES places and the features of the Molecule Attention
// Transformer: one of B C N O F P S Cl Br I or another element, of 0 to 5 neighbours, of 0 to 4
// hydrogens, of the charges −1 to 1, where the last stands for what is not listed; in a
// ring; aromatic. Or it returns RDKit's own reason in one line.
//
// Places are embedded by distance geometry with a fixed seed and optimised by UFF, so that
// they are the same in every run. Where that fails, in 20 attempts, or takes a minute, or with
// more than 400 atoms, hydrogens included, they are those of a drawing.
func Conform(ctx context.Context, smiles string) (Conformer, error) {
	if err := check(smiles); err != nil {
		return Conformer{}, err
	}
	q := question{kind: askConformer, text: smiles}
	answer, err := q.ask(ctx)
	if err != nil && IsApart() { // embedding may be to blame
		q.a = 1
		answer, err = q.ask(ctx)
	}
	if err != nil {
		return Conformer{}, err
	}
	return takeConformer(answer)
}

// takeConformer reads an answer; see ask.h.
func takeConformer(from []byte) (Conformer, error) {
	c := cursor{from: from}
	atoms, flat := c.size(), c.size()
	if len(c.from) != 4*4*atoms {
		return Conformer{}, errAnswer
	}
	m := Conformer{make([]uint32, atoms), make([]float32, 3*atoms), flat != 0}
	for i := range m.Atoms {
		m.Atoms[i] = c.uint32()
	}
	for i := range m.Places {
		m.Places[i] = math.Float32frombits(c.uint32())
	}
	return m, nil
}

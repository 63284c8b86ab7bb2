package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"math"
)

// ConformerFeatures is the number of features of an atom in a [Conformer].
const ConformerFeatures = C.PACIA_CONFORMER_FEATURES

// Conformer has the coordinates of a molecule with A atoms, in the order of [Mol]. Hydrogens were
// included in the computation, but are left out here.
type Conformer struct {
	Atoms  []uint32  // [A] feature i of an atom is bit i
	Places []float32 // [A, 3] in Å
	Flat   bool      // the coordinates are those of a drawing in the plane
}

// Conform computes a conformer of a SMILES, with the features of the Molecule Attention Transformer. These
// are one-hot codes of the element (B C N O F P S Cl Br I or another), of 0 to 5 neighbours, of 0 to 4
// hydrogens and of the charges −1 to 1. The last place of a code is also for values that are not listed. Two more
// bits are for an atom in a ring and for an aromatic atom. The error is RDKit's own reason in one line.
//
// Coordinates are embedded by distance geometry with a fixed seed and optimised with UFF, so that
// they are the same in every run. They are those of a drawing if 20 attempts fail, if embedding takes more than
// a minute, or if the molecule has more than 400 atoms, hydrogens included.
func Conform(ctx context.Context, smiles string) (Conformer, error) {
	if err := check(smiles); err != nil {
		return Conformer{}, err
	}
	q := question{kind: askConformer, text: smiles}
	answer, err := q.ask(ctx)
	if err != nil { // embedding may be the cause
		q.a = 1
		answer, err = q.ask(ctx)
	}
	if err != nil {
		return Conformer{}, err
	}
	return takeConformer(answer)
}

// takeConformer parses an answer; see ask.h.
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

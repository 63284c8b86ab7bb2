package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"slices"
)

// MiniMolAtom is the number of bytes of an atom in a [MiniMol].
const MiniMolAtom = C.PACIA_MINIMOL_ATOM

// MiniMol is a molecule with A atoms and E bonds as input of the encoder MiniMol, in the order of
// [Mol]. The lists of categories are those of Graphium 2.4.7 with MiniMol's settings. The last place
// of each list stands for values that are not listed.
type MiniMol struct {
	Atoms []uint8 // [A, MiniMolAtom] as in ask.h
	Ends  []int32 // [E, 2] the atoms that each bond joins
	Codes []uint8 // [E] (type·7 + stereo)·2 + 1 in a ring
}

// AllMiniMol reads molecules, and calls take with each molecule or RDKit's error.
func AllMiniMol(smiles []string, take func(i int, m MiniMol, err error)) {
	askAll(context.Background(), askMiniMol, smiles, takeMiniMol, take)
}

// takeMiniMol parses an answer; see ask.h.
func takeMiniMol(from []byte) (MiniMol, error) {
	c := cursor{from: from}
	atoms, bonds := c.size(), c.size()
	if len(c.from) != atoms+9*bonds {
		return MiniMol{}, errAnswer
	}
	return MiniMol{Atoms: slices.Clone(c.bytes(atoms)), Codes: slices.Clone(c.bytes(bonds)), Ends: c.ints(2 * bonds)}, nil
}

package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"slices"
)

// MiniMolAtom is how many numbers an atom of a [MiniMol] has.
const MiniMolAtom = C.PACIA_MINIMOL_ATOM

// MiniMol is a molecule of A atoms and E bonds as the encoder MiniMol reads it, in the order of
// [Mol]. Lists of categories are those of Graphium 2.4.7 with MiniMol's settings; the last place
// of each stands for what is not listed.
type MiniMol struct {
	Atoms []uint8 // [A, MiniMolAtom] as in ask.h
	Ends  []int32 // [E, 2] the atoms that each bond joins
	Codes []uint8 // [E] (type·7 + stereo)·2 + 1 in a ring
}

// AllMiniMol reads many molecules, and gives each, or the reason why RDKit refuses it, to take.
func AllMiniMol(smiles []string, take func(i int, m MiniMol, err error)) {
	askAll(context.Background(), askMiniMol, smiles, takeMiniMol, take)
}

// takeMiniMol reads an answer; see ask.h.
func takeMiniMol(from []byte) (MiniMol, error) {
	c := cursor{from: from}
	atoms, bonds := c.size(), c.size()
	if len(c.from) != atoms+9*bonds {
		return MiniMol{}, errAnswer
	}
	return MiniMol{Atoms: slices.Clone(c.bytes(atoms)), Codes: slices.Clone(c.bytes(bonds)), Ends: c.ints(2 * bonds)}, nil
}

package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"slices"
	"strings"
)

// Kekule is a molecule with A atoms and E bonds in RDKit's order. Its aromatic bonds are replaced by
// single and double bonds, and hydrogens are implicit.
type Kekule struct {
	Atoms  []KekuleAtom // [A]
	Ends   []int32      // [E, 2] the atoms that each bond joins
	Types  []uint8      // [E] 0 single, 1 double, 2 triple
	Counts Counts       // empty unless requested
}

// KekuleAtom has the properties of an atom.
type KekuleAtom struct {
	Symbol                           string // of the element; "*" for a dummy
	Number, Charge, Degree, Radicals int
	InRing                           bool
}

// ParseKekule reads one SMILES, with its fingerprint if counts is set. The error is RDKit's
// reason in one line. ParseKekule refuses what [Parse] refuses, and bonds of other
// types.
func ParseKekule(ctx context.Context, smiles string, counts bool) (Kekule, error) {
	if err := check(smiles); err != nil {
		return Kekule{}, err
	}
	q := question{kind: askKekule, text: smiles}
	if counts {
		q.a = 1
	}
	answer, err := q.ask(ctx)
	if err != nil {
		return Kekule{}, err
	}
	return takeKekule(answer)
}

// takeKekule parses an answer; see ask.h.
func takeKekule(from []byte) (Kekule, error) {
	c := cursor{from: from}
	atoms, bonds, bits := c.size(), c.size(), c.size()
	if len(c.from) != 4*C.PACIA_KEKULE_ATOM*atoms+9*bonds+4*bits {
		return Kekule{}, errAnswer
	}
	k := Kekule{Atoms: make([]KekuleAtom, atoms)}
	for i := range k.Atoms {
		n := c.ints(5)
		symbol, _, _ := strings.Cut(string(c.bytes(4)), "\x00")
		k.Atoms[i] = KekuleAtom{symbol, int(n[0]), int(n[1]), int(n[2]), int(n[3]), n[4] != 0}
	}
	k.Ends, k.Types, k.Counts = c.ints(2*bonds), slices.Clone(c.bytes(bonds)), c.counts(bits)
	return k, nil
}

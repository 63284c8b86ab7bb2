package rdkit

/*
#cgo LDFLAGS: -lRDKitChemTransforms -lRDKitSubstructMatch
*/
import "C"

import (
	"context"
	"strings"
)

// Motifs is a molecule of A atoms, in the order of [Mol], taken apart into n motifs with E
// edges between them, which form a tree in every connected part of the molecule. A motif's
// name is the canonical SMILES of its atoms and the bonds between them, with the Kekulé
// form's bonds, and hydrogens in place of the bonds that were cut. (Where fused rings are taken
// apart, it depends on RDKit's choice of that form which of them keeps a double bond.)
//
// Cut are the bonds that BRICS finds (Degen et al. 2008), those between rings and atoms
// outside of rings, and those of atoms outside of rings that have more than two neighbours
// (Zhang et al. 2021). Where that leaves no more than one edge, motifs are those of the
// junction tree (Jin et al. 2018), whose neighbours share atoms: rings, joined where they have
// more than two atoms in common, bonds outside of rings, and atoms where three of these meet.
type Motifs struct {
	A     int        // atoms of the molecule
	Names []string   // [n]
	Atoms [][]int32  // [n] of each motif, ascending
	Edges [][2]int32 // [E]
}

// AllMotifs takes many molecules apart, and gives each, or the reason why that fails, to take.
// Once ctx is done, that is the reason of those that are left.
func AllMotifs(ctx context.Context, smiles []string, take func(i int, m Motifs, err error)) {
	askAll(ctx, askMotifs, smiles, takeMotifs, take)
}

// takeMotifs reads an answer; see ask.h.
func takeMotifs(from []byte) (Motifs, error) {
	c := cursor{from: from}
	m := Motifs{A: c.size()}
	n, edges := c.size(), c.size()
	if max(m.A, n, edges) > len(from) {
		return Motifs{}, errAnswer
	}
	sizes := c.ints(n)
	for _, size := range sizes {
		m.Atoms = append(m.Atoms, c.ints(int(size)))
	}
	for range edges {
		m.Edges = append(m.Edges, [2]int32{int32(c.uint32()), int32(c.uint32())})
	}
	m.Names = strings.Split(strings.TrimSuffix(string(c.from), "\n"), "\n")
	if len(m.Names) != n {
		return Motifs{}, errAnswer
	}
	return m, nil
}

package rdkit

import (
	"context"
	"strings"
)

// Motifs is a molecule with A atoms, in the order of [Mol], divided into n motifs with E
// edges between them. The edges form a tree in every connected part of the molecule. A motif's
// name is the canonical SMILES of its atoms and the bonds between them, with the bonds of the Kekulé
// form, and with hydrogens in place of the bonds that were cut. (If fused rings are
// separated, RDKit's choice of the Kekulé form decides which of them keeps a double bond.)
//
// The bonds that are cut are those of BRICS (Degen et al. 2008), those between rings and atoms
// outside of rings, and those of atoms outside of rings with more than two neighbours
// (Zhang et al. 2021). If this gives at most one edge, the motifs are those of the
// junction tree (Jin et al. 2018). They are rings, bonds outside of rings, and atoms where three of these meet. Rings
// with more than two atoms in common are joined. Neighbours in this tree share atoms.
type Motifs struct {
	A     int        // atoms of the molecule
	Names []string   // [n]
	Atoms [][]int32  // [n] of each motif, ascending
	Edges [][2]int32 // [E]
}

// AllMotifs divides molecules into motifs, and calls take with each result or error. After ctx is
// done, the remaining molecules have the context's error.
func AllMotifs(ctx context.Context, smiles []string, take func(i int, m Motifs, err error)) {
	askAll(ctx, askMotifs, smiles, takeMotifs, take)
}

// takeMotifs parses an answer; see ask.h.
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

package rdkit

/*
#cgo LDFLAGS: -lRDKitChemTransforms -lRDKitSubstructMatch
#include "motifs.h"
#include "parse.h"
*/
import "C"

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"unsafe"
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
	questions, at := make([]question, 0, len(smiles)), make([]int, 0, len(smiles))
	for i, text := range smiles {
		if err := check(text); err != nil {
			take(i, Motifs{}, err)
			continue
		}
		questions, at = append(questions, question{kind: askMotifs, text: text}), append(at, i)
	}
	taken := func(i int, answer []byte, err error) {
		var m Motifs
		if err == nil {
			m, err = takeMotifs(answer)
		}
		take(at[i], m, err)
	}
	if elsewhere := apart.Load(); elsewhere != nil {
		elsewhere.ask(ctx, questions, taken)
		return
	}
	for i, q := range questions {
		if err := ctx.Err(); err != nil {
			taken(i, nil, err)
			continue
		}
		answer, err := motifsHere(nil, q.text)
		taken(i, answer, err)
	}
}

// motifsHere appends motifs for takeMotifs: numbers as motifs.h has them, then names.
func motifsHere(to []byte, smiles string) ([]byte, error) {
	numbers, names := make([]C.int32_t, 8*len(smiles)+16), make([]byte, 8*len(smiles)+64)
	var written, length C.int32_t
	var reason [256]C.char
	for {
		status := C.pacia_rdkit_motifs((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)),
			C.int32_t(len(numbers)), &numbers[0], C.int32_t(len(names)), (*C.char)(unsafe.Pointer(&names[0])), &written, &length,
			&reason[0], C.int32_t(len(reason)))
		switch status {
		case C.PACIA_PARSE_OK:
			for _, n := range numbers[:written] {
				to = binary.LittleEndian.AppendUint32(to, uint32(n))
			}
			return append(to, names[:length]...), nil
		case C.PACIA_PARSE_TOO_SMALL:
			numbers, names = make([]C.int32_t, written), make([]byte, max(length, 1))
		default:
			if _, err := Parse(smiles); err != nil {
				return nil, err // which says why a SMILES is malformed
			}
			return nil, errors.New(strings.TrimSpace(C.GoString(&reason[0])))
		}
	}
}

func takeMotifs(from []byte) (Motifs, error) {
	c := cursor{from: from}
	m := Motifs{A: c.size()}
	n, edges := c.size(), c.size()
	if max(m.A, n, edges) > len(from) {
		return Motifs{}, errAnswer
	}
	m.Atoms, m.Edges = make([][]int32, n), make([][2]int32, edges)
	for i := range m.Atoms {
		size := c.size()
		if size > m.A {
			return Motifs{}, errAnswer
		}
		m.Atoms[i] = make([]int32, size)
	}
	for _, atoms := range m.Atoms {
		for k := range atoms {
			atoms[k] = int32(c.uint32())
		}
	}
	for i := range m.Edges {
		m.Edges[i] = [2]int32{int32(c.uint32()), int32(c.uint32())}
	}
	m.Names = strings.Split(strings.TrimSuffix(string(c.from), "\n"), "\n")
	if len(m.Names) != n {
		return Motifs{}, errAnswer
	}
	return m, nil
}

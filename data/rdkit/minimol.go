package rdkit

/*
#include "minimol.h"
#include "parse.h"
*/
import "C"

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// MiniMolAtom is how many numbers an atom of a [MiniMol] has.
const MiniMolAtom = C.PACIA_MINIMOL_ATOM

// MiniMol is a molecule of A atoms and E bonds as the encoder MiniMol reads it, in the order of
// [Mol]. Lists of categories are those of Graphium 2.4.7 with MiniMol's settings; the last place
// of each stands for what is not listed.
type MiniMol struct {
	Atoms []uint8 // [A, MiniMolAtom] as in minimol.h
	Ends  []int32 // [E, 2] the atoms that each bond joins
	Codes []uint8 // [E] (type·7 + stereo)·2 + 1 in a ring
}

// AllMiniMol reads many molecules, and gives each, or the reason why RDKit refuses it, to take.
func AllMiniMol(smiles []string, take func(i int, m MiniMol, err error)) {
	questions, at := make([]question, 0, len(smiles)), make([]int, 0, len(smiles))
	for i, text := range smiles {
		if err := check(text); err != nil {
			take(i, MiniMol{}, err)
			continue
		}
		questions, at = append(questions, question{kind: askMiniMol, text: text}), append(at, i)
	}
	p := apart.Load()
	if p == nil {
		for k, q := range questions {
			m, err := miniMolHere(q.text)
			take(at[k], m, err)
		}
		return
	}
	p.ask(context.Background(), questions, func(k int, answer []byte, err error) {
		var m MiniMol
		if err == nil {
			m, err = takeMiniMol(slices.Clone(answer))
		}
		take(at[k], m, err)
	})
}

func miniMolHere(smiles string) (MiniMol, error) {
	room := len(smiles) // every atom and every bond takes at least a character
	m := MiniMol{Atoms: make([]uint8, MiniMolAtom*room), Ends: make([]int32, 2*room), Codes: make([]uint8, room)}
	var atoms, bonds C.int32_t
	var reason [256]C.char
	status := C.pacia_rdkit_minimol((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)), C.int32_t(room),
		(*C.uint8_t)(&m.Atoms[0]), (*C.int32_t)(&m.Ends[0]), (*C.uint8_t)(&m.Codes[0]), &atoms, &bonds, &reason[0], C.int32_t(len(reason)))
	switch {
	case status == C.PACIA_PARSE_TOO_SMALL:
		return MiniMol{}, fmt.Errorf("%d atoms and %d bonds do not fit a SMILES of %d characters", atoms, bonds, len(smiles))
	case status != C.PACIA_PARSE_OK:
		return MiniMol{}, errors.New(strings.TrimSpace(C.GoString(&reason[0])))
	case atoms > MaxAtoms:
		return MiniMol{}, fmt.Errorf("%d atoms, more than %d", atoms, MaxAtoms)
	}
	m.Atoms, m.Ends, m.Codes = m.Atoms[:MiniMolAtom*atoms], m.Ends[:2*bonds], m.Codes[:bonds]
	return m, nil
}

// append writes a molecule for [takeMiniMol].
func (m *MiniMol) append(to []byte) []byte {
	to = append(append(appendSizes(to, len(m.Atoms), len(m.Codes)), m.Atoms...), m.Codes...)
	for _, end := range m.Ends {
		to = binary.LittleEndian.AppendUint32(to, uint32(end))
	}
	return to
}

func takeMiniMol(from []byte) (MiniMol, error) {
	c := cursor{from: from}
	atoms, bonds := c.size(), c.size()
	if len(c.from) != atoms+bonds+8*bonds {
		return MiniMol{}, errAnswer
	}
	m := MiniMol{Atoms: c.bytes(atoms), Codes: c.bytes(bonds), Ends: make([]int32, 2*bonds)}
	for i := range m.Ends {
		m.Ends[i] = int32(c.uint32())
	}
	return m, nil
}

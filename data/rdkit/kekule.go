package rdkit

/*
#include "kekule.h"
#include "parse.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// Kekule is a molecule of A atoms and E bonds whose aromatic bonds are single
// and double ones, hydrogens implicit, in RDKit's order.
type Kekule struct {
	Atoms  []KekuleAtom // [A]
	Ends   []int32      // [E, 2] the atoms that each bond joins
	Types  []uint8      // [E] 0 single, 1 double, 2 triple
	Counts Counts       // empty where not asked for
}

// KekuleAtom is what is told of an atom.
type KekuleAtom struct {
	Symbol                           string // of the element; "*" for a dummy
	Number, Charge, Degree, Radicals int
	InRing                           bool
}

// ParseKekule reads one SMILES, with the counts of its fingerprint or without, or
// gives RDKit's reason in one line. Refused are what [Parse] refuses and bonds of
// other kinds.
func ParseKekule(ctx context.Context, smiles string, counts bool) (Kekule, error) {
	if err := check(smiles); err != nil {
		return Kekule{}, err
	}
	if p := apart.Load(); p != nil {
		how := int32(0)
		if counts {
			how = 1
		}
		answer, err := p.one(ctx, question{kind: askKekule, a: how, text: smiles})
		if err != nil {
			return Kekule{}, err
		}
		return takeKekule(answer, counts)
	}
	return kekuleHere(smiles, counts)
}

func kekuleHere(smiles string, counts bool) (Kekule, error) {
	room := len(smiles) // every atom and every bond takes at least a character
	numbers, symbols := make([]int32, C.PACIA_KEKULE_ATOM*room), make([]byte, C.PACIA_KEKULE_SYMBOL*room)
	m := Kekule{Ends: make([]int32, 2*room), Types: make([]uint8, room)}
	if counts {
		m.Counts.reserve()
	}
	var atoms, bonds, bits C.int32_t
	var reason [256]C.char
	status := C.pacia_rdkit_kekule((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)), C.int32_t(room),
		(*C.int32_t)(&numbers[0]), (*C.char)(unsafe.Pointer(&symbols[0])), (*C.int32_t)(&m.Ends[0]), (*C.uint8_t)(&m.Types[0]),
		(*C.uint16_t)(unsafe.SliceData(m.Counts.Bit)), (*C.uint16_t)(unsafe.SliceData(m.Counts.Count)), &atoms, &bonds, &bits, &reason[0], C.int32_t(len(reason)))
	switch status {
	case C.PACIA_PARSE_OK:
	case C.PACIA_PARSE_TOO_SMALL:
		return Kekule{}, fmt.Errorf("%d atoms and %d bonds do not fit a SMILES of %d characters", atoms, bonds, len(smiles))
	default:
		if _, err := Parse(smiles); err != nil {
			return Kekule{}, err // which says why a SMILES is malformed
		}
		return Kekule{}, errors.New(strings.TrimSpace(C.GoString(&reason[0])))
	}
	if atoms > MaxAtoms {
		return Kekule{}, fmt.Errorf("%d atoms, more than %d", atoms, MaxAtoms)
	}
	m.Ends, m.Types, m.Counts = m.Ends[:2*bonds], m.Types[:bonds], m.Counts.first(int(bits))
	m.Atoms = make([]KekuleAtom, atoms)
	for i := range m.Atoms {
		n := numbers[C.PACIA_KEKULE_ATOM*i:]
		symbol, _, _ := strings.Cut(string(symbols[C.PACIA_KEKULE_SYMBOL*i:][:C.PACIA_KEKULE_SYMBOL]), "\x00")
		m.Atoms[i] = KekuleAtom{symbol, int(n[0]), int(n[1]), int(n[2]), int(n[3]), n[4] != 0}
	}
	return m, nil
}

package rdkit

/*
#cgo LDFLAGS: -lRDKitFingerprints -lRDKitDataStructs
#include "counts.h"
*/
import "C"

import (
	"errors"
	"unsafe"
)

// CountsLength is the length of a fingerprint.
const CountsLength = 2048

// Counts is a molecule's Morgan fingerprint of radius 2, folded to [CountsLength]
// counts: how many of its atoms' surroundings, up to two bonds away, fall on each.
// Those of c entries are not 0. It is what FS-Mol's task files have.
type Counts struct {
	Bit   []uint16 // [c] ascending
	Count []uint16 // [c]
}

func (c *Counts) reserve() {
	c.Bit, c.Count = make([]uint16, CountsLength), make([]uint16, CountsLength)
}

func (c *Counts) first(n int) Counts { return Counts{c.Bit[:n:n], c.Count[:n:n]} }

// way is how a fingerprint is made; see counts.h. Tests compare the ways.
type way int

const (
	byRDKit  way = C.PACIA_COUNTS_RDKIT
	byMorgan way = C.PACIA_COUNTS_MORGAN
)

// countsOf returns the fingerprint of a SMILES, made in one way.
func countsOf(smiles string, how way) (Counts, error) {
	var c Counts
	c.reserve()
	var n C.int32_t
	var reason [256]C.char
	status := C.pacia_rdkit_counts((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)), C.int32_t(how),
		(*C.uint16_t)(&c.Bit[0]), (*C.uint16_t)(&c.Count[0]), &n, &reason[0], C.int32_t(len(reason)))
	if status != 0 {
		return Counts{}, errors.New(C.GoString(&reason[0]))
	}
	return c.first(int(n)), nil
}

package rdkit

/*
#cgo LDFLAGS: -lRDKitDistGeomHelpers -lRDKitForceFieldHelpers -lRDKitForceField -lRDKitDepictor -lRDKitRDGeometryLib
#include "conformer.h"
#include "parse.h"
*/
import "C"

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// ConformerFeatures is how many features an atom of a [Conformer] has.
const ConformerFeatures = C.PACIA_CONFORMER_FEATURES

// Conformer is a molecule of A atoms in space, in the order of [Mol]. Hydrogens have
// taken part, but are not there.
type Conformer struct {
	Atoms  []uint32  // [A] feature i of an atom is bit i
	Places []float32 // [A, 3] in Å
	Flat   bool      // the places are those of a drawing
}

// Conform gives the atoms of a SMILES places and the features of the Molecule Attention
// Transformer: one of B C N O F P S Cl Br I or another element, of 0 to 5 neighbours, of 0 to 4
// hydrogens, of the charges −1 to 1, where the last stands for what is not listed; in a
// ring; aromatic. Or it returns RDKit's own reason in one line.
//
// Places are embedded by distance geometry with a fixed seed and optimised by UFF, so that
// they are the same in every run. Where that fails, in 20 attempts, or takes a minute, or with
// more than 400 atoms, hydrogens included, they are those of a drawing.
func Conform(ctx context.Context, smiles string) (Conformer, error) {
	if err := check(smiles); err != nil {
		return Conformer{}, err
	}
	p := apart.Load()
	if p == nil {
		return conformHere(smiles, C.PACIA_CONFORMER_SPACE)
	}
	answer, err := p.one(ctx, question{kind: askConformer, a: C.PACIA_CONFORMER_SPACE, text: smiles})
	if err != nil { // embedding may be to blame
		answer, err = p.one(ctx, question{kind: askConformer, a: C.PACIA_CONFORMER_PLANE, text: smiles})
	}
	if err != nil {
		return Conformer{}, err
	}
	return takeConformer(answer)
}

func conformHere(smiles string, how int32) (Conformer, error) {
	room := len(smiles) // every atom takes at least a character
	features, places := make([]uint32, room), make([]float32, 3*room)
	var atoms, made C.int32_t
	var reason [256]C.char
	status := C.pacia_rdkit_conformer((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)), C.int32_t(how),
		C.int32_t(room), (*C.uint32_t)(&features[0]), (*C.float)(&places[0]), &atoms, &made, &reason[0], C.int32_t(len(reason)))
	switch {
	case status == C.PACIA_PARSE_TOO_SMALL:
		return Conformer{}, fmt.Errorf("%d atoms do not fit a SMILES of %d characters", atoms, len(smiles))
	case status != C.PACIA_PARSE_OK:
		return Conformer{}, errors.New(strings.TrimSpace(C.GoString(&reason[0])))
	case atoms > MaxAtoms:
		return Conformer{}, fmt.Errorf("%d atoms, more than %d", atoms, MaxAtoms)
	}
	return Conformer{features[:atoms], places[:3*atoms], made == C.PACIA_CONFORMER_PLANE}, nil
}

// append writes a molecule for [takeConformer].
func (c *Conformer) append(to []byte) []byte {
	flat := 0
	if c.Flat {
		flat = 1
	}
	to = appendSizes(to, len(c.Atoms), flat)
	for _, bits := range c.Atoms {
		to = binary.LittleEndian.AppendUint32(to, bits)
	}
	for _, v := range c.Places {
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(v))
	}
	return to
}

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

package chem

/*
#cgo CXXFLAGS: -std=c++17 -I/usr/include/rdkit -U_GLIBCXX_USE_CXX11_ABI -D_GLIBCXX_USE_CXX11_ABI=1
#cgo LDFLAGS: -lRDKitDescriptors -lRDKitSubstructMatch -lRDKitSmilesParse -lRDKitGraphMol -lRDKitRDGeneral
#include <stdlib.h>
#include "chem.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// Descriptor is a number that RDKit computes of a molecule.
type Descriptor int

// The descriptors, in the order of chem.h.
const (
	HeavyAtoms Descriptor = iota
	LogP                  // Crippen's
	TPSA                  // Å²
	Donors                // of hydrogen bonds
	Acceptors             // of hydrogen bonds
	Rotatable             // bonds
	Rings
	AromaticRings
	FractionCSP3
	Stereocentres // atoms with a chirality tag
	numDescriptors
)

var names = [numDescriptors]string{
	"heavy atoms", "logP", "TPSA", "hydrogen bond donors", "hydrogen bond acceptors",
	"rotatable bonds", "rings", "aromatic rings", "fraction of sp3 carbon", "stereocentres",
}

// String names the descriptor for a reader.
func (d Descriptor) String() string { return names[d] }

// Version is RDKit's, for example "2022.09.3".
func Version() string { return C.GoString(C.pacia_chem_version()) }

// Pattern is a compiled SMARTS pattern; it lives until the process ends.
type Pattern struct{ p unsafe.Pointer }

// Compile compiles a SMARTS pattern.
func Compile(smarts string) (Pattern, error) {
	s := C.CString(smarts)
	defer C.free(unsafe.Pointer(s))
	p := C.pacia_chem_pattern(s)
	if p == nil {
		return Pattern{}, fmt.Errorf("SMARTS %q does not parse", smarts)
	}
	return Pattern{p}, nil
}

// Molecule is what is known of one molecule.
type Molecule struct {
	SMILES  string                  // canonical
	Values  [numDescriptors]float64 // indexed by Descriptor
	Matches []int                   // unique matches of each pattern
}

// Describe parses a SMILES string and describes the molecule. It fails where
// RDKit refuses the molecule.
func Describe(smiles string, patterns []Pattern) (Molecule, error) {
	s := C.CString(smiles)
	defer C.free(unsafe.Pointer(s))
	// Pointers to RDKit's objects, not to Go memory: cgo may pass them on.
	ptrs := make([]unsafe.Pointer, len(patterns))
	for i, p := range patterns {
		ptrs[i] = p.p
	}
	var m Molecule
	canonical := new(*C.char)
	matches := make([]C.int, len(patterns))
	values := (*C.double)(&m.Values[0])
	msg := C.pacia_chem_describe(s, unsafe.SliceData(ptrs), C.int(len(patterns)), canonical,
		values, unsafe.SliceData(matches))
	if msg != nil {
		defer C.free(unsafe.Pointer(msg))
		return Molecule{}, errors.New(C.GoString(msg))
	}
	defer C.free(unsafe.Pointer(*canonical))
	m.SMILES = C.GoString(*canonical)
	m.Matches = make([]int, len(patterns))
	for i := range m.Matches {
		m.Matches[i] = int(matches[i])
	}
	return m, nil
}

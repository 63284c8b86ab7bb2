package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// MaxSMILES is the length in bytes above which Parse refuses a SMILES. The
// longest of MoleculeNet has under 1,400.
const MaxSMILES = 3_000

// MaxAtoms is the size above which Parse refuses a molecule. The largest of
// MoleculeNet has under 500; one of many thousands would fill a batch alone.
// Larger ones must not reach RDKit: its perception of stereo centres takes time
// that grows with the cube of a plain chain's length, a second for 1,000 atoms,
// half a minute for 3,000.
const MaxAtoms = C.PACIA_MAX_ATOMS

// Mol is what the model sees of a molecule: A atoms and E bonds, hydrogens
// implicit, in RDKit's order.
type Mol struct {
	Atoms []uint8 // [A, 2] atomic number − 1 (0..117; 118 unknown), chirality tag (0 none, 1 CW, 2 CCW, 3 other)
	Ends  []int32 // [E, 2] the atoms that each bond joins
	Bonds []uint8 // [E, 2] type and direction, as in package category

	Counts Counts // empty where the parser does not make them
}

// Parser reads SMILES into room that it keeps between calls. A Parser serves
// one goroutine at a time; its zero value is ready.
type Parser struct {
	Counts bool // make fingerprints
	Bare   bool // make nothing else: molecules have no atoms and no bonds

	thorough     bool // leave all to RDKit: who asks has found that the molecule is not plain
	atoms, bonds []uint8
	ends         []int32
	counts       Counts
	kept         kept

	// Sizes of what C wrote, and its reason: here, since what C is handed is on the heap.
	written struct{ atoms, bonds, bits C.int32_t }
	reason  [256]C.char
}

// Parse returns the molecule of a SMILES, or an error that gives RDKit's own
// reason in one line. The molecule is valid until the next call.
//
// Refused are, besides what RDKit refuses, molecules without atoms, those of more
// than [MaxAtoms], and bonds other than single, double, triple or aromatic.
func (p *Parser) Parse(smiles string) (m Mol, err error) {
	if apart.Load() == nil {
		return p.here(smiles)
	}
	p.ParseAll(context.Background(), []string{smiles}, func(_ int, of Mol, why error) { m, err = of, why })
	return m, err
}

func (p *Parser) here(smiles string) (Mol, error) {
	if err := check(smiles); err != nil {
		return Mol{}, err
	}
	if m, ok := p.plain(smiles); ok {
		return m, nil
	}
	p.reserve(len(smiles))
	w := &p.written
	status := C.pacia_rdkit_parse((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)),
		C.int32_t(len(p.ends)/2),
		p.atom(), (*C.int32_t)(&p.ends[0]), (*C.uint8_t)(&p.bonds[0]),
		(*C.uint16_t)(unsafe.SliceData(p.counts.Bit)), (*C.uint16_t)(unsafe.SliceData(p.counts.Count)), &w.atoms, &w.bonds, &w.bits,
		&p.reason[0], C.int32_t(len(p.reason)))
	switch status {
	case C.PACIA_OK:
		return p.made(), nil
	case C.PACIA_TOO_SMALL:
		return Mol{}, fmt.Errorf("%d atoms and %d bonds do not fit a SMILES of %d characters", w.atoms, w.bonds, len(smiles))
	}
	return Mol{}, errors.New(strings.TrimSpace(C.GoString(&p.reason[0])))
}

// PlainRelease is the release of RDKit whose rules the reader of plain molecules follows.
const PlainRelease = "2022.09"

// followsPlain says whether the rules of a version of RDKit are those of the reader of plain
// molecules. With any other version RDKit reads all molecules, so that none goes by other
// rules than the rest.
func followsPlain(version string) bool { return strings.HasPrefix(version, PlainRelease+".") }

var plainRules = followsPlain(Version())

// ReadsPlain says whether plain molecules are read without RDKit.
func ReadsPlain() bool { return plainRules }

// plain reads a molecule that does not need RDKit, and says whether it is one.
func (p *Parser) plain(smiles string) (Mol, bool) {
	if p.thorough || !plainRules {
		return Mol{}, false
	}
	p.reserve(max(len(smiles), 1))
	w := &p.written
	status := C.pacia_rdkit_plain((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)),
		p.atom(), (*C.int32_t)(&p.ends[0]), (*C.uint8_t)(&p.bonds[0]),
		(*C.uint16_t)(unsafe.SliceData(p.counts.Bit)), (*C.uint16_t)(unsafe.SliceData(p.counts.Count)), &w.atoms, &w.bonds, &w.bits)
	if status != C.PACIA_OK {
		return Mol{}, false
	}
	return p.made(), true
}

// atom is where atoms are written, or null where they are not asked for.
func (p *Parser) atom() *C.uint8_t {
	if p.Bare {
		return nil
	}
	return (*C.uint8_t)(&p.atoms[0])
}

// made is the molecule that C wrote.
func (p *Parser) made() (m Mol) {
	atoms, bonds, bits := p.written.atoms, p.written.bonds, p.written.bits
	if !p.Bare {
		m = Mol{Atoms: p.atoms[:2*atoms], Ends: p.ends[:2*bonds], Bonds: p.bonds[:2*bonds]}
	}
	if p.Counts {
		m.Counts = p.counts.first(int(bits))
	}
	return m
}

// reserve makes room for what a SMILES of n characters can hold: every atom and every bond
// takes at least one.
func (p *Parser) reserve(n int) {
	if len(p.ends) < 2*n {
		p.atoms, p.bonds, p.ends = make([]uint8, 2*n), make([]uint8, 2*n), make([]int32, 2*n)
	}
	if p.Counts && p.counts.Bit == nil {
		p.counts.reserve()
	}
}

// Parse reads one SMILES; see [Parser.Parse]. The molecule is the caller's.
func Parse(smiles string) (Mol, error) {
	return new(Parser).Parse(smiles)
}

// Version returns RDKit's version, such as "2022.09.3". Graphs may differ
// between versions.
func Version() string {
	return C.GoString(C.pacia_rdkit_version())
}

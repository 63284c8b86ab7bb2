package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"strings"
	"sync"
	"unsafe"
)

// MaxSMILES is the length in bytes above which Parse refuses a SMILES. The
// longest in MoleculeNet has fewer than 1,400.
const MaxSMILES = 3_000

// MaxAtoms is the number of atoms above which Parse refuses a molecule. The largest
// molecule in MoleculeNet has fewer than 500. Larger molecules must not reach RDKit:
// the time for its perception of stereo centres grows with the cube of a chain's
// length, to a second for 1,000 atoms and half a minute for 3,000.
const MaxAtoms = C.PACIA_MAX_ATOMS

// What a molecule is parsed for.
const (
	parseCounts = C.PACIA_PARSE_COUNTS
	parseBare   = C.PACIA_PARSE_BARE
)

// Mol is a molecule as the model reads it: A atoms and E bonds in RDKit's order, with
// implicit hydrogens.
type Mol struct {
	Atoms []uint8 // [A, 2] atomic number − 1 (0..117; 118 unknown), chirality tag (0 none, 1 CW, 2 CCW, 3 other)
	Ends  []int32 // [E, 2] the atoms that each bond joins
	Bonds []uint8 // [E, 2] type and direction, as in package category

	Counts Counts // empty unless Parser.Counts is set
}

// Parser parses SMILES, and reuses its memory between calls. It must be used by one
// goroutine at a time. Its zero value is ready to use.
type Parser struct {
	Counts bool // make fingerprints
	Bare   bool // make no graphs: molecules have no atoms and no bonds

	atoms, bonds []uint8
	ends         []int32
	counts       Counts
	kept         kept

	// Sizes that C writes, which are a field to avoid an allocation in each call.
	written struct{ atoms, bonds, bits C.int32_t }
}

// Parse returns the molecule of a SMILES. The error is RDKit's own reason in one line.
// The molecule is valid until the next call.
//
// Besides molecules that RDKit refuses, Parse refuses molecules without atoms, with more
// than [MaxAtoms] atoms, or with bonds other than single, double, triple or aromatic.
func (p *Parser) Parse(smiles string) (m Mol, err error) {
	p.ParseAll(context.Background(), []string{smiles}, func(_ int, of Mol, why error) { m, err = of, why })
	return m, err
}

// PlainRelease is the release of RDKit whose rules the reader of plain molecules follows.
const PlainRelease = "2022.09"

// followsPlain reports whether a version of RDKit has the rules of the reader of plain
// molecules. With any other version, RDKit reads all molecules, so that all are read with the same
// rules.
func followsPlain(version string) bool { return strings.HasPrefix(version, PlainRelease+".") }

var plainRules = sync.OnceValue(func() bool { return followsPlain(Version()) })

// ReadsPlain reports whether plain molecules are read without RDKit.
func ReadsPlain() bool { return plainRules() }

// plain reads a plain molecule without RDKit. It returns false if the molecule is not plain.
func (p *Parser) plain(smiles string) (Mol, bool) {
	if !plainRules() {
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

// atom returns the address to which C writes atoms, or nil if p.Bare is set.
func (p *Parser) atom() *C.uint8_t {
	if p.Bare {
		return nil
	}
	return (*C.uint8_t)(&p.atoms[0])
}

// made returns the molecule that C wrote.
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

// reserve allocates memory for the molecule of a SMILES with n characters: each atom and each bond
// takes at least one character.
func (p *Parser) reserve(n int) {
	if len(p.ends) < 2*n {
		p.atoms, p.bonds, p.ends = make([]uint8, 2*n), make([]uint8, 2*n), make([]int32, 2*n)
	}
	if p.Counts && p.counts.Bit == nil {
		p.counts.reserve()
	}
}

// Parse reads one SMILES; see [Parser.Parse]. The caller may keep the molecule.
func Parse(smiles string) (Mol, error) {
	return new(Parser).Parse(smiles)
}

package fsmol

import (
	"context"
	"fmt"
	"strings"

	"pacia/data/rdkit"
)

// The first of the 32 features in each group. One feature of each group is 1, and the last
// feature is 1 for an atom in a ring. A group begins with "unknown".
const (
	elementFeature = 0  // unknown and 14 elements
	degreeFeature  = 15 // unknown (also degree 0), 1 to 6
	chargeFeature  = 22 // unknown, −1 to 3
	radicalFeature = 28 // unknown, 0 and 1 radical electrons
	ringFeature    = 31
)

// elements has the features 1 to 14 by atomic number.
var elements = map[int]int{
	6: 1, 7: 2, 8: 3, 16: 4, 17: 5, 35: 6, 9: 7, 15: 8, 53: 9, 11: 10, 14: 11, 5: 12, 34: 13, 19: 14,
}

// atomFeatures returns the features of an atom as bits. The benchmark looks up the
// element together with the charge, such as "N+". Its list has no such entries, so that
// in all of its files the element of a charged atom is unknown.
func atomFeatures(a rdkit.KekuleAtom) uint32 {
	element := 0
	if a.Charge == 0 {
		element = elements[a.Number]
	}
	bits := uint32(1)<<(elementFeature+element) |
		1<<(degreeFeature+oneOf(a.Degree, 1, 6)) |
		1<<(chargeFeature+oneOf(a.Charge, -1, 3)) |
		1<<(radicalFeature+oneOf(a.Radicals, 0, 1))
	if a.InRing {
		bits |= 1 << ringFeature
	}
	return bits
}

// oneOf returns the position of v in a group with the known values first..last; 0 for
// unknown.
func oneOf(v, first, last int) int {
	if v < first || v > last {
		return 0
	}
	return 1 + v - first
}

// fromSMILES makes the benchmark's graph of a molecule with RDKit, and its
// fingerprint if fingerprint is set.
func fromSMILES(ctx context.Context, smiles string, fingerprint bool) (Molecule, error) {
	k, err := rdkit.ParseKekule(ctx, smiles, fingerprint)
	if err != nil {
		return Molecule{}, err
	}
	m := Molecule{SMILES: smiles}
	if fingerprint {
		m.Fingerprint = make([]uint16, Counts)
		for i, bit := range k.Counts.Bit {
			m.Fingerprint[bit] = k.Counts.Count[i]
		}
	}
	for _, a := range k.Atoms {
		m.Graph.Atoms = append(m.Graph.Atoms, atomFeatures(a))
		m.Graph.Types = append(m.Graph.Types, a.Symbol+signs(a.Charge))
	}
	for i, t := range k.Types {
		m.Graph.Bonds[t] = append(m.Graph.Bonds[t], uint16(k.Ends[2*i]), uint16(k.Ends[2*i+1]))
	}
	return m, nil
}

func checkAtoms(n int) error {
	if n > MaxAtoms {
		return fmt.Errorf("%d atoms, more than %d", n, MaxAtoms)
	}
	return nil
}

// signs returns a charge in the benchmark's notation: "+", "--".
func signs(charge int) string {
	return strings.Repeat("+", max(charge, 0)) + strings.Repeat("-", max(-charge, 0))
}

// appendFeatures appends the features of an atom as 32 numbers.
func appendFeatures(to []float32, bits uint32) []float32 {
	for i := range Features {
		to = append(to, float32(bits>>i&1))
	}
	return to
}

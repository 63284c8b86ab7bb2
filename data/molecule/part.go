package molecule

import (
	"encoding/binary"
	"slices"

	"pacia/data/rdkit"
)

// The methods of this file are for one goroutine, before the store is used.

func (s *Store) addGraph(g Graph) {
	s.arrays.RowPtr = append(s.arrays.RowPtr, g.RowPtr...)
	s.arrays.Col = append(s.arrays.Col, g.Col...)
	s.arrays.Atoms = append(s.arrays.Atoms, g.Atoms...)
	s.arrays.Bonds = append(s.arrays.Bonds, g.Bond...)
	s.end(g.Len())
}

// addMol appends a molecule, with the coordinates and features of a conformer if in is not nil.
func (s *Store) addMol(m rdkit.Mol, in *rdkit.Conformer) {
	if in == nil {
		s.arrays.Atoms = append(s.arrays.Atoms, m.Atoms...)
	} else {
		s.addBits(in.Atoms, rdkit.ConformerFeatures)
		places := s.arrays.Named.numbers(Places)
		places.Floats = append(places.Floats, in.Places...)
	}
	s.connect(len(m.Atoms)/2, m.Ends, m.Bonds)
}

// AddFeatures appends a molecule whose atoms [A] have k features: bit i is feature i. ends [E, 2]
// are the atoms that its bonds join, and types [E] the types of the bonds. Either all molecules of a store
// have features, or none has.
func (s *Store) AddFeatures(atoms []uint32, k int, ends []int32, types []uint8) {
	s.addBits(atoms, k)
	bonds := make([]uint8, 2*len(types))
	for i, t := range types {
		bonds[2*i] = t
	}
	s.connect(len(atoms), ends, bonds)
}

// addBits appends the k features of atoms.
func (s *Store) addBits(atoms []uint32, k int) {
	a := s.arrays.Named.numbers(Features.Wide(k))
	for _, bits := range atoms {
		a.Bytes = binary.LittleEndian.AppendUint32(a.Bytes, bits)
	}
}

// connect appends the bonds of a molecule, each in both directions, and ends the molecule. The edges into
// an atom keep the order of the bonds.
func (s *Store) connect(atoms int, ends []int32, bond []uint8) {
	edges := len(ends)
	s.arrays.RowPtr = zeros(s.arrays.RowPtr, atoms+1)
	row := s.arrays.RowPtr[len(s.arrays.RowPtr)-atoms-1:]
	for _, v := range ends {
		row[v+1]++
	}
	for v := range atoms {
		row[v+1] += row[v]
	}
	s.arrays.Col = zeros(s.arrays.Col, edges)
	s.arrays.Bonds = zeros(s.arrays.Bonds, 2*edges)
	col, bonds := s.arrays.Col[len(s.arrays.Col)-edges:], s.arrays.Bonds[len(s.arrays.Bonds)-2*edges:]
	next := slices.Clone(row[:atoms])
	put := func(from, to int32, bond []uint8) {
		e := next[to]
		next[to]++
		col[e] = uint16(from)
		copy(bonds[2*e:], bond)
	}
	for i := 0; i < edges; i += 2 {
		put(ends[i], ends[i+1], bond[i:i+2])
		put(ends[i+1], ends[i], bond[i:i+2])
	}
	s.end(atoms)
}

// end appends the offsets after the last molecule.
func (s *Store) end(atoms int) {
	if len(s.arrays.MolPtr) == 0 {
		s.arrays.MolPtr, s.arrays.EdgePtr = []int32{0}, []int32{0}
	}
	s.arrays.MolPtr = append(s.arrays.MolPtr, s.arrays.MolPtr[len(s.arrays.MolPtr)-1]+int32(atoms))
	s.arrays.EdgePtr = append(s.arrays.EdgePtr, int32(len(s.arrays.Col)))
}

func zeros[T any](s []T, n int) []T {
	s = slices.Grow(s, n)[:len(s)+n]
	clear(s[len(s)-n:])
	return s
}

func join(parts []Store) *Store {
	var n, rows, edges, counts int
	for i := range parts {
		p := &parts[i].arrays
		n, rows, edges, counts = n+parts[i].Len(), rows+len(p.RowPtr), edges+len(p.Col), counts+len(p.Fingerprints.Bit)
	}
	all := Arrays{
		MolPtr: make([]int32, 1, n+1), EdgePtr: make([]int32, 1, n+1), RowPtr: make([]int32, 0, rows),
		Col: make([]uint16, 0, edges), Atoms: make([]uint8, 0, 2*(rows-n)), Bonds: make([]uint8, 0, 2*edges),
	}
	if counts > 0 {
		all.Fingerprints.grow(n, counts)
	}
	for k := range parts {
		p := &parts[k].arrays
		for i := range p.Fingerprints.Len() {
			all.Fingerprints.AddFrom(&p.Fingerprints, i)
		}
		atoms, edges := all.MolPtr[len(all.MolPtr)-1], all.EdgePtr[len(all.EdgePtr)-1]
		for i := range parts[k].Len() {
			all.MolPtr, all.EdgePtr = append(all.MolPtr, atoms+p.MolPtr[i+1]), append(all.EdgePtr, edges+p.EdgePtr[i+1])
		}
		all.RowPtr = append(all.RowPtr, p.RowPtr...)
		all.Col = append(all.Col, p.Col...)
		all.Atoms = append(all.Atoms, p.Atoms...)
		all.Bonds = append(all.Bonds, p.Bonds...)
		all.Named.join(p.Named)
	}
	return StoreOf(all)
}

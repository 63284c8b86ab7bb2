package data

import (
	"encoding/binary"
	"slices"

	"pacia/data/rdkit"
)

// The methods of this file are for one goroutine, before the store is used.

func (s *Store) addGraph(g Graph) {
	s.rowPtr = append(s.rowPtr, g.RowPtr...)
	s.col = append(s.col, g.Col...)
	s.atoms = append(s.atoms, g.Atoms...)
	s.bonds = append(s.bonds, g.Bond...)
	s.end(g.Len())
}

// addMol appends a molecule, with the coordinates and features of a conformer if in is not nil.
func (s *Store) addMol(m rdkit.Mol, in *rdkit.Conformer) {
	if in == nil {
		s.atoms = append(s.atoms, m.Atoms...)
	} else {
		s.features = rdkit.ConformerFeatures
		s.addBits(in.Atoms)
		s.places = append(s.places, in.Places...)
	}
	s.connect(len(m.Atoms)/2, m.Ends, m.Bonds)
}

// AddFeatures appends a molecule whose atoms [A] have k features: bit i is feature i. ends [E, 2]
// are the atoms that its bonds join, and types [E] the types of the bonds. Either all molecules of a store
// have features, or none has.
func (s *Store) AddFeatures(atoms []uint32, k int, ends []int32, types []uint8) {
	s.features = k
	s.addBits(atoms)
	bonds := make([]uint8, 2*len(types))
	for i, t := range types {
		bonds[2*i] = t
	}
	s.connect(len(atoms), ends, bonds)
}

func (s *Store) addBits(atoms []uint32) {
	for _, bits := range atoms {
		s.atoms = binary.LittleEndian.AppendUint32(s.atoms, bits)
	}
}

// connect appends the bonds of a molecule, each in both directions, and ends the molecule. The edges into
// an atom keep the order of the bonds.
func (s *Store) connect(atoms int, ends []int32, bond []uint8) {
	edges := len(ends)
	s.rowPtr = zeros(s.rowPtr, atoms+1)
	row := s.rowPtr[len(s.rowPtr)-atoms-1:]
	for _, v := range ends {
		row[v+1]++
	}
	for v := range atoms {
		row[v+1] += row[v]
	}
	s.col = zeros(s.col, edges)
	s.bonds = zeros(s.bonds, 2*edges)
	col, bonds := s.col[len(s.col)-edges:], s.bonds[len(s.bonds)-2*edges:]
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
	if len(s.molPtr) == 0 {
		s.molPtr, s.edgePtr = []int32{0}, []int32{0}
	}
	s.molPtr = append(s.molPtr, s.molPtr[len(s.molPtr)-1]+int32(atoms))
	s.edgePtr = append(s.edgePtr, int32(len(s.col)))
}

func zeros[T any](s []T, n int) []T {
	s = slices.Grow(s, n)[:len(s)+n]
	clear(s[len(s)-n:])
	return s
}

func join(parts []Store) *Store {
	var n, rows, edges, counts int
	for i := range parts {
		p := &parts[i]
		n, rows, edges, counts = n+p.Len(), rows+len(p.rowPtr), edges+len(p.col), counts+len(p.fingerprints.Bit)
	}
	s := &Store{
		molPtr: make([]int32, 1, n+1), edgePtr: make([]int32, 1, n+1), rowPtr: make([]int32, 0, rows),
		col: make([]uint16, 0, edges), atoms: make([]uint8, 0, 2*(rows-n)), bonds: make([]uint8, 0, 2*edges),
	}
	if counts > 0 {
		s.fingerprints.grow(n, counts)
	}
	for k := range parts {
		p := &parts[k]
		for i := range p.fingerprints.Len() {
			s.fingerprints.AddFrom(&p.fingerprints, i)
		}
		atoms, edges := s.molPtr[len(s.molPtr)-1], s.edgePtr[len(s.edgePtr)-1]
		for i := range p.Len() {
			s.molPtr, s.edgePtr = append(s.molPtr, atoms+p.molPtr[i+1]), append(s.edgePtr, edges+p.edgePtr[i+1])
		}
		s.rowPtr = append(s.rowPtr, p.rowPtr...)
		s.col = append(s.col, p.col...)
		s.atoms = append(s.atoms, p.atoms...)
		s.bonds = append(s.bonds, p.bonds...)
		s.places = append(s.places, p.places...)
		s.features = max(s.features, p.features)
	}
	return s
}

package data

import (
	"encoding/binary"
	"slices"

	"pacia/data/rdkit"
)

// part is a run of molecules on its way into a store: what one goroutine has
// parsed. Sizes are kept per molecule, so that parts can be joined in any number.
type part struct {
	atomCount, edgeCount []int32 // [n]
	rowPtr               []int32
	col                  []uint16
	atoms, bonds         []uint8
	fingerprints         Fingerprints
	places               []float32 // of atoms in space, whose features are in atoms; see Store
}

// add appends a graph.
func (p *part) add(g Graph) {
	p.atomCount = append(p.atomCount, int32(g.Len()))
	p.edgeCount = append(p.edgeCount, int32(g.Edges()))
	p.rowPtr = append(p.rowPtr, g.RowPtr...)
	p.col = append(p.col, g.Col...)
	p.atoms = append(p.atoms, g.Atoms...)
	p.bonds = append(p.bonds, g.Bond...)
}

// addMol appends a molecule, each bond in both directions, with its atoms in space where
// they are. The edges into an atom keep the order of the bonds.
func (p *part) addMol(m rdkit.Mol, in *rdkit.Conformer) {
	atoms, edges := len(m.Atoms)/2, len(m.Ends)
	p.atomCount = append(p.atomCount, int32(atoms))
	p.edgeCount = append(p.edgeCount, int32(edges))
	if in == nil {
		p.atoms = append(p.atoms, m.Atoms...)
	} else {
		for _, bits := range in.Atoms {
			p.atoms = binary.NativeEndian.AppendUint32(p.atoms, bits)
		}
		p.places = append(p.places, in.Places...)
	}

	p.rowPtr = zeros(p.rowPtr, atoms+1)
	row := p.rowPtr[len(p.rowPtr)-atoms-1:]
	for _, v := range m.Ends {
		row[v+1]++
	}
	for v := range atoms {
		row[v+1] += row[v]
	}
	p.col = zeros(p.col, edges)
	p.bonds = zeros(p.bonds, 2*edges)
	col, bonds := p.col[len(p.col)-edges:], p.bonds[len(p.bonds)-2*edges:]
	next := slices.Clone(row[:atoms])
	put := func(from, to int32, bond []uint8) {
		e := next[to]
		next[to]++
		col[e] = uint16(from)
		copy(bonds[2*e:], bond)
	}
	for i := 0; i < edges; i += 2 {
		begin, end, bond := m.Ends[i], m.Ends[i+1], m.Bonds[i:i+2]
		put(begin, end, bond)
		put(end, begin, bond)
	}
}

// zeros returns s with n zeros appended.
func zeros[T any](s []T, n int) []T {
	s = slices.Grow(s, n)[:len(s)+n]
	clear(s[len(s)-n:])
	return s
}

// join returns the store of all molecules of the parts, in order.
func join(parts []part) *Store {
	var n, rows, edges, counts int
	for _, p := range parts {
		n, rows, edges, counts = n+len(p.atomCount), rows+len(p.rowPtr), edges+len(p.col), counts+len(p.fingerprints.Bit)
	}
	s := &Store{
		molPtr: make([]int32, 1, n+1), edgePtr: make([]int32, 1, n+1), rowPtr: make([]int32, 0, rows),
		col: make([]uint16, 0, edges), atoms: make([]uint8, 0, 2*(rows-n)), bonds: make([]uint8, 0, 2*edges),
	}
	if counts > 0 {
		s.fingerprints.grow(n, counts)
	}
	for _, p := range parts {
		for i := range p.fingerprints.Len() {
			s.fingerprints.AddFrom(&p.fingerprints, i)
		}
		for i, atoms := range p.atomCount {
			s.molPtr = append(s.molPtr, s.molPtr[len(s.molPtr)-1]+atoms)
			s.edgePtr = append(s.edgePtr, s.edgePtr[len(s.edgePtr)-1]+p.edgeCount[i])
		}
		s.rowPtr = append(s.rowPtr, p.rowPtr...)
		s.col = append(s.col, p.col...)
		s.atoms = append(s.atoms, p.atoms...)
		s.bonds = append(s.bonds, p.bonds...)
		if s.places = append(s.places, p.places...); len(p.places) > 0 {
			s.features = rdkit.ConformerFeatures
		}
	}
	return s
}

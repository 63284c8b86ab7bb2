package fsmol

import (
	"slices"

	"pacia/data"
)

// Atoms returns the number of atoms of molecule i.
func (s *Store) Atoms(i int) int { return int(s.molPtr[i+1] - s.molPtr[i]) }

// Bonds returns the number of bonds of molecule i.
func (s *Store) Bonds(i int) int {
	n := int32(0)
	for t := range s.bondPtr {
		n += s.bondPtr[t][i+1] - s.bondPtr[t][i]
	}
	return int(n)
}

// AddTo appends molecule i to a batch: the features of its atoms, and its bonds
// in both directions. Those of one atom are single, double, triple in this order,
// and in the order of the file where they are of one type.
func (s *Store) AddTo(b *data.Batch, i int) {
	g, atoms := s.Graph(i), s.Atoms(i)
	atom, edge := b.MolPtr[len(b.MolPtr)-1], int32(len(b.Col))
	for _, bits := range g.Atoms {
		b.Features = AppendFeatures(b.Features, bits)
	}
	b.MolPtr = append(b.MolPtr, atom+int32(atoms))
	b.Fingerprints.AddFrom(&s.fingerprints, i)
	if len(s.computed) > 0 {
		b.Descriptors = append(b.Descriptors, s.computed[i*data.DescriptorCount:(i+1)*data.DescriptorCount]...)
	}

	if width := len(s.embeddings) / s.Len(); width > 0 {
		b.Embeddings = append(b.Embeddings, s.embeddings[i*width:(i+1)*width]...)
	}

	b.RowPtr = extended(b.RowPtr, atoms)
	ptr := b.RowPtr[len(b.RowPtr)-atoms-1:] // ptr[0] is where the molecule's bonds begin
	for _, ends := range g.Bonds {
		for _, v := range ends {
			ptr[v+1]++
		}
	}
	for v := range atoms {
		ptr[v+1] += ptr[v]
	}
	b.Col = extended(b.Col, int(ptr[atoms]-edge))
	b.Bond = extended(b.Bond, 2*int(ptr[atoms]-edge))
	// ptr[v] moves to the end of v's bonds, which is where v+1's begin.
	for t, ends := range g.Bonds {
		for k := 0; k < len(ends); k += 2 {
			for _, bond := range [2][2]uint16{{ends[k], ends[k+1]}, {ends[k+1], ends[k]}} {
				e := ptr[bond[0]]
				ptr[bond[0]]++
				b.Col[e], b.Bond[2*e] = atom+int32(bond[1]), uint8(t)
			}
		}
	}
	copy(ptr[1:], ptr[:atoms])
	ptr[0] = edge
}

// extended returns s with n zeros behind it.
func extended[T any](s []T, n int) []T {
	s = slices.Grow(s, n)[:len(s)+n]
	clear(s[len(s)-n:])
	return s
}

var _ data.Molecules = (*Store)(nil)

package data

import (
	"encoding/binary"
	"fmt"
)

// Pack returns a store of all molecules, such as a graph store file can hold.
// Features must be 0 or 1, and at most 32 an atom: they are kept as bits.
func Pack(m Molecules) (*Store, error) {
	if s, ok := m.(*Store); ok {
		return s, nil
	}
	s := &Store{molPtr: []int32{0}, edgePtr: []int32{0}}
	var b Batch
	for i := range m.Len() {
		b.reset()
		m.AddTo(&b, i)
		if err := s.add(&b); err != nil {
			return nil, fmt.Errorf("data.Pack: molecule %d: %w", i, err)
		}
	}
	return s, nil
}

// add appends the one molecule of a batch.
func (s *Store) add(b *Batch) error {
	atoms := len(b.RowPtr) - 1
	if len(b.Features) > 0 && atoms > 0 {
		k := len(b.Features) / atoms
		if k > 32 || s.features > 0 && k != s.features {
			return fmt.Errorf("%d features an atom, at most 32, the same for all, can be packed", k)
		}
		s.features = k
	}
	for from := 0; from < len(b.Features); from += s.features {
		bits, err := bitsOf(b.Features[from : from+s.features])
		if err != nil {
			return err
		}
		s.atoms = binary.NativeEndian.AppendUint32(s.atoms, bits)
	}
	s.atoms, s.bonds = append(s.atoms, b.Atoms...), append(s.bonds, b.Bond...)
	s.rowPtr = append(s.rowPtr, b.RowPtr...)
	for _, c := range b.Col {
		s.col = append(s.col, uint16(c))
	}
	s.molPtr = append(s.molPtr, s.molPtr[len(s.molPtr)-1]+int32(atoms))
	s.edgePtr = append(s.edgePtr, int32(len(s.col)))
	s.fingerprints.AddFrom(&b.Fingerprints, 0)
	s.descriptors, s.embeddings = append(s.descriptors, b.Descriptors...), append(s.embeddings, b.Embeddings...)
	s.places = append(s.places, b.Places...)
	return nil
}

// bitsOf packs features: number i is bit i.
func bitsOf(features []float32) (bits uint32, err error) {
	for i, v := range features {
		if v != 0 && v != 1 {
			return 0, fmt.Errorf("feature %d is %v, not 0 or 1", i, v)
		}
		bits |= uint32(v) << i
	}
	return bits, nil
}

// appendBits is the inverse, for atoms of k features each.
func appendBits(to []float32, atoms []uint8, k int) []float32 {
	for ; len(atoms) > 0; atoms = atoms[4:] {
		bits := binary.NativeEndian.Uint32(atoms)
		for i := range k {
			to = append(to, float32(bits>>i&1))
		}
	}
	return to
}

package data

import (
	"slices"

	"pacia/data/rdkit"
)

// FingerprintLength is the number of counts of a fingerprint.
const FingerprintLength = rdkit.CountsLength

// Fingerprints are those of molecules, one after the other: Morgan counts of
// radius 2, without those that are 0. The zero value is of
// molecules without.
type Fingerprints struct {
	Ptr   []int32  // [n+1] counts of molecule i: Ptr[i]..Ptr[i+1]; empty without fingerprints
	Bit   []uint16 // [C] 0..FingerprintLength-1, ascending in a molecule
	Count []uint16 // [C]
}

// Len returns the number of molecules n.
func (f *Fingerprints) Len() int { return max(len(f.Ptr)-1, 0) }

// Of returns the fingerprint of molecule i without copying it.
func (f *Fingerprints) Of(i int) (bit, count []uint16) {
	from, to := f.Ptr[i], f.Ptr[i+1]
	return f.Bit[from:to:to], f.Count[from:to:to]
}

// Add appends a molecule.
func (f *Fingerprints) Add(bit, count []uint16) {
	if len(f.Ptr) == 0 {
		f.Ptr = append(f.Ptr, 0)
	}
	f.Bit, f.Count = append(f.Bit, bit...), append(f.Count, count...)
	f.Ptr = append(f.Ptr, int32(len(f.Bit)))
}

// AddCounts appends a molecule by all of its counts [FingerprintLength].
func (f *Fingerprints) AddCounts(counts []uint16) {
	if len(f.Ptr) == 0 {
		f.Ptr = append(f.Ptr, 0)
	}
	for bit, n := range counts {
		if n != 0 {
			f.Bit, f.Count = append(f.Bit, uint16(bit)), append(f.Count, n)
		}
	}
	f.Ptr = append(f.Ptr, int32(len(f.Bit)))
}

// AddFrom appends molecule i of others, where they have fingerprints.
func (f *Fingerprints) AddFrom(of *Fingerprints, i int) {
	if len(of.Ptr) > 0 {
		f.Add(of.Of(i))
	}
}

// FingerprintsOf returns those of a store; ok is false where its molecules come without.
func FingerprintsOf(m Molecules) (f *Fingerprints, ok bool) {
	store, ok := m.(interface{ Fingerprints() *Fingerprints })
	if !ok || store.Fingerprints().Len() != m.Len() {
		return nil, false
	}
	return store.Fingerprints(), true
}

func (f *Fingerprints) reset() { f.Ptr, f.Bit, f.Count = f.Ptr[:0], f.Bit[:0], f.Count[:0] }

// grow makes room for n molecules with c counts.
func (f *Fingerprints) grow(n, c int) {
	f.Ptr, f.Bit, f.Count = slices.Grow(f.Ptr, n+1), slices.Grow(f.Bit, c), slices.Grow(f.Count, c)
}

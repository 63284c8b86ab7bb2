package molecule

import (
	"slices"

	"pacia/data/rdkit"
)

// FingerprintLength is the number of counts of a fingerprint.
const FingerprintLength = rdkit.CountsLength

// Fingerprints are the non-zero Morgan counts of radius 2 of n molecules, one molecule after
// the other. The zero value means that molecules have no fingerprints.
type Fingerprints struct {
	Ptr   []int32  // [n+1] counts of molecule i: Ptr[i]..Ptr[i+1]; empty without fingerprints
	Bit   []uint16 // [C] 0..FingerprintLength-1, ascending in a molecule
	Count []uint16 // [C]
}

// Len returns the number of molecules n.
func (f *Fingerprints) Len() int { return max(len(f.Ptr)-1, 0) }

// At returns the fingerprint of molecule i without copying it.
func (f *Fingerprints) At(i int) (bit, count []uint16) {
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

// AddCounts appends a molecule, given its counts [FingerprintLength].
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

// AddFrom appends molecule i of another list, unless that list is the zero value.
func (f *Fingerprints) AddFrom(of *Fingerprints, i int) {
	if len(of.Ptr) > 0 {
		f.Add(of.At(i))
	}
}

// FingerprintsOf returns the fingerprints of a store; ok is false if its molecules have none.
func FingerprintsOf(m List) (f *Fingerprints, ok bool) {
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

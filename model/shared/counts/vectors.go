package counts

import (
	"cmp"
	"errors"
	"slices"

	"pacia/data"
)

// Vector has the counts of a molecule's fingerprint that are not 0, by ascending
// bits: Count[k] of bit Bit[k].
type Vector struct{ Bit, Count []uint16 }

// Total returns the sum of all counts.
func (v Vector) Total() (sum int) {
	for _, c := range v.Count {
		sum += int(c)
	}
	return sum
}

// Compare is a total order of vectors.
func (v Vector) Compare(w Vector) int {
	return cmp.Or(slices.Compare(v.Bit, w.Bit), slices.Compare(v.Count, w.Count))
}

var errNone = errors.New("the molecules come without fingerprints, which this model.method compares; open them in the form molecule.FingerprintsOnly")

// Vectors returns the vectors of molecules of a batch, with which they share memory.
func Vectors(b *data.Batch, molecules []int32) ([]Vector, error) {
	if b.Fingerprints.Len() == 0 {
		return nil, errNone
	}
	vectors := make([]Vector, len(molecules))
	for i, m := range molecules {
		vectors[i].Bit, vectors[i].Count = b.Fingerprints.At(int(m))
	}
	return vectors, nil
}

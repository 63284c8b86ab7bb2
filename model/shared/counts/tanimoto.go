package counts

// Legend: N molecules of an index, bits of a fingerprint, c bits of one molecule that are
// not 0.

// Index finds the common bits of a molecule and all molecules of a support set in one
// pass over the molecule's bits, in place of N merges of two sorted lists.
type Index struct {
	ptr      []int32  // [bits+1] entries of bit b: ptr[b]..ptr[b+1]
	molecule []int32  // of each entry, 0 to N-1
	count    []uint16 // of each entry
	total    []int    // [N] sums of all counts
}

// NewIndex returns the index of molecules.
func NewIndex(molecules []Vector) *Index {
	x := &Index{total: make([]int, len(molecules))}
	bits, entries := 0, 0
	for i, v := range molecules {
		x.total[i] = v.Total()
		if n := len(v.Bit); n > 0 {
			bits, entries = max(bits, int(v.Bit[n-1])+1), entries+n
		}
	}
	x.ptr, x.molecule, x.count = make([]int32, bits+1), make([]int32, entries), make([]uint16, entries)
	for _, v := range molecules {
		for _, b := range v.Bit {
			x.ptr[b+1]++
		}
	}
	for b := range bits {
		x.ptr[b+1] += x.ptr[b]
	}
	next := append([]int32(nil), x.ptr...)
	for i, v := range molecules {
		for k, b := range v.Bit {
			x.molecule[next[b]], x.count[next[b]] = int32(i), v.Count[k]
			next[b]++
		}
	}
	return x
}

// Spread adds to into [c] the part of each bit of v in the weighted sum of Tanimoto coefficients: its
// common count divided by Σ max. weight [N] are the weights of the coefficients, and near [N] are the
// coefficients as set by Tanimoto.
func (x *Index) Spread(v Vector, near, weight, into []float64) {
	total := v.Total()
	for k, b := range v.Bit {
		if int(b)+1 >= len(x.ptr) {
			break
		}
		for e := x.ptr[b]; e < x.ptr[b+1]; e++ {
			i := x.molecule[e]
			all := float64(total+x.total[i]) / (1 + near[i]) // Σ max
			into[k] += weight[i] * float64(min(v.Count[k], x.count[e])) / all
		}
	}
}

// Len returns N.
func (x *Index) Len() int { return len(x.total) }

// Tanimoto sets into [N] to the Tanimoto coefficient of v and each molecule of the
// index, Σ min / Σ max over the bits' counts. It is 1 for equal molecules, including
// two without any count, and 0 without common bits. It is a positive semidefinite
// kernel (Ralaivola et al.: Graph kernels for chemical informatics, Neural Networks
// 18, 2005: MinMax). Equal fractions give equal floating-point numbers, because
// numerator and denominator are exact.
func (x *Index) Tanimoto(v Vector, into []float64) {
	clear(into)
	for k, b := range v.Bit {
		if int(b)+1 >= len(x.ptr) {
			break
		}
		for e := x.ptr[b]; e < x.ptr[b+1]; e++ {
			into[x.molecule[e]] += float64(min(v.Count[k], x.count[e]))
		}
	}
	total := v.Total()
	for i, common := range into {
		if all := float64(total+x.total[i]) - common; all > 0 {
			into[i] = common / all
		} else {
			into[i] = 1
		}
	}
}

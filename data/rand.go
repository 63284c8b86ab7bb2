package data

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Rand returns the generator of draw n of a stream. Equal arguments give equal
// numbers on every machine, and different arguments give independent numbers. To
// resume a run, only the number of the next draw is needed.
func Rand(seed uint64, stream string, n uint64) *rand.Rand {
	b := binary.LittleEndian.AppendUint64(nil, seed)
	b = binary.LittleEndian.AppendUint64(b, n)
	h := sha256.Sum256(append(b, stream...))
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])))
}

// without draws k of the numbers 0..n-1 without replacement, in random order. All
// selections and orders are equally likely (Floyd's method, then a shuffle). The cost
// is O(k), independent of n.
func without(r *rand.Rand, n, k int) []int32 {
	chosen := make(map[int32]bool, k)
	out := make([]int32, 0, k)
	for j := n - k; j < n; j++ {
		v := int32(r.IntN(j + 1))
		if chosen[v] {
			v = int32(j)
		}
		chosen[v] = true
		out = append(out, v)
	}
	r.Shuffle(k, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

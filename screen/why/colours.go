package why

import "math"

// Colours behind atoms, as [pacia/data/rdkit.DrawColoured] takes them. Orange and blue are told apart by
// people who do not see red or green, on a light ground and on a dark one.
const (
	Raises = 0xe07b1a00 // the score
	Lowers = 0x2f7fd000
	Common = 0x8a63c8a0 // to two molecules
)

// strongest is the opacity of the atom with the largest share.
const strongest = 0xe0

// Colours are those of atoms by their shares: the larger the share beside the largest of all, the less
// light comes through.
func Colours(shares []float64) []uint32 {
	most := 0.0
	for _, s := range shares {
		most = max(most, math.Abs(s))
	}
	all := make([]uint32, len(shares))
	for i, s := range shares {
		switch strength := uint32(math.Round(strongest * math.Abs(s) / max(most, 1e-12))); {
		case s > 0:
			all[i] = Raises | strength
		case s < 0:
			all[i] = Lowers | strength
		}
	}
	return all
}

// Marked are the colours of n atoms, those that are common to two molecules marked.
func Marked(n int, common []int32) []uint32 {
	all := make([]uint32, n)
	for _, a := range common {
		if int(a) < n {
			all[a] = Common
		}
	}
	return all
}

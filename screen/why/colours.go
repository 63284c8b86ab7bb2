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
func (r *Reasons) Colours() []uint32 {
	most := r.Largest()
	all := make([]uint32, len(r.Atoms))
	for i, s := range r.Atoms {
		switch strength := uint32(math.Round(strongest * math.Abs(s) / max(most, 1e-12))); {
		case s > 0:
			all[i] = Raises | strength
		case s < 0:
			all[i] = Lowers | strength
		}
	}
	return all
}

// Largest is the share of the atom with the largest one, either way.
func (r *Reasons) Largest() (most float64) {
	for _, s := range r.Atoms {
		most = max(most, math.Abs(s))
	}
	return most
}

// shown is of how many neighbors the common part is drawn.
const shown = 3

// Shown are the neighbors that are drawn.
func (r *Reasons) Shown() []Neighbor { return r.Neighbors[:min(len(r.Neighbors), shown)] }

// Here and There are the colours of the common part in the molecule and in its neighbor.
func (n *Neighbor) Here(r *Reasons) []uint32 { return marked(len(r.Atoms), n.Common) }

// There is described at Here.
func (n *Neighbor) There() []uint32 { return marked(n.Atoms, n.CommonThere) }

// marked are the colours of n atoms, some of them common.
func marked(n int, common []int32) []uint32 {
	all := make([]uint32, n)
	for _, a := range common {
		if int(a) < n {
			all[a] = Common
		}
	}
	return all
}

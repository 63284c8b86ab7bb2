package why

import "math"

// Colours behind atoms (RGBA), for [pacia/data/rdkit.DrawColoured]. People with red-green colour blindness can
// distinguish orange and blue, on light and on dark backgrounds.
const (
	Raises = 0xe07b1a00 // of an atom that raises the score
	Lowers = 0x2f7fd000 // of an atom that lowers the score
	Common = 0x8a63c8a0 // of an atom that two molecules have in common
)

// strongest is the opacity of the atom with the largest share.
const strongest = 0xe0

// Colours returns the colours of atoms by the signs of their shares. Opacity is proportional to the share,
// relative to the largest one.
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

// Largest returns the largest absolute share of an atom.
func (r *Reasons) Largest() (most float64) {
	for _, s := range r.Atoms {
		most = max(most, math.Abs(s))
	}
	return most
}

// shown is the maximum number of neighbors that are drawn.
const shown = 3

// Shown returns the neighbors that are drawn.
func (r *Reasons) Shown() []Neighbor { return r.Neighbors[:min(len(r.Neighbors), shown)] }

// Here returns the colours of the molecule's atoms with the common part marked.
func (n *Neighbor) Here(r *Reasons) []uint32 { return marked(len(r.Atoms), n.Common) }

// There returns the colours of the neighbor's atoms with the common part marked.
func (n *Neighbor) There() []uint32 { return marked(n.Atoms, n.CommonThere) }

// marked returns the colours of n atoms; those in common are marked.
func marked(n int, common []int32) []uint32 {
	all := make([]uint32, n)
	for _, a := range common {
		if int(a) < n {
			all[a] = Common
		}
	}
	return all
}

package why

import (
	"math"

	"pacia/data/rdkit"
)

// Colours behind atoms (RGBA), for [pacia/data/rdkit.DrawLook]. People with red-green colour blindness can
// distinguish orange and blue, on light and on dark backgrounds.
const (
	Raises = 0xe07b1a00 // of an atom that raises the score
	Lowers = 0x2f7fd000 // of an atom that lowers the score
	Common = 0x8a63c8a0 // of an atom that two molecules have in common
	Core   = 0x80808038 // of an atom of the core that a molecule and a measured one have in common
)

// strongest is the opacity of the atom with the largest share.
const strongest = 0xe0

// Colours returns the colours of atoms by the signs of their shares. Opacity is proportional to the share,
// relative to the largest one. An atom without a share (nil) is one of the core.
func Colours(shares []*float64) []uint32 {
	most := 1e-12
	for _, s := range shares {
		if s != nil {
			most = max(most, math.Abs(*s))
		}
	}
	all := make([]uint32, len(shares))
	for i, s := range shares {
		if s == nil {
			all[i] = Core
			continue
		}
		switch strength := uint32(math.Round(strongest * math.Abs(*s) / most)); {
		case *s > 0:
			all[i] = Raises | strength
		case *s < 0:
			all[i] = Lowers | strength
		}
	}
	return all
}

// Look returns how the molecule is drawn: beside the first measured molecule with the same core, or else with the
// shares of its atoms.
func (r *Reasons) Look() rdkit.Look {
	if len(r.Contrasts) > 0 {
		return r.Contrasts[0].Here.Look()
	}
	shares := make([]*float64, len(r.Atoms))
	for i := range shares {
		shares[i] = &r.Atoms[i]
	}
	return rdkit.Look{Colours: Colours(shares)}
}

// Look returns how the molecule is drawn.
func (p *Picture) Look() rdkit.Look {
	return rdkit.Look{Colours: Colours(p.Shares), Like: p.Like, Onto: p.Onto, Notes: p.Notes}
}

// shown is the maximum number of neighbors that are drawn.
const shown = 3

// Shown returns the neighbors that are drawn.
func (r *Reasons) Shown() []Neighbor { return r.Neighbors[:min(len(r.Neighbors), shown)] }

// Here returns how the molecule is drawn with the common part marked.
func (n *Neighbor) Here(r *Reasons) rdkit.Look { return marked(len(r.Atoms), n.Common) }

// There returns how the neighbor is drawn with the common part marked.
func (n *Neighbor) There() rdkit.Look { return marked(n.Atoms, n.CommonThere) }

// marked returns the look of n atoms; those in common are marked.
func marked(n int, common []int32) rdkit.Look {
	all := make([]uint32, n)
	for _, a := range common {
		if int(a) < n {
			all[a] = Common
		}
	}
	return rdkit.Look{Colours: all}
}

package why

import (
	"context"
	"errors"
	"math"
	"slices"

	"pacia/data/rdkit"
	"pacia/model"
)

// ErrImpossible is the error of a Checker for reasons that no Builder makes.
var ErrImpossible = errors.New("impossible reasons")

// Bounds of what a file may hold. They are far above what a Builder makes.
const (
	largestShare  = 1e9
	largestNumber = 9999 // beside an atom of a drawing
	mostParts     = 100
	mostContrasts = 2
)

// A Checker checks Reasons that were read from a file. Their numbers become sizes and indices when molecules are
// drawn: each list has the length of its molecule, and no index is outside it.
type Checker struct {
	ctx   context.Context
	atoms map[string]int // of molecules read before; −1: it cannot be read
}

// NewChecker returns a Checker. All reasons are impossible once the context has ended.
func NewChecker(ctx context.Context) *Checker { return &Checker{ctx, map[string]int{}} }

// Check returns an error if the reasons are impossible.
func (c *Checker) Check(r *Reasons) error {
	if r == nil || !c.possible(r) {
		return ErrImpossible
	}
	return nil
}

func (c *Checker) possible(r *Reasons) bool {
	n := c.size(r.SMILES)
	own := func(v Neighbor) bool {
		there := c.size(v.SMILES)
		return v.Atoms == there && finite(v.Share) && inside(v.Common, n) && inside(v.CommonThere, there)
	}
	return n > 0 && (len(r.Atoms) == 0 || len(r.Atoms) == n) && finite(r.Atoms...) &&
		finite(r.LogOdds, r.Others, r.AnyAssay, r.Prior, r.Fingerprints) && parts(r.Parts) && known(r.Known) && r.Past.possible() &&
		len(r.Neighbors) <= nearest && every(r.Neighbors, own) &&
		len(r.Contrasts) <= mostContrasts && every(r.Contrasts, func(v Contrast) bool { return c.contrast(v, n) })
}

func (c *Checker) contrast(v Contrast, n int) bool {
	there := c.size(v.SMILES)
	change := func(one Change) bool {
		return finite(one.Share, one.Fingerprints) && inside(one.Atoms, n) && inside(one.AtomsThere, there)
	}
	atoms := 0
	for _, one := range v.Changes {
		atoms += len(one.Atoms) + len(one.AtomsThere)
		if len(one.Atoms)+len(one.AtomsThere) == 0 {
			return false
		}
	}
	return there > 0 && n <= mostAligned && there <= mostAligned && atoms <= n+there && finite(v.LogOdds, v.Difference) && parts(v.Parts) &&
		every(v.Changes, change) && c.picture(v.Here, n) && c.picture(v.There, there)
}

// picture checks the picture of a molecule of n atoms.
func (c *Checker) picture(p Picture, n int) bool {
	like := 0
	if p.Like != "" {
		if like = c.size(p.Like); like <= 0 {
			return false
		}
	}
	return lengthOf(len(p.Shares), n) && lengthOf(len(p.Onto), n) && lengthOf(len(p.Notes), n) &&
		every(p.Shares, func(s *float64) bool { return s == nil || finite(*s) }) &&
		every(p.Onto, func(a int32) bool { return a >= -1 && int(a) < like }) &&
		every(p.Notes, func(k int32) bool { return k >= 0 && k <= largestNumber })
}

// size returns the number of atoms of a molecule, or −1 if it cannot be read.
func (c *Checker) size(smiles string) int {
	n, known := c.atoms[smiles]
	if c.ctx.Err() != nil {
		return -1
	}
	if !known {
		n = -1
		if m, err := rdkit.Parse(smiles); err == nil {
			n = len(m.Atoms) / 2
		}
		c.atoms[smiles] = n
	}
	return n
}

// lengthOf reports whether a list has an element for each of n atoms, or none.
func lengthOf(length, n int) bool { return length == 0 || length == n }

func every[T any](all []T, is func(T) bool) bool {
	return !slices.ContainsFunc(all, func(v T) bool { return !is(v) })
}

func inside(atoms []int32, n int) bool {
	return len(atoms) <= n && every(atoms, func(a int32) bool { return a >= 0 && int(a) < n })
}

func finite(all ...float64) bool {
	return every(all, func(x float64) bool { return math.Abs(x) <= largestShare })
}

func parts(all []model.Part) bool {
	return len(all) <= mostParts && every(all, func(p model.Part) bool { return finite(p.Share) })
}

func known(k *Known) bool {
	if k == nil {
		return true
	}
	active, assays := 0, 0
	for _, t := range k.Targets {
		if t.Active < 0 || t.Assays < 1 || t.Active > t.Assays || t.Assays > largestShare {
			return false
		}
		active, assays = active+t.Active, assays+t.Assays
	}
	return active == k.Active && assays == k.Active+k.Inactive
}

package ops

import (
	"cmp"
	"fmt"

	"github.com/sugarme/gotch/ts"
)

// Representatives holds the representatives of a graph's atoms after a number of layers: atoms with
// the same representative have equal states.
//
// Legend: A atoms, R representatives.
type Representatives struct {
	self *ts.Tensor // [R] the representatives, ascending
	row  *ts.Tensor // [A] index of each atom's representative
}

// NewRepresentatives returns Representatives of tensors that still belong to the caller: self [R], row [A].
func NewRepresentatives(self, row *ts.Tensor) *Representatives { return &Representatives{self, row} }

// Representatives returns the representatives after l layers, or nil if every atom represents
// itself.
func (g *Graph) Representatives(l int) *Representatives {
	if l >= len(g.representatives) {
		return nil
	}
	return &g.representatives[l]
}

// FinalRepresentatives returns Representatives after the last layer.
func (g *Graph) FinalRepresentatives() *Representatives {
	return g.Representatives(max(0, len(g.representatives)-1))
}

// Tensors returns self and row, or nil for both.
func (a *Representatives) Tensors() (self, row *ts.Tensor) {
	if a == nil {
		return nil, nil
	}
	return a.self, a.row
}

func (h *HostGraph) checkRepresentatives(atoms int) error {
	for i := range h.Levels {
		l := &h.Levels[i]
		if len(l.Row) != atoms {
			return fmt.Errorf("level %d: %d rows of atoms for %d atoms", i, len(l.Row), atoms)
		}
		err := cmp.Or(checkBelow("row", "stands for atom", l.Self, atoms), checkBelow("atom", "has row", l.Row, len(l.Self)))
		if err != nil {
			return fmt.Errorf("level %d: %w", i, err)
		}
		for r, v := range l.Self {
			if int(l.Row[v]) != r {
				return fmt.Errorf("level %d: row %d stands for atom %d, which has row %d", i, r, v, l.Row[v])
			}
		}
	}
	return nil
}

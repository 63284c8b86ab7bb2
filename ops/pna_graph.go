package ops

import (
	"cmp"
	"errors"
	"fmt"
)

// FeatureGraph is a batch of molecules in Go's memory, as one graph with offsets. Its
// atoms have features, not categories, as in FS-Mol.
//
// Legend: A atoms, E bonds counted in both directions, n molecules, B tasks, k
// features.
type FeatureGraph struct {
	Features []float32 // [A, k]
	RowPtr   []int32   // [A+1] bonds into atom v are RowPtr[v]..RowPtr[v+1]
	Col      []int32   // [E] their other ends, atoms of the same molecule
	Type     []uint8   // [E] single, double, triple: 0 to 2
	MolPtr   []int32   // [n+1] atoms of each molecule, which has at least one
	Group    []int32   // [2B+1] atoms of each task's support and queries; nil for one task without support

	// Levels 0 to L, where Self and Row count: the atoms that stand for all others
	// after so many layers. An encoder of L layers that tells no two atoms of a row
	// apart calculates the others once; none: every atom.
	Levels []HostLevel
}

// Join makes the bonds of a graph of MolPtr's atoms from lists of them, one of
// each type, in which every bond stands once.
func (h *FeatureGraph) Join(bonds ...[][2]int32) error {
	atoms := 0
	if n := len(h.MolPtr); n > 0 {
		atoms = int(h.MolPtr[n-1])
	}
	h.RowPtr = make([]int32, atoms+1)
	for kind, list := range bonds {
		for i, b := range list {
			for _, atom := range b {
				if atom < 0 || int(atom) >= atoms {
					return fmt.Errorf("bond %d of type %d has atom %d, out of range of 0 to %d", i, kind, atom, atoms-1)
				}
				h.RowPtr[atom+1]++
			}
		}
	}
	for v := range atoms {
		h.RowPtr[v+1] += h.RowPtr[v]
	}
	next := make([]int32, atoms)
	copy(next, h.RowPtr)
	h.Col, h.Type = make([]int32, h.RowPtr[atoms]), make([]uint8, h.RowPtr[atoms])
	for kind, list := range bonds {
		for _, b := range list {
			for end := range b {
				k := next[b[end]]
				next[b[end]]++
				h.Col[k], h.Type[k] = b[1-end], uint8(kind)
			}
		}
	}
	return nil
}

// NewFeatureGraph copies h to a device. Every bond must be there in both
// directions with the same type.
func NewFeatureGraph(h FeatureGraph, d Device) (*Graph, error) {
	if h.Group == nil {
		atoms := int32(len(h.RowPtr) - 1)
		h.Group = []int32{0, 0, atoms}
	}
	if err := h.Check(); err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	bond := h.bonds()
	g := new(Graph)
	u := upload{to: g, device: d}
	u.topology(&HostGraph{RowPtr: h.RowPtr, Col: h.Col, Bond: bond, MolPtr: h.MolPtr, Group: h.Group})
	atoms := int64(len(h.RowPtr) - 1)
	g.features = u.keep(New(h.Features, []int64{atoms, int64(len(h.Features)) / atoms}, d))
	for _, l := range h.Levels {
		g.alike = append(g.alike, Alike{u.ints(l.Self), u.ints(l.Row)})
	}
	if u.err != nil {
		g.Drop()
		return nil, fmt.Errorf("graph: %w", u.err)
	}
	return g, nil
}

// bonds [E, 2] are the types, each without a direction.
func (h *FeatureGraph) bonds() []uint8 {
	bond := make([]uint8, 2*len(h.Type))
	for i, t := range h.Type {
		bond[2*i] = t
	}
	return bond
}

// Check says what would lead a loop or a kernel out of its arrays.
func (h *FeatureGraph) Check() error {
	atoms := len(h.RowPtr) - 1
	if atoms <= 0 {
		return errors.New("a batch without atoms")
	}
	if len(h.Features) == 0 || len(h.Features)%atoms != 0 {
		return fmt.Errorf("%d features do not go with %d atoms", len(h.Features), atoms)
	}
	if len(h.Type) != len(h.Col) || len(h.Group)%2 == 0 {
		return fmt.Errorf("%d types do not go with %d bonds, or %d offsets are not those of groups", len(h.Type), len(h.Col), len(h.Group))
	}
	err := cmp.Or(checkOffsets("MolPtr", h.MolPtr, atoms), checkOffsets("Group", h.Group, atoms),
		checkBonds(h.RowPtr, h.Col, h.bonds(), atoms))
	if err != nil {
		return err
	}
	return cmp.Or(h.checkMolecules(), h.checkAlike(atoms))
}

// checkMolecules says which molecule is empty or bonded to another one.
func (h *FeatureGraph) checkMolecules() error {
	for m := range len(h.MolPtr) - 1 {
		first, last := h.MolPtr[m], h.MolPtr[m+1]
		if first == last {
			return fmt.Errorf("molecule %d has no atoms", m)
		}
		for _, u := range h.Col[h.RowPtr[first]:h.RowPtr[last]] {
			if u < first || u >= last {
				return fmt.Errorf("molecule %d, atoms %d to %d, is bonded to atom %d", m, first, last-1, u)
			}
		}
	}
	return nil
}

package ops

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/sugarme/gotch/ts"
)

// HostGraph is a batch of molecules in Go's memory: one graph, with offsets.
//
// Legend: A atoms, E bonds counted in both directions, n molecules, B tasks.
type HostGraph struct {
	Atoms  []uint8 // [A, 2] categories
	RowPtr []int32 // [A+1] bonds into atom v are RowPtr[v]..RowPtr[v+1]
	Col    []int32 // [E] their other ends
	Bond   []uint8 // [E, 2] type, direction
	MolPtr []int32 // [n+1] atoms of each molecule
	Group  []int32 // [2B+1] atoms of each task's support and queries
}

// check says what would lead a loop out of its arrays.
func (h *HostGraph) check(atoms int) error {
	if atoms == 0 {
		return errors.New("a batch without atoms")
	}
	for _, o := range []struct {
		name    string
		offsets []int32
		end     int
	}{{"RowPtr", h.RowPtr, len(h.Col)}, {"MolPtr", h.MolPtr, atoms}, {"Group", h.Group, atoms}} {
		if n := len(o.offsets); n < 2 || o.offsets[0] != 0 || int(o.offsets[n-1]) != o.end || !slices.IsSorted(o.offsets) {
			return fmt.Errorf("%s does not ascend from 0 to %d", o.name, o.end)
		}
	}
	for i, from := range h.Col {
		if from < 0 || int(from) >= atoms {
			return fmt.Errorf("bond %d comes from atom %d, out of range of 0 to %d", i, from, atoms-1)
		}
		if kind, direction := h.Bond[2*i], h.Bond[2*i+1]; kind >= bondTypes || direction >= bondDirections {
			return fmt.Errorf("bond %d has type %d and direction %d, out of range of 0 to %d and %d",
				i, kind, direction, bondTypes-1, bondDirections-1)
		}
	}
	return nil
}

// Graph is a batch of molecules on a device.
type Graph struct {
	atoms, rowptr, col, code, mol, group *ts.Tensor
	task                                 *ts.Tensor // [B+1] atoms of each task
}

// Bond codes are type·3 + direction; see gin_reference.hh.
const (
	bondTypes      = 6
	bondDirections = 3
)

// NewGraph copies h to a device. Every bond must be there in both
// directions with the same categories.
func NewGraph(h HostGraph, d Device) (*Graph, error) {
	atoms, bonds := len(h.RowPtr)-1, len(h.Col)
	if len(h.Atoms) != 2*atoms || len(h.Bond) != 2*bonds || len(h.Group)%2 == 0 {
		return nil, fmt.Errorf("graph: %d atom categories and %d bond categories do not go with %d atoms and %d bonds",
			len(h.Atoms), len(h.Bond), atoms, bonds)
	}
	code := make([]uint8, bonds)
	for i := range code {
		code[i] = h.Bond[2*i]*bondDirections + h.Bond[2*i+1]
	}
	if err := h.check(atoms); err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	task := make([]int32, 0, len(h.Group)/2+1)
	for i := 0; i < len(h.Group); i += 2 {
		task = append(task, h.Group[i])
	}
	g := &Graph{}
	var err error
	keep := func(t *ts.Tensor, e error) *ts.Tensor {
		err = cmp.Or(err, e)
		return t
	}
	g.atoms = keep(New(h.Atoms, []int64{int64(atoms), 2}, d))
	g.rowptr = keep(Vector(h.RowPtr, d))
	g.col = keep(Vector(h.Col, d))
	g.code = keep(Vector(code, d))
	g.mol = keep(Vector(h.MolPtr, d))
	g.group = keep(Vector(h.Group, d))
	g.task = keep(Vector(task, d))
	if err != nil {
		g.Drop()
		return nil, fmt.Errorf("graph: %w", err)
	}
	return g, nil
}

// Vector copies values to a device as a tensor of one dimension.
func Vector[T Element](values []T, d Device) (*ts.Tensor, error) {
	return New(values, []int64{int64(len(values))}, d)
}

// Drop releases the graph's tensors.
func (g *Graph) Drop() {
	Drop(g.atoms, g.rowptr, g.col, g.code, g.mol, g.group, g.task)
	*g = Graph{}
}

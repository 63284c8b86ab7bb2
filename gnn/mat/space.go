package mat

import (
	"fmt"
	"math"
	"slices"

	"pacia/ops"
)

// SpaceFeatures is the number of features of a node in a graph of [Space]: one for the dummy,
// and 27 of an atom.
const SpaceFeatures = 28

// far is the distance of a dummy to every node, including itself, in Å. It is so large that
// its weight is 0.
const far = 1e6

// Space is a batch of molecules in Go's memory whose atoms have places.
//
// Legend: A atoms, E bonds counted in both directions, n molecules, B tasks.
type Space struct {
	Features []float32 // [A, 27]
	Places   []float32 // [A, 3] in Å
	RowPtr   []int32   // [A+1] bonds into atom v are RowPtr[v]..RowPtr[v+1]
	Col      []int32   // [E] their other ends, atoms of the same molecule
	MolPtr   []int32   // [n+1] atoms of each molecule
	Group    []int32   // [2B+1] atoms of each task's support and queries; nil for one task without support
}

// Graph puts a dummy before the atoms of each molecule, and copies the batch to a device.
func (s *Space) Graph(d ops.Device) (*ops.Graph, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	const own = SpaceFeatures - 1
	h := spaceGraph{molPtr: []int32{0}}
	for m := range len(s.MolPtr) - 1 {
		first, last := int(s.MolPtr[m]), int(s.MolPtr[m+1])
		h.features = append(h.features, 1)
		h.features = append(h.features, make([]float32, own)...)
		for v := first; v < last; v++ {
			h.features = append(append(h.features, 0), s.Features[own*v:own*(v+1)]...)
		}
		h.fixed = s.appendFixed(h.fixed, first, last)
		h.molPtr = append(h.molPtr, int32(last+m+1))
	}
	for _, atoms := range s.Group {
		before, _ := slices.BinarySearch(s.MolPtr, atoms) // molecules
		h.group = append(h.group, atoms+int32(before))
	}
	return newSpaceGraph(h, d)
}

// appendFixed appends the weights from distances and bonds between the nodes of the molecule
// with the atoms first..last−1.
func (s *Space) appendFixed(to []float64, first, last int) []float64 {
	n := last - first + 1
	adjacency, distance := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		distance[i], distance[i*n] = far, far
	}
	for v := first; v < last; v++ {
		row := (v - first + 1) * n
		adjacency[row+v-first+1] = 1
		for _, u := range s.Col[s.RowPtr[v]:s.RowPtr[v+1]] {
			adjacency[row+int(u)-first+1] = 1
		}
		for u := first; u < last; u++ {
			square := 0.0
			for k := range 3 {
				apart := float64(s.Places[3*v+k]) - float64(s.Places[3*u+k])
				square += apart * apart
			}
			distance[row+u-first+1] = math.Sqrt(square)
		}
	}
	return appendFixed(to, adjacency, distance, n)
}

// check returns an error for input that would make a loop access memory out of bounds.
func (s *Space) check() error {
	atoms := len(s.RowPtr) - 1
	if atoms < 1 || len(s.Features) != (SpaceFeatures-1)*atoms || len(s.Places) != 3*atoms {
		return fmt.Errorf("%d features and %d coordinates do not go with %d atoms", len(s.Features), len(s.Places), atoms)
	}
	if n := len(s.MolPtr); n < 2 || s.MolPtr[0] != 0 || int(s.MolPtr[n-1]) != atoms || !slices.IsSorted(s.MolPtr) {
		return fmt.Errorf("MolPtr does not ascend from 0 to %d", atoms)
	}
	if s.RowPtr[0] != 0 || int(s.RowPtr[atoms]) != len(s.Col) || !slices.IsSorted(s.RowPtr) {
		return fmt.Errorf("RowPtr does not ascend from 0 to %d", len(s.Col))
	}
	for m := range len(s.MolPtr) - 1 {
		first, last := s.MolPtr[m], s.MolPtr[m+1]
		for _, u := range s.Col[s.RowPtr[first]:s.RowPtr[last]] {
			if u < first || u >= last {
				return fmt.Errorf("molecule %d, atoms %d to %d, is bonded to atom %d", m, first, last-1, u)
			}
		}
	}
	return nil
}

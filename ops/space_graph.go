package ops

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/each"
)

// SpaceGraph is a batch of molecules in Go's memory, as one graph with offsets. Every pair of
// nodes of a molecule has a distance.
//
// Legend: R nodes, n molecules of s nodes, B tasks, k features.
type SpaceGraph struct {
	Features []float32 // [R, k]
	MolPtr   []int32   // [n+1] nodes of each molecule, which has at least one
	Group    []int32   // [2B+1] nodes of each task's support and queries; nil for one task without support
	Fixed    []float64 // F [s, s] of each molecule, one after the other; see AppendFixed
}

// AppendFixed appends F [s, s] of a molecule with the adjacency A and the distances D
// [s, s] of its nodes, in Å:
//
//	F_ij = 0.33 exp(−D_ij) + 0.34 A_ij/(Σ_j A_ij + 1e-6)
func AppendFixed(to, adjacency, distance []float64, s int) []float64 {
	for i := range s {
		degree := 1e-6
		for _, a := range adjacency[i*s : (i+1)*s] {
			degree += a
		}
		for j := i * s; j < (i+1)*s; j++ {
			to = append(to, MATDistance*math.Exp(-distance[j])+MATBond*adjacency[j]/degree)
		}
	}
	return to
}

// space holds the places of the nodes of a graph in blocks of molecules of similar size, which
// are padded to the largest molecule: S places in all.
type space struct {
	node  *ts.Tensor // [S] node in each place; −1: padding
	place *ts.Tensor // [R] place of each node
	fixed *ts.Tensor // F of all molecules, each padded with 0
	sizes []int64    // molecules and nodes of each block
}

// NewSpaceGraph copies h to a device.
func NewSpaceGraph(h SpaceGraph, d Device) (*Graph, error) {
	if h.Group == nil && len(h.MolPtr) > 0 {
		h.Group = []int32{0, 0, h.MolPtr[len(h.MolPtr)-1]}
	}
	if err := h.check(); err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	nodes := len(h.Features) / h.width()
	u := upload{to: new(Graph), device: d}
	u.topology(&HostGraph{RowPtr: make([]int32, nodes+1), MolPtr: h.MolPtr, Group: h.Group})
	u.to.features = u.keep(New(h.Features, []int64{int64(nodes), int64(h.width())}, d))
	u.space(&h, nodes)
	return u.graph("graph")
}

func (h *SpaceGraph) width() int {
	nodes := int(h.MolPtr[len(h.MolPtr)-1])
	return len(h.Features) / max(1, nodes)
}

// check returns an error for input that would make a loop access memory out of bounds.
func (h *SpaceGraph) check() error {
	if len(h.MolPtr) < 2 {
		return errors.New("a batch without molecules")
	}
	nodes := int(h.MolPtr[len(h.MolPtr)-1])
	if nodes <= 0 || len(h.Features) == 0 || len(h.Features)%nodes != 0 {
		return fmt.Errorf("%d features do not go with %d nodes", len(h.Features), nodes)
	}
	if err := cmp.Or(checkOffsets("MolPtr", h.MolPtr, nodes), checkOffsets("Group", h.Group, nodes)); err != nil {
		return err
	}
	pairs := 0
	for m := range len(h.MolPtr) - 1 {
		s := h.size(m)
		if s == 0 {
			return fmt.Errorf("molecule %d has no nodes", m)
		}
		pairs += s * s
	}
	if len(h.Fixed) != pairs {
		return fmt.Errorf("%d numbers for %d pairs of nodes", len(h.Fixed), pairs)
	}
	return nil
}

// size returns s of a molecule.
func (h *SpaceGraph) size(m int) int { return int(h.MolPtr[m+1] - h.MolPtr[m]) }

// A block takes molecules down to 4/5 of the size of its largest: padding adds at most a quarter
// to a molecule's nodes, and 17 blocks cover all sizes from 4 to 200 nodes. blockPairs is the
// maximum number of pairs in a block of several molecules, whose logits take 64 MB with 16 heads.
const blockPairs = 1 << 20

// blocks returns the molecules of each block, from the largest to the smallest.
func (h *SpaceGraph) blocks() (blocks [][]int) {
	order := each.Order[int](len(h.MolPtr) - 1)
	slices.SortStableFunc(order, func(a, b int) int { return h.size(b) - h.size(a) })
	for first, i := 0, 1; first < len(order); i++ {
		largest := h.size(order[first])
		if i == len(order) || 5*h.size(order[i]) < 4*largest || (i-first+1)*largest*largest > blockPairs {
			blocks, first = append(blocks, order[first:i]), i
		}
	}
	return blocks
}

// space lays out the molecules in blocks and copies their places and F to the device.
func (u *upload) space(h *SpaceGraph, nodes int) {
	pair := make([]int, 1, len(h.MolPtr)) // offset of F of each molecule
	for m := range len(h.MolPtr) - 1 {
		pair = append(pair, pair[m]+h.size(m)*h.size(m))
	}
	var node []int32
	var fixed []float64
	place := make([]int32, nodes)
	s := &u.to.space
	for _, block := range h.blocks() {
		L := h.size(block[0])
		s.sizes = append(s.sizes, int64(len(block)), int64(L))
		for _, m := range block {
			n, f := h.size(m), h.Fixed[pair[m]:pair[m+1]]
			for i := range L {
				if i < n {
					v := h.MolPtr[m] + int32(i)
					place[v] = int32(len(node))
					node, fixed = append(node, v), append(fixed, f[i*n:(i+1)*n]...)
				} else {
					node, fixed = append(node, -1), append(fixed, make([]float64, n)...)
				}
				fixed = append(fixed, make([]float64, L-n)...)
			}
		}
	}
	s.node, s.place, s.fixed = u.ints(node), u.ints(place), u.keep(Vector(fixed, u.device))
}

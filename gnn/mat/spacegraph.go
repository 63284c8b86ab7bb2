package mat

import (
	"cmp"
	"math"
	"slices"

	"pacia/internal/each"
	"pacia/ops"
)

// spaceGraph is a checked batch of molecules in Go's memory, as one graph with offsets. Every pair
// of nodes of a molecule has a distance.
//
// Legend: R nodes, n molecules of s nodes, B tasks, k features.
type spaceGraph struct {
	features []float32 // [R, k]
	molPtr   []int32   // [n+1] nodes of each molecule, which has at least one
	group    []int32   // [2B+1] nodes of each task's support and queries; nil for one task without support
	fixed    []float64 // F [s, s] of each molecule, one after the other; see appendFixed
}

// appendFixed appends F [s, s] of a molecule with the adjacency A and the distances D
// [s, s] of its nodes, in Å:
//
//	F_ij = 0.33 exp(−D_ij) + 0.34 A_ij/(Σ_j A_ij + 1e-6)
func appendFixed(to, adjacency, distance []float64, s int) []float64 {
	for i := range s {
		degree := 1e-6
		for _, a := range adjacency[i*s : (i+1)*s] {
			degree += a
		}
		for j := i * s; j < (i+1)*s; j++ {
			to = append(to, distanceWeight*math.Exp(-distance[j])+bondWeight*adjacency[j]/degree)
		}
	}
	return to
}

// Names of the inputs of a graph that hold the places of its nodes in blocks of molecules of similar size,
// which are padded to the largest molecule: S places in all.
const (
	inNode  = "node of each place"  // [S]; −1: padding
	inPlace = "place of each node"  // [R]
	inFixed = "F of all pairs"      // of all molecules, each padded with 0
	inSizes = "sizes of the blocks" // molecules and nodes of each block, on the CPU
)

// newSpaceGraph copies h to a device.
func newSpaceGraph(h spaceGraph, d ops.Device) (*ops.Graph, error) {
	nodes := int(h.molPtr[len(h.molPtr)-1])
	g, err := ops.NewGraph(ops.HostGraph{Features: h.features, RowPtr: make([]int32, nodes+1), MolPtr: h.molPtr, Group: h.group}, d)
	if err != nil {
		return nil, err
	}
	p := h.places(nodes)
	err = cmp.Or(add(g, inNode, p.node, d), add(g, inPlace, p.place, d), add(g, inFixed, p.fixed, d), add(g, inSizes, p.sizes, ops.CPU))
	if err != nil {
		g.Drop()
		return nil, err
	}
	return g, nil
}

func add[T ops.Element](g *ops.Graph, name string, values []T, d ops.Device) error {
	return ops.Add(g, name, values, []int64{int64(len(values))}, d)
}

// size returns s of a molecule.
func (h *spaceGraph) size(m int) int { return int(h.molPtr[m+1] - h.molPtr[m]) }

// A block takes molecules down to 4/5 of the size of its largest: padding adds at most a quarter
// to a molecule's nodes, and 17 blocks cover all sizes from 4 to 200 nodes. blockPairs is the
// maximum number of pairs in a block of several molecules, whose logits take 64 MB with 16 heads.
const blockPairs = 1 << 20

// blocks returns the molecules of each block, from the largest to the smallest.
func (h *spaceGraph) blocks() (blocks [][]int) {
	order := each.Order[int](len(h.molPtr) - 1)
	slices.SortStableFunc(order, func(a, b int) int { return h.size(b) - h.size(a) })
	for first, i := 0, 1; first < len(order); i++ {
		largest := h.size(order[first])
		if i == len(order) || 5*h.size(order[i]) < 4*largest || (i-first+1)*largest*largest > blockPairs {
			blocks, first = append(blocks, order[first:i]), i
		}
	}
	return blocks
}

// places are the inputs of a graph in Go's memory.
type places struct {
	node, place []int32
	fixed       []float64
	sizes       []int64
}

// places lays out the molecules in blocks.
func (h *spaceGraph) places(nodes int) places {
	pair := make([]int, 1, len(h.molPtr)) // offset of F of each molecule
	for m := range len(h.molPtr) - 1 {
		pair = append(pair, pair[m]+h.size(m)*h.size(m))
	}
	p := places{place: make([]int32, nodes)}
	for _, block := range h.blocks() {
		L := h.size(block[0])
		p.sizes = append(p.sizes, int64(len(block)), int64(L))
		for _, m := range block {
			n, f := h.size(m), h.fixed[pair[m]:pair[m+1]]
			for i := range L {
				if i < n {
					v := h.molPtr[m] + int32(i)
					p.place[v] = int32(len(p.node))
					p.node, p.fixed = append(p.node, v), append(p.fixed, f[i*n:(i+1)*n]...)
				} else {
					p.node, p.fixed = append(p.node, -1), append(p.fixed, make([]float64, n)...)
				}
				p.fixed = append(p.fixed, make([]float64, L-n)...)
			}
		}
	}
	return p
}

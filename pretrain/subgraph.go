package pretrain

import (
	"pacia/data/category"
	"pacia/data/molecule"
	"pacia/ops"
)

// Legend: A atoms, E bonds counted in both directions, n molecules.

// hops returns the number of bonds between root and each atom [A] of a molecule, or
// -1 if there is no path.
func hops(g molecule.Graph, root int) []int {
	away := make([]int, g.Len())
	for v := range away {
		away[v] = -1
	}
	away[root] = 0
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		for _, u := range g.Col[g.RowPtr[v]:g.RowPtr[v+1]] {
			if away[u] < 0 {
				away[u] = away[v] + 1
				queue = append(queue, int(u))
			}
		}
	}
	return away
}

// batch holds molecules, or parts of them, joined to one graph.
type batch struct{ ops.HostGraph }

func newBatch() batch {
	return batch{ops.HostGraph{RowPtr: []int32{0}, MolPtr: []int32{0}}}
}

func (b *batch) atoms() int32 { return int32(len(b.RowPtr) - 1) }

// add appends the atoms of a molecule for which keep returns true, and the bonds
// between them. It returns the number of each atom [A] in the batch, or -1.
func (b *batch) add(g molecule.Graph, keep func(atom int) bool) []int32 {
	number := make([]int32, g.Len())
	next := b.atoms()
	for v := range number {
		number[v] = -1
		if keep(v) {
			number[v] = next
			next++
		}
	}
	for v, n := range number {
		if n < 0 {
			continue
		}
		b.Atoms = append(b.Atoms, g.Atoms[2*v:2*v+2]...)
		for e := g.RowPtr[v]; e < g.RowPtr[v+1]; e++ {
			if u := number[g.Col[e]]; u >= 0 {
				b.Col = append(b.Col, u)
				b.Bond = append(b.Bond, g.Bond[2*e:2*e+2]...)
			}
		}
		b.RowPtr = append(b.RowPtr, int32(len(b.Col)))
	}
	b.MolPtr = append(b.MolPtr, next)
	return number
}

func (b *batch) hide(v int32) (element int64) {
	categories := b.Atoms[2*v : 2*v+2]
	element = int64(categories[0])
	categories[0], categories[1] = category.MaskedAtom, 0
	return element
}

// graph copies the batch to a device. All its atoms are one group for batch
// norm.
func (b *batch) graph(d ops.Device) (*ops.Graph, error) {
	b.Group = []int32{0, b.atoms(), b.atoms()}
	return ops.NewGraph(b.HostGraph, d)
}

// all keeps every atom.
func all(int) bool { return true }

package pretrain

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"pacia/data/molecule"
	"pacia/data/rdkit"
	"pacia/data/workers"
)

// Legend: n molecules, V kinds of motifs, m motifs of a molecule.

// motifTrees holds molecules split into motifs (rdkit.Motifs).
type motifTrees struct {
	Names  []string // [V] SMILES of the kinds, the most frequent first
	Counts []int    // [V] motifs of each kind
	Ptr    []int    // [n+1] numbers of a molecule
	Packed []int32  // as pack writes them
}

// tree holds the motifs of a molecule and the edges between them: a tree for each connected
// part of the molecule.
type tree struct {
	kinds []int32    // [m]
	atoms [][]int32  // [m] of each motif, ascending
	edges [][2]int32 // between motifs
}

func (t *motifTrees) tree(row int32) (out tree) {
	p := t.Packed[t.Ptr[row]:t.Ptr[row+1]]
	if len(p) == 0 {
		return tree{}
	}
	take := func(n int32) []int32 {
		list := p[:n]
		p = p[n:]
		return list
	}
	head := take(2)
	out.kinds, out.atoms, out.edges = take(head[0]), make([][]int32, head[0]), make([][2]int32, head[1])
	sizes := take(head[0])
	for i, n := range sizes {
		out.atoms[i] = take(n)
	}
	for i := range out.edges {
		out.edges[i] = [2]int32(take(2))
	}
	return out
}

// pack returns the numbers of motifs and edges, the kinds of motifs, the number of atoms of
// each, these atoms, and the edges.
func pack(m rdkit.Motifs, kind func(name string) int32) []int32 {
	list := []int32{int32(len(m.Names)), int32(len(m.Edges))}
	for _, name := range m.Names {
		list = append(list, kind(name))
	}
	for _, atoms := range m.Atoms {
		list = append(list, int32(len(atoms)))
	}
	for _, atoms := range m.Atoms {
		list = append(list, atoms...)
	}
	for _, e := range m.Edges {
		list = append(list, e[:]...)
	}
	return list
}

// takeApart finds the motifs of the molecules of a store. A molecule for which RDKit fails has none.
func takeApart(ctx context.Context, smiles []string, store *molecule.Store, threads int) *motifTrees {
	list := make([][]int32, len(smiles))
	var mu sync.Mutex
	names, number := []string(nil), map[string]int32{}
	kind := func(name string) int32 {
		n, known := number[name]
		if !known {
			n = int32(len(names))
			number[name], names = n, append(names, name)
		}
		return n
	}
	workers.InChunks(ctx, "molecules taken apart", len(smiles), threads, func() func(_, first, end int) {
		return func(_, first, end int) {
			rdkit.AllMotifs(ctx, smiles[first:end], func(i int, m rdkit.Motifs, err error) {
				if err != nil || m.A != store.Graph(first+i).Len() {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				list[first+i] = pack(m, kind)
			})
		}
	})
	return sorted(list, names)
}

// sorted renumbers the kinds of motifs, because the order in which threads met them is random.
func sorted(list [][]int32, names []string) *motifTrees {
	t := &motifTrees{Names: make([]string, len(names)), Counts: make([]int, len(names)), Ptr: make([]int, 1, len(list)+1)}
	counts, order, now := make([]int, len(names)), make([]int, len(names)), make([]int32, len(names))
	kinds := func(p []int32) []int32 {
		if len(p) == 0 {
			return nil
		}
		return p[2 : 2+p[0]]
	}
	for _, p := range list {
		for _, k := range kinds(p) {
			counts[k]++
		}
	}
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(counts[j], counts[i]), cmp.Compare(names[i], names[j]))
	})
	for rank, i := range order {
		t.Names[rank], t.Counts[rank], now[i] = names[i], counts[i], int32(rank)
	}
	for _, p := range list {
		for i, k := range kinds(p) {
			kinds(p)[i] = now[k]
		}
		t.Packed = append(t.Packed, p...)
		t.Ptr = append(t.Ptr, len(t.Packed))
	}
	return t
}

// common returns the number of kinds of motifs that occur rare times or more.
func (t *motifTrees) common(rare int) int {
	n, _ := slices.BinarySearchFunc(t.Counts, rare, func(count, rare int) int {
		if count >= rare {
			return -1
		}
		return 1
	})
	return n
}

func (t *motifTrees) hash() string {
	h := sha256.New()
	for i, name := range t.Names {
		_, _ = fmt.Fprintln(h, name, t.Counts[i])
	}
	for _, p := range t.Ptr {
		_ = binary.Write(h, binary.LittleEndian, int64(p))
	}
	_ = binary.Write(h, binary.LittleEndian, t.Packed)
	return fmt.Sprintf("%x", h.Sum(nil))
}

package pretrain

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pacia/data/molecule"
	"pacia/ops"
)

// graphOf returns a molecule with the given bonds, all of one kind.
func graphOf(atoms int, bonds ...[2]int) molecule.Graph {
	g := molecule.Graph{Atoms: make([]uint8, 2*atoms), RowPtr: make([]int32, 1, atoms+1)}
	for v := range atoms {
		g.Atoms[2*v] = uint8(v % 100)
		for k, b := range bonds {
			for side := range 2 {
				if b[side] == v {
					g.Col = append(g.Col, uint16(b[1-side]))
					g.Bond = append(g.Bond, uint8(k%4), uint8(k%3))
				}
			}
		}
		g.RowPtr = append(g.RowPtr, int32(len(g.Col)))
	}
	return g
}

// random returns a random molecule, which may have several parts.
func random(r *rand.Rand) molecule.Graph {
	n := 1 + r.IntN(14)
	var bonds [][2]int
	for u := range n {
		for v := range u {
			if r.IntN(n+2) < 2 {
				bonds = append(bonds, [2]int{u, v})
			}
		}
	}
	return graphOf(n, bonds...)
}

// distances returns shortest paths by Floyd and Warshall's method, -1 without a path.
func distances(g molecule.Graph) [][]int {
	const far = 1 << 20
	n := g.Len()
	d := make([][]int, n)
	for v := range d {
		d[v] = slices.Repeat([]int{far}, n)
		d[v][v] = 0
		for _, u := range g.Col[g.RowPtr[v]:g.RowPtr[v+1]] {
			d[v][u] = 1
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	for i := range n {
		for j := range n {
			if d[i][j] >= far {
				d[i][j] = -1
			}
		}
	}
	return d
}

func TestHops(t *testing.T) {
	path := graphOf(5, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}) // and an atom alone
	if got := hops(path, 1); !slices.Equal(got, []int{1, 0, 1, 2, -1}) {
		t.Errorf("along a chain: %v", got)
	}
	ring := graphOf(6, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 4}, [2]int{4, 5}, [2]int{5, 0})
	if got := hops(ring, 4); !slices.Equal(got, []int{2, 3, 2, 1, 0, 1}) {
		t.Errorf("around a ring: %v", got)
	}
	for seed := range uint64(50) {
		g := random(rand.New(rand.NewPCG(seed, 0)))
		for root, want := range distances(g) {
			if got := hops(g, root); !slices.Equal(got, want) {
				t.Errorf("graph %d from %d: %v, want %v", seed, root, got, want)
			}
		}
	}
}

// TestParts: add takes exactly the requested atoms, with their categories, and the bonds
// between them.
func TestParts(t *testing.T) {
	b := newBatch()
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := random(r)
		keep := make([]bool, g.Len())
		for v := range keep {
			keep[v] = r.IntN(3) > 0
		}
		first := b.atoms()
		number := b.add(g, func(v int) bool { return keep[v] })
		next := first
		for v, k := range keep {
			if !k {
				if number[v] != -1 {
					t.Errorf("graph %d: atom %d was not requested and is %d", seed, v, number[v])
				}
				continue
			}
			if number[v] != next || !slices.Equal(b.Atoms[2*next:2*next+2], g.Atoms[2*v:2*v+2]) {
				t.Errorf("graph %d: atom %d is %d with %v, want %d with %v", seed, v, number[v], b.Atoms[2*number[v]:][:2], next, g.Atoms[2*v:][:2])
			}
			next++
			e := b.RowPtr[number[v]]
			for f := g.RowPtr[v]; f < g.RowPtr[v+1]; f++ {
				u := g.Col[f]
				if !keep[u] {
					continue
				}
				if b.Col[e] != number[u] || !slices.Equal(b.Bond[2*e:2*e+2], g.Bond[2*f:2*f+2]) {
					t.Errorf("graph %d: the bond from %d to %d is not there as it was", seed, u, v)
				}
				e++
			}
			if e != b.RowPtr[number[v]+1] {
				t.Errorf("graph %d: atom %d has bonds to atoms that were not requested", seed, v)
			}
		}
		if b.MolPtr[len(b.MolPtr)-1] != next {
			t.Errorf("graph %d ends at %d, want %d", seed, b.MolPtr[len(b.MolPtr)-1], next)
		}
	}
	g, err := b.graph(ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	g.Drop()
}

// TestReach compares substructure, context and overlap with their definition by
// shortest paths.
func TestReach(t *testing.T) {
	for _, layers := range []int{1, 2, 3, 5} {
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 2))
			g := random(r)
			root := r.IntN(g.Len())
			checkPair(t, layers, g, root)
		}
	}
}

func checkPair(t *testing.T, layers int, g molecule.Graph, root int) {
	t.Helper()
	var inner, outer, both []int
	for v, away := range distances(g)[root] {
		near := away >= 0 && away <= layers
		ring := away > layers-1 && away <= layers+2 || layers == 1 && away == 0
		if near {
			inner = append(inner, v)
		}
		if ring {
			outer = append(outer, v)
		}
		if near && ring {
			both = append(both, len(outer)-1)
		}
	}
	p := &pairs{task: &contexts{reach: reachOf(layers)}, substructure: newBatch(), context: newBatch(), overlapPtr: []int32{0}}
	p.add(g, root)
	if len(outer) == 0 {
		if len(p.roots) != 0 || p.substructure.atoms()+p.context.atoms() != 0 {
			t.Errorf("%d layers: a molecule without a context was taken", layers)
		}
		return
	}
	atoms := func(b batch) (list []int) {
		for v := range b.atoms() {
			list = append(list, int(b.Atoms[2*v])) // graphOf numbers them so
		}
		return list
	}
	if got := atoms(p.substructure); !slices.Equal(got, inner) {
		t.Errorf("%d layers, root %d: substructure %v, want %v", layers, root, got, inner)
	}
	if got := atoms(p.context); !slices.Equal(got, outer) {
		t.Errorf("%d layers, root %d: context %v, want %v", layers, root, got, outer)
	}
	overlap := make([]int, len(p.overlap))
	for i, v := range p.overlap {
		overlap[i] = int(v)
	}
	if !slices.Equal(overlap, both) || len(both) == 0 {
		t.Errorf("%d layers, root %d: overlap %v, want %v", layers, root, overlap, both)
	}
	if at := inner[p.roots[0]]; at != root {
		t.Errorf("%d layers: the root is atom %d, want %d", layers, at, root)
	}
}

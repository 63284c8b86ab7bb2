package why

import (
	"hash/maphash"

	"pacia/data/category"
	"pacia/data/rdkit"
)

// Legend: A atoms of a molecule.

// A link is a bond to a neighbour.
type link struct {
	to   int32
	kind uint8 // as in package category
	ring bool
}

// A graph holds the atoms and bonds of a molecule.
type graph struct {
	kind   []uint16           // [A] atomic number, with bits of the atom's bonds: a carbonyl is not like a methylene
	links  [][]link           // [A]
	around [][surround]uint64 // [A] hashes of an atom's surroundings
}

func graphOf(smiles string) (g graph, err error) {
	m, err := rdkit.Parse(smiles)
	if err != nil {
		return g, err
	}
	n := len(m.Atoms) / 2
	g.kind, g.links = make([]uint16, n), make([][]link, n)
	for a := range n {
		g.kind[a] = uint16(m.Atoms[2*a])
	}
	for e := range len(m.Ends) / 2 {
		a, b, kind := m.Ends[2*e], m.Ends[2*e+1], m.Bonds[2*e]
		g.links[a], g.links[b] = append(g.links[a], link{to: b, kind: kind}), append(g.links[b], link{to: a, kind: kind})
		if kind != category.Single {
			g.kind[a], g.kind[b] = g.kind[a]|0x100<<kind, g.kind[b]|0x100<<kind
		}
	}
	rings := g.rings(func(int32) bool { return true })
	for a, links := range g.links {
		for i, l := range links {
			links[i].ring = rings[[2]int32{int32(a), l.to}]
		}
	}
	g.around = g.surroundings()
	return g, nil
}

// rings returns the bonds of rings among atoms that are in a part, in both directions: those that are not bridges.
func (g *graph) rings(in func(int32) bool) map[[2]int32]bool {
	ring := map[[2]int32]bool{}
	met, low := make([]int32, len(g.links)), make([]int32, len(g.links)) // places in the order of a search in depth, from 1
	next := int32(1)
	var visit func(a, from int32)
	visit = func(a, from int32) {
		met[a], low[a] = next, next
		next++
		for _, l := range g.links[a] {
			switch {
			case l.to == from || !in(l.to):
				continue
			case met[l.to] > 0:
				low[a] = min(low[a], met[l.to])
			default:
				visit(l.to, a)
				low[a] = min(low[a], low[l.to])
			}
			if low[l.to] <= met[a] {
				ring[[2]int32{a, l.to}], ring[[2]int32{l.to, a}] = true, true
			}
		}
	}
	for a := range int32(len(g.links)) {
		if in(a) && met[a] == 0 {
			visit(a, -1)
		}
	}
	return ring
}

// Surroundings of an atom are compared by three kinds of labels, up to rounds bonds away.
const kinds, rounds = 3, 6

const surround = kinds * rounds

var seed = maphash.MakeSeed()

// surroundings returns hashes that are equal if the surroundings are: by kinds of atoms, by the number of neighbours, and
// by both, each with membership in rings.
func (g *graph) surroundings() [][surround]uint64 {
	all := make([][surround]uint64, len(g.links))
	for kind := range kinds {
		for a, links := range g.links {
			label := [4]int{kind, 0, 0, 0}
			for _, l := range links {
				if l.ring {
					label[1] = 1
				}
			}
			if kind != 1 {
				label[2] = int(g.kind[a])
			}
			if kind != 0 {
				label[3] = len(links)
			}
			all[a][kind*rounds] = maphash.Comparable(seed, label)
		}
		for r := kind*rounds + 1; r < (kind+1)*rounds; r++ {
			for a, links := range g.links {
				var sum uint64 // independent of the order of neighbours
				for _, l := range links {
					sum += maphash.Comparable(seed, [2]uint64{uint64(l.kind), all[l.to][r-1]})
				}
				all[a][r] = maphash.Comparable(seed, [2]uint64{all[a][r-1], sum})
			}
		}
	}
	return all
}

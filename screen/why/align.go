package why

import (
	"cmp"
	"slices"
)

// Legend: a, b two molecules with A and B atoms; x, x' atoms of a; y, y' atoms of b.

// An alignment places atoms of a molecule a on atoms of a molecule b. Atoms with the same bonds between
// each other have their place on each other. So the placed atoms of both have the same bonds. Their kinds
// may differ inside a chain or a ring.
type alignment struct {
	onto []int32 // [A] an atom of b, or -1
	back []int32 // [B] an atom of a, or -1
	same int     // number of atoms that are placed on one of the same kind
}

// seeds is the number of pairs from which alignments grow. The largest one counts.
const seeds = 6

// align finds a large common part of two molecules. It begins with the pairs of atoms whose surroundings are
// most alike, and adds neighbours, the most alike first. It is greedy: the largest common part takes
// exponential time.
func align(a, b *graph) (best alignment) {
	likeness := likenessOf(a, b)
	order := make([]int32, 0, len(likeness))
	for p, v := range likeness {
		if v > 0 && a.kind[p/len(b.links)] == b.kind[p%len(b.links)] {
			order = append(order, int32(p))
		}
	}
	slices.SortStableFunc(order, func(p, q int32) int { return cmp.Compare(likeness[q], likeness[p]) })
	var rank [3]int
	for tried := 0; tried < seeds && len(order) > 0; tried++ {
		x, y := order[0]/int32(len(b.links)), order[0]%int32(len(b.links))
		m := grow(a, b, likeness, x, y)
		m.tidy(a, b)
		this := [3]int{2*m.same - m.replaced(), -m.sites(a, b), m.surroundingsLikeness(b, likeness)}
		if tried == 0 || slices.Compare(this[:], rank[:]) > 0 {
			best, rank = m, this
		}
		// An atom of a that has its place already would grow the same alignment.
		order = slices.DeleteFunc(order, func(p int32) bool {
			return p/int32(len(b.links)) == x || m.onto[p/int32(len(b.links))] == p%int32(len(b.links))
		})
	}
	return best
}

// likenessOf returns for each pair of atoms [A, B] how many surroundings are equal.
func likenessOf(a, b *graph) []int {
	all := make([]int, len(a.links)*len(b.links))
	for x := range a.links {
		for y := range b.links {
			n := 0
			for i, h := range a.around[x] {
				if h == b.around[y][i] {
					n++
				}
			}
			all[x*len(b.links)+y] = n
		}
	}
	return all
}

// grow returns the alignment that grows from x on y.
func grow(a, b *graph, likeness []int, x, y int32) alignment {
	m := alignment{onto: unplaced(len(a.links)), back: unplaced(len(b.links))}
	type pair struct {
		x, y int32
		like int
	}
	open := []pair{{x: x, y: y}}
	for len(open) > 0 {
		i := 0
		for k, p := range open {
			if p.like > open[i].like {
				i = k
			}
		}
		p := open[i]
		open = slices.Delete(open, i, i+1)
		if m.onto[p.x] >= 0 || m.back[p.y] >= 0 || !m.fits(a, b, p.x, p.y) {
			continue
		}
		m.onto[p.x], m.back[p.y] = p.y, p.x
		for _, l := range a.links[p.x] {
			for _, k := range b.links[p.y] {
				if m.onto[l.to] >= 0 || m.back[k.to] >= 0 || l.kind != k.kind || l.ring != k.ring {
					continue
				}
				like := likeness[int(l.to)*len(b.links)+int(k.to)]
				if a.kind[l.to] != b.kind[k.to] {
					if len(a.links[l.to]) < 2 || len(b.links[k.to]) < 2 {
						continue
					}
					like -= surround // after all pairs of the same kind
				}
				open = append(open, pair{l.to, k.to, like})
			}
		}
	}
	m.count(a, b)
	return m
}

func unplaced(n int) []int32 { return slices.Repeat([]int32{-1}, n) }

// fits reports whether x and y have the same bonds to placed atoms.
func (m *alignment) fits(a, b *graph, x, y int32) bool {
	placed := 0
	for _, l := range a.links[x] {
		if m.onto[l.to] < 0 {
			continue
		}
		placed++
		if !slices.Contains(b.links[y], link{m.onto[l.to], l.kind, l.ring}) {
			return false
		}
	}
	for _, l := range b.links[y] {
		if m.back[l.to] >= 0 {
			placed--
		}
	}
	return placed == 0
}

// count sets same.
func (m *alignment) count(a, b *graph) {
	m.same = 0
	for x, y := range m.onto {
		if y >= 0 && a.kind[x] == b.kind[y] {
			m.same++
		}
	}
}

// core reports whether atom x of a is placed on one of the same kind.
func (m *alignment) core(a, b *graph, x int32) bool {
	return m.onto[x] >= 0 && a.kind[x] == b.kind[m.onto[x]]
}

// replaced returns the number of atoms that are placed on one of another kind.
func (m *alignment) replaced() (n int) {
	for _, y := range m.onto {
		if y >= 0 {
			n++
		}
	}
	return n - m.same
}

// surroundingsLikeness returns how alike the surroundings of all placed atoms are.
func (m *alignment) surroundingsLikeness(b *graph, likeness []int) (sum int) {
	for x, y := range m.onto {
		if y >= 0 {
			sum += likeness[x*len(b.links)+int(y)]
		}
	}
	return sum
}

// sites returns the number of atoms of the core with a neighbour that is not in it.
func (m *alignment) sites(a, b *graph) (n int) {
	for x, y := range m.onto {
		if !m.core(a, b, int32(x)) {
			continue
		}
		here := func(l link) bool { return !m.core(a, b, l.to) }
		there := func(l link) bool { return m.back[l.to] < 0 || !m.core(a, b, m.back[l.to]) }
		if slices.ContainsFunc(a.links[x], here) || slices.ContainsFunc(b.links[y], there) {
			n++
		}
	}
	return n
}

// tidy leaves the largest connected part of an alignment that contains rings only as a whole, and in which
// an atom on another kind joins others.
func (m *alignment) tidy(a, b *graph) {
	for changed := true; changed; {
		changed = false
		rings := a.rings(func(x int32) bool { return m.onto[x] >= 0 })
		drop := []int32{}
		for x := range int32(len(m.onto)) {
			if m.onto[x] < 0 {
				continue
			}
			placed, bonds, kept := 0, 0, 0 // neighbours; bonds of rings; those whose ring is placed as a whole
			for _, l := range a.links[x] {
				if m.onto[l.to] < 0 {
					continue
				}
				placed++
				if l.ring {
					bonds++
					if rings[[2]int32{x, l.to}] {
						kept++
					}
				}
			}
			if bonds > 0 && kept == 0 || !m.core(a, b, x) && (placed < 2 || bonds > 0 && !m.swaps(a, b, x) || bonds == 0 && !m.joins(a, x)) {
				drop = append(drop, x)
			}
		}
		for _, x := range append(drop, m.smaller(a)...) {
			if y := m.onto[x]; y >= 0 {
				m.onto[x], m.back[y], changed = -1, -1, true
			}
		}
	}
	m.count(a, b)
}

// far is the smallest number of placed atoms beyond an atom of a chain that is placed on one of another kind. Fewer are
// easier to read as a part of the group.
const far = 4

// joins reports whether an atom x of a chain has at least far placed atoms beyond it, in each direction.
func (m *alignment) joins(a *graph, x int32) bool {
	for _, l := range a.links[x] {
		if m.onto[l.to] < 0 {
			continue
		}
		met, open := map[int32]bool{x: true, l.to: true}, []int32{l.to}
		for ; len(open) > 0 && len(met) <= far; open = open[1:] {
			for _, k := range a.links[open[0]] {
				if m.onto[k.to] >= 0 && !met[k.to] {
					met[k.to] = true
					open = append(open, k.to)
				}
			}
		}
		if len(met) <= far {
			return false
		}
	}
	return true
}

// swaps reports whether atom x of a ring, which is on another kind, is all that differs there: its neighbours
// are in the core and have no other such neighbour. Otherwise the ring as a whole is easier to read.
func (m *alignment) swaps(a, b *graph, x int32) bool {
	if len(a.links[x]) != len(b.links[m.onto[x]]) {
		return false
	}
	for _, l := range a.links[x] {
		if !m.core(a, b, l.to) {
			return false
		}
		for _, k := range a.links[l.to] {
			if k.to != x && m.onto[k.to] >= 0 && !m.core(a, b, k.to) {
				return false
			}
		}
	}
	return true
}

// smaller returns the placed atoms that are not in the largest connected part.
func (m *alignment) smaller(a *graph) (all []int32) {
	part := slices.Repeat([]int32{-1}, len(m.onto))
	var sizes []int
	for x := range int32(len(m.onto)) {
		if m.onto[x] < 0 || part[x] >= 0 {
			continue
		}
		of := int32(len(sizes))
		part[x] = of
		open := []int32{x}
		size := 0
		for ; len(open) > 0; size++ {
			at := open[len(open)-1]
			open = open[:len(open)-1]
			for _, l := range a.links[at] {
				if m.onto[l.to] >= 0 && part[l.to] < 0 {
					part[l.to] = of
					open = append(open, l.to)
				}
			}
		}
		sizes = append(sizes, size)
	}
	if len(sizes) < 2 {
		return nil
	}
	largest := int32(slices.Index(sizes, slices.Max(sizes)))
	for x, p := range part {
		if p >= 0 && p != largest {
			all = append(all, int32(x))
		}
	}
	return all
}

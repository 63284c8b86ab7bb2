package ops

import "math/rand/v2"

// molecules draws a batch: groups holds for every group the atoms of each of
// its molecules. A molecule is a tree with a ring now and then, so that one
// atom has no bond and others up to several.
func molecules(r *rand.Rand, groups [][]int) HostGraph {
	h := HostGraph{RowPtr: []int32{0}, MolPtr: []int32{0}, Group: []int32{0}}
	for _, group := range groups {
		for _, atoms := range group {
			h.add(r, atoms)
		}
		h.Group = append(h.Group, h.MolPtr[len(h.MolPtr)-1])
	}
	return h
}

func (h *HostGraph) add(r *rand.Rand, atoms int) {
	type end struct {
		atom int
		kind [2]uint8
	}
	ends := make([][]end, atoms)
	join := func(a, b int) {
		kind := [2]uint8{uint8(r.IntN(4)), uint8(r.IntN(3))}
		ends[a], ends[b] = append(ends[a], end{b, kind}), append(ends[b], end{a, kind})
	}
	for a := 1; a < atoms; a++ {
		join(a, r.IntN(a))
	}
	if atoms > 4 {
		join(0, atoms-1)
	}
	base := h.MolPtr[len(h.MolPtr)-1]
	for a := range ends {
		h.Atoms = append(h.Atoms, uint8(r.IntN(120)), uint8(r.IntN(3)))
		for _, e := range ends[a] {
			h.Col = append(h.Col, base+int32(e.atom))
			h.Bond = append(h.Bond, e.kind[0], e.kind[1])
		}
		h.RowPtr = append(h.RowPtr, int32(len(h.Col)))
	}
	h.MolPtr = append(h.MolPtr, base+int32(atoms))
}

// invent adds levels with the given numbers of rows. A layer does not check whether they are
// those of the atoms, so these have random rows and bonds.
func (h *HostGraph) invent(r *rand.Rand, rows []int) {
	for l, n := range rows {
		level := HostLevel{RowPtr: []int32{0}}
		for range n {
			if l == 0 {
				level.Atoms = append(level.Atoms, uint8(r.IntN(120)), uint8(r.IntN(3)))
				continue
			}
			level.Self = append(level.Self, int32(r.IntN(rows[l-1])))
			for range r.IntN(5) {
				level.Col = append(level.Col, int32(r.IntN(rows[l-1])))
				level.Bond = append(level.Bond, uint8(r.IntN(4)), uint8(r.IntN(3)))
			}
			level.RowPtr = append(level.RowPtr, int32(len(level.Col)))
		}
		h.Levels = append(h.Levels, level)
	}
	if rows != nil {
		for range h.atoms() {
			h.Row = append(h.Row, int32(r.IntN(rows[len(rows)-1])))
		}
	}
}

// share makes each atom share its masks of the last level with another one.
func (h *HostGraph) share(r *rand.Rand) {
	last := &h.Levels[len(h.Levels)-1]
	for range h.atoms() {
		last.Like = append(last.Like, int32(r.IntN(h.atoms())))
	}
}

// atoms counts the atoms of a batch.
func (h *HostGraph) atoms() int { return len(h.RowPtr) - 1 }

// graph copies a batch to the device.
func (l *lab) graph(h HostGraph) *Graph {
	l.Helper()
	g, err := NewGraph(h, where)
	if err != nil {
		l.Fatal(err)
	}
	l.made = append(l.made, g.owned...)
	return g
}

// sizes draws the number of atoms of each of n molecules.
func sizes(r *rand.Rand, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = 1 + r.IntN(9)
	}
	return s
}

package opstest

import (
	"math/rand/v2"

	"pacia/ops"
)

// Molecules draws a batch: groups holds for every group the atoms of each of
// its molecules. A molecule is a tree with a ring now and then, so that one
// atom has no bond and others up to several.
func Molecules(r *rand.Rand, groups [][]int) ops.HostGraph {
	h := ops.HostGraph{RowPtr: []int32{0}, MolPtr: []int32{0}, Group: []int32{0}}
	for _, group := range groups {
		for _, atoms := range group {
			Add(&h, r, atoms)
		}
		h.Group = append(h.Group, h.MolPtr[len(h.MolPtr)-1])
	}
	return h
}

// Add adds a molecule of this number of atoms.
func Add(h *ops.HostGraph, r *rand.Rand, atoms int) {
	type end struct {
		Atom int
		Kind [2]uint8
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
			h.Col = append(h.Col, base+int32(e.Atom))
			h.Bond = append(h.Bond, e.Kind[0], e.Kind[1])
		}
		h.RowPtr = append(h.RowPtr, int32(len(h.Col)))
	}
	h.MolPtr = append(h.MolPtr, base+int32(atoms))
}

// Invent adds levels with the given numbers of rows. A layer does not check whether they are
// those of the atoms, so these have random rows and bonds.
func Invent(h *ops.HostGraph, r *rand.Rand, rows []int) {
	for l, n := range rows {
		level := ops.HostLevel{RowPtr: []int32{0}}
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
		for range Atoms(h) {
			h.Row = append(h.Row, int32(r.IntN(rows[len(rows)-1])))
		}
	}
}

// Share makes each atom share its masks of the last level with another one.
func Share(h *ops.HostGraph, r *rand.Rand) {
	last := &h.Levels[len(h.Levels)-1]
	for range Atoms(h) {
		last.Like = append(last.Like, int32(r.IntN(Atoms(h))))
	}
}

// Atoms counts the atoms of a batch.
func Atoms(h *ops.HostGraph) int { return len(h.RowPtr) - 1 }

// Graph copies a batch to the device.
func (l *Lab) Graph(h ops.HostGraph) *ops.Graph {
	l.Helper()
	g, err := ops.NewGraph(h, Device)
	if err != nil {
		l.Fatal(err)
	}
	l.Graphs = append(l.Graphs, g)
	return g
}

// Sizes draws the number of atoms of each of n molecules.
func Sizes(r *rand.Rand, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = 1 + r.IntN(9)
	}
	return s
}

// Features returns the graph of host with bond types 0 to 2 and a feature of each atom.
func (l *Lab) Features(host ops.HostGraph) *ops.Graph {
	l.Helper()
	h := ops.HostGraph{Features: make([]float32, Atoms(&host)), RowPtr: host.RowPtr, Col: host.Col, MolPtr: host.MolPtr}
	for i := 0; i < len(host.Bond); i += 2 {
		h.Bond = append(h.Bond, host.Bond[i]%3, 0)
	}
	g, err := ops.NewGraph(h, Device)
	if err != nil {
		l.Fatal(err)
	}
	l.Graphs = append(l.Graphs, g)
	return g
}

// Representatives makes an atom represent itself and possibly later ones. Their states need not be
// equal for the calculations of a block and of its backward pass.
func (l *Lab) Representatives(atoms int) (like *ops.Representatives, rows int64) {
	l.Helper()
	var self []int32
	row := make([]int32, atoms)
	for v := range row {
		if row[v] = int32(l.Rand.IntN(1 + 2*len(self))); int(row[v]) >= len(self) {
			row[v], self = int32(len(self)), append(self, int32(v))
		}
	}
	return ops.NewRepresentatives(l.Must(ops.Vector(self, Device)), l.Must(ops.Vector(row, Device))), int64(len(self))
}

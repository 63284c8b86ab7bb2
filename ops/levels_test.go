package ops_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// refine makes the levels 0 to n of the atoms' environments, with a map of texts.
func refine(h *ops.HostGraph, n int) {
	h.Row = make([]int32, opstest.Atoms(h))
	for l := range n + 1 {
		seen, level, next := map[string]int32{}, ops.HostLevel{RowPtr: []int32{0}}, make([]int32, len(h.Row))
		for v := range h.Row {
			bonds := h.Bond[2*h.RowPtr[v] : 2*h.RowPtr[v+1]]
			var col []int32
			var around []string
			for i, u := range h.Col[h.RowPtr[v]:h.RowPtr[v+1]] {
				col = append(col, h.Row[u])
				around = append(around, fmt.Sprintf("%d %d", bonds[2*i:2*i+2], h.Row[u]))
			}
			slices.Sort(around)
			text := fmt.Sprint(h.Row[v], around)
			if l == 0 {
				text = fmt.Sprintf("%d", h.Atoms[2*v:2*v+2])
			}
			if r, ok := seen[text]; ok {
				next[v] = r
				continue
			}
			next[v] = int32(len(seen))
			seen[text] = next[v]
			if l == 0 {
				level.Atoms = append(level.Atoms, h.Atoms[2*v:2*v+2]...)
				continue
			}
			level.Self, level.Col, level.Bond = append(level.Self, h.Row[v]), append(level.Col, col...), append(level.Bond, bonds...)
			level.RowPtr = append(level.RowPtr, int32(len(level.Col)))
		}
		h.Row, h.Levels = next, append(h.Levels, level)
	}
}

// refineGroups makes levels with refine. Each is spread to the atoms, and levels above the
// first distinguish the atoms of different groups.
func refineGroups(h *ops.HostGraph, n int) {
	group := make([]int32, opstest.Atoms(h))
	for g, first := range h.Group[:len(h.Group)-1] {
		for v := first; v < h.Group[g+1]; v++ {
			group[v] = int32(g)
		}
	}
	var levels []ops.HostLevel
	for l := range n + 1 {
		h.Levels = nil
		refine(h, l)
		if l == 0 {
			levels = h.Levels
			continue
		}
		level, seen := h.Levels[l], map[[2]int32]int{}
		if l > 1 {
			level = ops.HostLevel{RowPtr: []int32{0}}
		} else {
			level.Row = h.Row
		}
		var first []int32
		for v, r := range h.Row {
			class := [2]int32{group[v], r}
			if _, ok := seen[class]; !ok {
				seen[class] = len(first)
				first = append(first, int32(v))
			}
			level.Like = append(level.Like, first[seen[class]])
			if l > 1 {
				level.Row = append(level.Row, int32(seen[class]))
			}
		}
		if l > 1 {
			level.Self = first
			for _, v := range first {
				from, to := h.RowPtr[v], h.RowPtr[v+1]
				level.Col, level.Bond = append(level.Col, h.Col[from:to]...), append(level.Bond, h.Bond[2*from:2*to]...)
				level.RowPtr = append(level.RowPtr, int32(len(level.Col)))
			}
		}
		levels = append(levels, level)
	}
	h.Levels, h.Row = levels, levels[n].Row
}

// TestLevelsChangeNothing: layers on the distinct environments of atoms give the same values
// and gradients as on the atoms. Cases are one level of a training step of two tasks, all
// levels in evaluation, and all levels of a training step with each spread to the atoms. Only
// dropout masks would differ, which this test does not have. The molecules have few
// categories, so that many atoms share a row.
func TestLevelsChangeNothing(t *testing.T) {
	const layers, d = 3, 6
	encode := func(l *opstest.Lab, groups [][]int, levels int, refine func(*ops.HostGraph, int), m ops.Mode) *ts.Tensor {
		host := opstest.Molecules(l.Rand, groups)
		clear(host.Bond)
		for v := range opstest.Atoms(&host) {
			host.Atoms[2*v], host.Atoms[2*v+1] = host.Atoms[2*v]%2, 0
		}
		if levels > 0 {
			refine(&host, levels)
			if rows := host.Levels[levels].Rows(); 2*rows > opstest.Atoms(&host) {
				l.Fatalf("%d rows for %d atoms share too little to test", rows, opstest.Atoms(&host))
			}
		}
		g := l.Graph(host)
		h := l.Must(ops.Embed(g, l.Leaf("atomic number", 0, 1, 120, d), l.Leaf("chirality", 0, 1, 3, d)))
		w, b := l.Leaf("w", 0, 0.5, int64(len(groups)/2), d), l.Leaf("b", 0, 0.5, int64(len(groups)/2), d)
		for i := range layers {
			h = l.Must(gin(l, d, 2*d).Layer(h, g.Level(i), i < layers-1, m.Site(uint64(i))))
			h = l.Must(ops.FiLM(h, g.Level(i), w, b, ops.FilmAffine))
		}
		return h
	}
	step := [][]int{slices.Repeat([]int{2, 3, 1, 4, 3}, 12), {3, 3, 2}, {2, 2}, slices.Repeat([]int{3, 1, 2}, 20)}
	queries := [][]int{{}, slices.Repeat([]int{2, 3, 1, 4, 3}, 12)}
	for _, c := range []struct {
		name   string
		groups [][]int
		levels int
		refine func(*ops.HostGraph, int)
		mode   ops.Mode
	}{
		{"training", step, 1, refine, ops.Mode{Training: true, Dropout: 0.3, Key: 4}},
		{"evaluation", queries, layers, refine, ops.Mode{}},
		{"evaluation, fewer levels than layers", queries, layers - 1, refine, ops.Mode{}},
		{"training, spread", step, layers, refineGroups, ops.Mode{Training: true}},
		{"training, spread by fewer layers", step, layers - 1, refineGroups, ops.Mode{Training: true}},
		{"evaluation, spread", step, layers, refineGroups, ops.Mode{}},
	} {
		opstest.Run(t, c.name, func(t *testing.T) {
			levels := func(n int) opstest.Calculation {
				return func(l *opstest.Lab) *ts.Tensor { return encode(l, c.groups, n, c.refine, c.mode) }
			}
			opstest.SameOutcomes(t, 3, levels(c.levels), levels(0))
		})
	}
}

// TestStatisticsOfSupport: Support gives the same as a layer in training without dropout, and
// returns the statistics by which training changes the running averages by a tenth. Support
// does not change these.
func TestStatisticsOfSupport(t *testing.T) {
	for _, c := range []ginCase{
		{"atoms", [][]int{{3, 4, 2}, {}}, 5, 6, true, ops.Mode{Training: true}, nil, 0, false},
		{"rows", [][]int{{3, 4, 2}, {}}, 5, 6, true, ops.Mode{Training: true}, []int{4, 7}, 0, false},
		{"one atom", [][]int{{1}, {}}, 5, 6, false, ops.Mode{Training: true}, nil, 0, false},
	} {
		opstest.Run(t, c.name, func(t *testing.T) {
			l := opstest.New(t, 1, true)
			defer l.Drop()
			host, v, h := c.inputs(l)
			layer := gin(l, c.width, c.inner)
			before := opstest.Matrix{l.Read(layer.Norm.Mean), l.Read(layer.Norm.Var)}
			next, mean, variance, err := layer.Support(h, v, c.relu)
			if err != nil {
				t.Fatal(err)
			}
			l.Made = append(l.Made, next, mean, variance)
			after := opstest.Matrix{l.Read(layer.Norm.Mean), l.Read(layer.Norm.Var)}
			opstest.Near(t, "output", l.Read(next), ginByHand(l, host, c, after[0], after[1]), 1e-11)
			for i, got := range []*ts.Tensor{mean, variance} {
				want := opstest.Times(10, opstest.Sum(after[i], opstest.Times(-0.9, before[i])))
				opstest.Near(t, []string{"mean", "variance"}[i], l.Read(got), want, 1e-11)
			}
			if !slices.Equal(l.Read(layer.Norm.Mean), before[0]) || !slices.Equal(l.Read(layer.Norm.Var), before[1]) {
				t.Error("the running averages changed")
			}
		})
	}
}

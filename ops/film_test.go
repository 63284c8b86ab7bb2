package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

var filmForms = []struct {
	name string
	form ops.FilmForm
}{{"affine", ops.FilmAffine}, {"scale", ops.FilmScale}, {"unit", ops.FilmUnit}}

// filmCase describes rows of tasks, or nodes of graphs, and the vectors that modulate them:
// separate ones, or joined ones followed by extra columns.
type filmCase struct {
	groups [][]int // of atoms; nil for nodes
	graphs int     // of nodes
	n      int
	width  int
	form   ops.FilmForm
	joint  bool
	extra  int // columns after w and b
}

// vectors makes the leaves w and b, or γ and nil.
func (c filmCase) vectors(l *opstest.Lab, sets int) (w, b *ts.Tensor) {
	s, d := int64(sets), int64(c.width)
	if c.joint {
		return l.Leaf("γ", 0.2, 1, s, 2*d+int64(c.extra)), nil
	}
	return l.Leaf("w", 0.2, 1, s, d), l.Leaf("b", 0, 1, s, d)
}

func (c filmCase) run(l *opstest.Lab) *ts.Tensor {
	if c.groups == nil {
		h := l.Leaf("h", 0, 1, int64(c.graphs), int64(c.n), int64(c.width))
		w, b := c.vectors(l, c.graphs)
		return l.Must(ops.FiLMNodes(h, w, b, c.form))
	}
	host := opstest.Molecules(l.Rand, c.groups)
	g := l.Graph(host)
	h := l.Leaf("h", 0, 1, int64(opstest.Atoms(&host)), int64(c.width))
	w, b := c.vectors(l, len(c.groups)/2)
	return l.Must(ops.Named("film").One(ops.Args{In: []*ts.Tensor{h, g.Tasks(), w, b}, Ints: []int64{int64(c.form)}}))
}

// byHand modulates row after row. rows has the number of rows of each set.
func (c filmCase) byHand(l *opstest.Lab) (y []float64) {
	var rows []int
	for i := 0; i < len(c.groups); i += 2 {
		n := 0
		for _, atoms := range append(append([]int{}, c.groups[i]...), c.groups[i+1]...) {
			n += atoms
		}
		rows = append(rows, n)
	}
	for range c.graphs {
		rows = append(rows, c.n)
	}
	h, d := opstest.Rows(l.Values["h"], c.width), c.width
	for s, n := range rows {
		var w, b []float64
		if c.joint {
			gamma := opstest.Rows(l.Values["γ"], 2*d+c.extra)[s]
			w, b = gamma[:d], gamma[d:2*d]
		} else {
			w, b = opstest.Rows(l.Values["w"], d)[s], opstest.Rows(l.Values["b"], d)[s]
		}
		one := 1.0
		switch c.form {
		case ops.FilmScale:
			one = 0
		case ops.FilmUnit:
			w, b = opstest.Times(1/math.Sqrt(opstest.Dot(w, w)), w), opstest.Times(1/math.Sqrt(opstest.Dot(b, b)), b)
		}
		for range n {
			for i := range d {
				y = append(y, h[0][i]*(one+w[i])+b[i])
			}
			h = h[1:]
		}
	}
	return y
}

func filmCases() map[string]filmCase {
	cases := map[string]filmCase{}
	for _, f := range filmForms {
		for _, joint := range []bool{false, true} {
			name := fmt.Sprintf("%s, joint %v", f.name, joint)
			cases["atoms, "+name] = filmCase{groups: [][]int{{3, 1}, {4}, {2}, {}, {5, 5}, {1}}, width: 6, form: f.form, joint: joint, extra: 1}
			cases["one task, "+name] = filmCase{groups: [][]int{{1}, {}}, width: 3, form: f.form, joint: joint}
			cases["nodes, "+name] = filmCase{graphs: 3, n: 4, width: 5, form: f.form, joint: joint, extra: 1}
		}
	}
	for seed := range uint64(3) {
		r := opstest.New(nil, seed, true).Rand
		c := filmCase{width: 1 + r.IntN(90), form: ops.FilmForm(seed), joint: seed != 1, extra: r.IntN(2)}
		for range 2 * (1 + r.IntN(5)) {
			c.groups = append(c.groups, opstest.Sizes(r, r.IntN(50)))
		}
		cases[fmt.Sprintf("random shape %d", seed)] = c
	}
	return cases
}

func TestFiLM(t *testing.T) {
	for name, c := range filmCases() {
		opstest.RunBoth(t, name, func(t *testing.T) {
			opstest.CheckAgainst(t, 1, c.run, c.byHand)
		})
	}
}

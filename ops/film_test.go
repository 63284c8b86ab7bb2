package ops

import (
	"fmt"
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"
)

var filmForms = []struct {
	name string
	form FilmForm
}{{"affine", FilmAffine}, {"scale", FilmScale}, {"unit", FilmUnit}}

// filmCase describes rows of tasks, or nodes of graphs, and the vectors that modulate them:
// separate ones, or joined ones followed by extra columns.
type filmCase struct {
	groups [][]int // of atoms; nil for nodes
	graphs int     // of nodes
	n      int
	width  int
	form   FilmForm
	joint  bool
	extra  int // columns after w and b
}

// vectors makes the leaves w and b, or γ and nil.
func (c filmCase) vectors(l *lab, sets int) (w, b *ts.Tensor) {
	s, d := int64(sets), int64(c.width)
	if c.joint {
		return l.leaf("γ", 0.2, 1, s, 2*d+int64(c.extra)), nil
	}
	return l.leaf("w", 0.2, 1, s, d), l.leaf("b", 0, 1, s, d)
}

func (c filmCase) run(l *lab) *ts.Tensor {
	if c.groups == nil {
		h := l.leaf("h", 0, 1, int64(c.graphs), int64(c.n), int64(c.width))
		w, b := c.vectors(l, c.graphs)
		return l.must(FiLMNodes(h, w, b, c.form))
	}
	host := molecules(l.r, c.groups)
	g := l.graph(host)
	h := l.leaf("h", 0, 1, int64(host.atoms()), int64(c.width))
	w, b := c.vectors(l, len(c.groups)/2)
	return l.must(filmOp.one(args{in: []*ts.Tensor{h, g.bonds.task, w, b}, ints: []int64{int64(c.form)}}))
}

// byHand modulates row after row. rows has the number of rows of each set.
func (c filmCase) byHand(l *lab) (y []float64) {
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
	h, d := matrixOf(l.values["h"], c.width), c.width
	for s, n := range rows {
		var w, b []float64
		if c.joint {
			gamma := matrixOf(l.values["γ"], 2*d+c.extra)[s]
			w, b = gamma[:d], gamma[d:2*d]
		} else {
			w, b = matrixOf(l.values["w"], d)[s], matrixOf(l.values["b"], d)[s]
		}
		one := 1.0
		switch c.form {
		case FilmScale:
			one = 0
		case FilmUnit:
			w, b = times(1/math.Sqrt(dot(w, w)), w), times(1/math.Sqrt(dot(b, b)), b)
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
		r := newLab(nil, seed, true).r
		c := filmCase{width: 1 + r.IntN(90), form: FilmForm(seed), joint: seed != 1, extra: r.IntN(2)}
		for range 2 * (1 + r.IntN(5)) {
			c.groups = append(c.groups, sizes(r, r.IntN(50)))
		}
		cases[fmt.Sprintf("random shape %d", seed)] = c
	}
	return cases
}

func TestFiLM(t *testing.T) {
	for name, c := range filmCases() {
		runBoth(t, name, func(t *testing.T) {
			checkAgainst(t, 1, c.run, c.byHand)
		})
	}
}

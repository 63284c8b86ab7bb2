package ops_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// ginCase describes a batch and how a layer runs on it.
type ginCase struct {
	name         string
	groups       [][]int // atoms of the molecules of each group
	width, inner int
	relu         bool
	mode         ops.Mode
	rows         []int // of each level; nil for a layer on atoms
	layer        int
	alike        bool // atoms share masks
}

func ginCases() []ginCase {
	three := [][]int{{3, 1, 6, 2}, {5, 4}, {2, 7, 1, 1}, {8}}
	training := ops.Mode{Training: true}
	dropout := ops.Mode{Training: true, Dropout: 0.5, Key: 0xfedcba9876543210}
	cases := []ginCase{
		{"evaluation", three, 5, 8, true, ops.Mode{}, nil, 0, false},
		{"evaluation ignores dropout", three, 5, 8, true, ops.Mode{Dropout: 0.5, Key: 3}, nil, 0, false},
		{"evaluation, last layer", three, 5, 8, false, ops.Mode{}, nil, 0, false},
		{"training", three, 5, 8, true, training, nil, 0, false},
		{"training, last layer", three, 5, 8, false, training, nil, 0, false},
		{"training, dropout", three, 16, 32, true, dropout, nil, 0, false},
		{"training, last layer, dropout", three, 16, 32, false, dropout, nil, 0, false},
		{"empty groups", [][]int{{}, {3, 4}, {5}, {}}, 7, 9, true, training, nil, 0, false},
		{"empty group, dropout", [][]int{{3, 4}, {}, {2, 2}, {5}}, 7, 9, true, dropout, nil, 0, false},
		{"a group of one atom", [][]int{{4, 4}, {1}}, 6, 5, true, training, nil, 0, false},
		{"one group of one atom", [][]int{{1}, {}}, 6, 5, false, training, nil, 0, false},
		{"atoms without bonds", [][]int{{1, 1, 1}, {1, 1}}, 4, 4, true, training, nil, 0, false},
		{"width 1", three, 1, 1, true, training, nil, 0, false},
		{"rows to rows", [][]int{{}, {9}}, 5, 8, true, ops.Mode{}, []int{3, 5, 4}, 0, false},
		{"rows to atoms, evaluation", [][]int{{}, {9, 2}}, 5, 8, true, ops.Mode{}, []int{3, 5, 4}, 1, false},
		{"atoms after rows", [][]int{{}, {9, 2}}, 5, 8, true, ops.Mode{}, []int{3, 5, 4}, 2, false},
		{"rows to atoms, training", three, 5, 8, true, training, []int{4, 9}, 0, false},
		{"rows to atoms, dropout", three, 19, 32, true, dropout, []int{4, 9}, 0, false},
		{"rows to atoms, masks in common", three, 19, 32, true, dropout, []int{4, 9}, 0, true},
		{"one row", [][]int{{4, 4}, {1}}, 6, 5, true, ops.Mode{}, []int{1, 1}, 0, false},
		{"more rows than atoms", [][]int{{3}, {2}}, 6, 5, false, training, []int{20, 30}, 0, false},
	}
	for seed := range uint64(4) {
		r := opstest.New(nil, seed, true).Rand
		c := ginCase{name: fmt.Sprintf("random shape %d", seed), width: 1 + r.IntN(70), inner: 1 + r.IntN(90), relu: seed%2 == 0,
			mode: ops.Mode{Training: seed != 3, Dropout: 0.3, Key: r.Uint64()}}
		if seed%2 == 1 {
			c.rows, c.alike = []int{1 + r.IntN(30), 1 + r.IntN(60)}, true
		}
		for range 2 * (1 + r.IntN(3)) {
			c.groups = append(c.groups, opstest.Sizes(r, 1+r.IntN(20)))
		}
		cases = append(cases, c)
	}
	// Above 16384 elements, rows are divided among threads.
	large := opstest.New(nil, 9, true).Rand
	groups := [][]int{opstest.Sizes(large, 40), opstest.Sizes(large, 30)}
	return append(cases, ginCase{"parallel", groups, 64, 128, true, dropout, nil, 0, false},
		ginCase{"parallel, rows to atoms", groups, 70, 64, true, dropout, []int{60, 300}, 0, false},
		ginCase{"parallel, masks in common", groups, 70, 64, true, dropout, []int{60, 300}, 0, true},
		ginCase{"parallel, rows to rows", [][]int{{}, {3}}, 70, 64, true, ops.Mode{}, []int{60, 300, 9}, 0, false})
}

// ginLayer is a layer of GIN, with access to its parameters.
type ginLayer struct {
	ops.Convolution
	*ops.GIN
}

// gin makes the leaves of a GIN layer and its running averages.
func gin(l *opstest.Lab, d, inner int) *ginLayer { return ginNamed(l, "", d, inner) }

// ginNamed is like gin, with names that begin with prefix.
func ginNamed(l *opstest.Lab, prefix string, d, inner int) *ginLayer {
	first, second := l.Linear(prefix+"1", d, inner, true, 0), l.Linear(prefix+"2", inner, d, true, 0)
	n := int64(d)
	g := &ops.GIN{W1: first.W, B1: first.B, W2: second.W, B2: second.B,
		E1: l.Leaf(prefix+"E1", 0, 1, 6, n), E2: l.Leaf(prefix+"E2", 0, 1, 3, n)}
	norm := ops.BatchNorm{Gamma: l.Leaf(prefix+"γ", 1, 0.3, n), Beta: l.Leaf(prefix+"β", 0, 0.3, n),
		Mean: l.Tensor(l.Draw(d), false, n)}
	variance := l.Draw(d)
	for i := range variance {
		variance[i] = 0.5 + variance[i]*variance[i]
	}
	norm.Var = l.Tensor(variance, false, n)
	l.Extra[prefix+"running mean"], l.Extra[prefix+"running variance"] = norm.Mean, norm.Var
	return &ginLayer{ops.Convolution{Of: g, Norm: norm}, g}
}

// smoothGINCases are the cases that finite differences can follow.
func smoothGINCases() []ginCase {
	groups := [][]int{{3, 1, 4}, {5, 2}, {}, {6}}
	return []ginCase{
		{"evaluation", groups, 5, 6, true, ops.Mode{}, nil, 0, false},
		{"training", groups, 5, 6, true, ops.Mode{Training: true}, nil, 0, false},
		{"last layer", groups, 5, 6, false, ops.Mode{Training: true}, nil, 0, false},
		{"dropout", groups, 6, 7, true, ops.Mode{Training: true, Dropout: 0.4, Key: 5}, nil, 0, false},
		{"rows to atoms", groups, 6, 7, true, ops.Mode{Training: true, Dropout: 0.4, Key: 5}, []int{4, 8}, 0, false},
		{"masks in common", groups, 6, 7, true, ops.Mode{Training: true, Dropout: 0.4, Key: 5}, []int{4, 8}, 0, true},
		{"rows to rows", [][]int{{}, {5}}, 5, 6, true, ops.Mode{}, []int{4, 7, 3}, 0, false},
	}
}

// run calculates the case.
func (c ginCase) run(l *opstest.Lab) *ts.Tensor {
	_, v, h := c.inputs(l)
	out, err := gin(l, c.width, c.inner).Layer(h, v, c.relu, c.mode)
	return l.Must(out, err)
}

// inputs makes the graph of the case and the input rows of its layer.
func (c ginCase) inputs(l *opstest.Lab) (ops.HostGraph, *ops.Level, *ts.Tensor) {
	host := opstest.Molecules(l.Rand, c.groups)
	opstest.Invent(&host, l.Rand, c.rows)
	if c.alike {
		opstest.Share(&host, l.Rand)
	}
	v := l.Graph(host).Level(c.layer)
	return host, v, l.Leaf("h", 0, 1, int64(v.InputRows()), int64(c.width))
}

// each runs a subtest on the loops and, unless rows represent several atoms, on the
// kernels.
func (c ginCase) each(t *testing.T, f func(*testing.T)) {
	t.Helper()
	if c.rows == nil {
		opstest.RunBoth(t, c.name, f)
	} else {
		opstest.Run(t, c.name, f)
	}
}

// TestGINDropoutMask compares exactly which entries are dropped: without ReLU an entry
// is 0 if and only if it was dropped.
func TestGINDropoutMask(t *testing.T) {
	opstest.Locked(t, 2)
	c := ginCase{"", [][]int{{5, 6, 7}, {8, 9}}, 31, 20, false, ops.Mode{Training: true, Dropout: 0.5, Key: 77}, nil, 0, false}
	for _, precision := range opstest.Precisions {
		zeros := func(p ops.Form) []bool {
			l := opstest.New(t, 5, precision.Double)
			defer l.Drop()
			var z []bool
			for _, v := range l.Read(opstest.By(p, c.run)(l)) {
				z = append(z, v == 0)
			}
			return z
		}
		got, want := zeros(ops.Fastest), zeros(ops.Plain)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the operation and its plain form drop different entries", precision.Name)
		}
		if !slices.Contains(got, true) || !slices.Contains(got, false) {
			t.Errorf("%s: a mask that drops all or nothing compares nothing", precision.Name)
		}
	}
}

// TestGINMasksInCommon: an atom that shares the mask of another atom has the same entries
// dropped as that atom has when each atom has its own mask.
func TestGINMasksInCommon(t *testing.T) {
	opstest.Locked(t, 2)
	c := ginCase{"", [][]int{{5, 6, 7}, {8, 9}}, 31, 20, false, ops.Mode{Training: true, Dropout: 0.5, Key: 77}, []int{4, 9}, 0, false}
	var like []int32
	zeros := func(alike bool, p ops.Form) []bool {
		c.alike = alike
		l := opstest.New(t, 5, true)
		defer l.Drop()
		var z []bool
		for _, v := range l.Read(opstest.By(p, func(l *opstest.Lab) *ts.Tensor {
			host, v, h := c.inputs(l)
			like = host.Levels[1].Like
			return l.Must(gin(l, c.width, c.inner).Layer(h, v, c.relu, c.mode))
		})(l)) {
			z = append(z, v == 0)
		}
		return z
	}
	own := zeros(false, ops.Fastest)
	for _, p := range []ops.Form{ops.Fastest, ops.Plain} {
		got := zeros(true, p)
		for v, u := range like {
			if got, want := got[v*c.width:(v+1)*c.width], own[int(u)*c.width:(int(u)+1)*c.width]; !slices.Equal(got, want) {
				t.Fatalf("path %v: atom %d is dropped at %v, atom %d, whose mask it has, at %v", p, v, got, u, want)
			}
		}
	}
}

// TestGINByHand calculates the layer and the running averages in plain Go, group after
// group, by their definition.
func TestGINByHand(t *testing.T) {
	for i, c := range ginCases() {
		if c.mode.Training && c.mode.Dropout > 0 {
			continue
		}
		c.each(t, func(t *testing.T) {
			l := opstest.New(t, uint64(i), true)
			defer l.Drop()
			host, v, h := c.inputs(l)
			layer := gin(l, c.width, c.inner)
			mean, variance := l.Read(layer.Norm.Mean), l.Read(layer.Norm.Var)
			y := l.Must(layer.Layer(h, v, c.relu, c.mode))
			want := ginByHand(l, host, c, mean, variance)
			opstest.Near(t, "output", l.Read(y), want, 1e-11)
			opstest.Near(t, "running mean", l.Read(layer.Norm.Mean), mean, 1e-12)
			opstest.Near(t, "running variance", l.Read(layer.Norm.Var), variance, 1e-12)
		})
	}
}

// ginByHand computes one layer without dropout. It updates mean and variance.
func ginByHand(l *opstest.Lab, g ops.HostGraph, c ginCase, mean, variance []float64) []float64 {
	h := opstest.Rows(l.Values["h"], c.width)
	e1, e2 := opstest.Rows(l.Values["E1"], c.width), opstest.Rows(l.Values["E2"], c.width)
	on := c.level(g)
	z := make(opstest.Matrix, len(on.Self))
	for r, self := range on.Self {
		m := opstest.Sum(h[self], e1[4], e2[0])
		for k := on.RowPtr[r]; k < on.RowPtr[r+1]; k++ {
			m = opstest.Sum(m, h[on.Col[k]], e1[on.Bond[2*k]], e2[on.Bond[2*k+1]])
		}
		a := opstest.Affine(l.Values["1.W"], l.Values["1.b"], m)
		for i := range a {
			a[i] = max(0, a[i])
		}
		z[r] = opstest.Affine(l.Values["2.W"], l.Values["2.b"], a)
	}
	group := []int32{0, int32(len(z))}
	if c.layer >= len(c.rows)-2 {
		group = g.Group
	}
	if c.layer == len(c.rows)-2 {
		rows := z
		z = nil
		for _, r := range g.Row {
			z = append(z, slices.Clone(rows[r]))
		}
	}
	for k := 0; k+1 < len(group); k++ {
		opstest.NormByHand(z[group[k]:group[k+1]], l.Values["γ"], l.Values["β"], mean, variance, c.relu, c.mode.Training)
	}
	return slices.Concat(z...)
}

// level returns the level that the case's layer runs on.
func (c ginCase) level(g ops.HostGraph) ops.HostLevel {
	if c.layer+1 < len(c.rows) {
		return g.Levels[c.layer+1]
	}
	on := ops.HostLevel{RowPtr: g.RowPtr, Col: g.Col, Bond: g.Bond}
	for v := range opstest.Atoms(&g) {
		on.Self = append(on.Self, int32(v))
	}
	return on
}

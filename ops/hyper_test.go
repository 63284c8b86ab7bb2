package ops

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// stack holds the widths of an MLP and the steps after each layer.
type stack struct {
	widths []int // in, then out of each layer
	follow []Follow
	bias   bool
}

// layers makes the leaves name.0, name.1, …
func (s stack) layers(l *lab, name string) (layers []Linear) {
	for i, f := range s.follow {
		layers = append(layers, l.linear(fmt.Sprintf("%s.%d", name, i), s.widths[i], s.widths[i+1], s.bias, f))
	}
	return layers
}

// byHand applies the stack to one vector. drop, unless nil, returns the factors of
// layer i.
func (s stack) byHand(l *lab, name string, x []float64, drop func(i int, y []float64)) []float64 {
	for i, f := range s.follow {
		layer := fmt.Sprintf("%s.%d.", name, i)
		y := affine(l.values[layer+"W"], l.values[layer+"b"], x)
		if f&Leaky != 0 {
			y = leaky(y)
		}
		if f&Residual != 0 {
			y = sum(y, x)
		}
		if f&Dropout != 0 && drop != nil {
			drop(i, y)
		}
		x = y
	}
	return x
}

var stacks = map[string]stack{
	"one linear layer":     {[]int{3, 4}, []Follow{0}, true},
	"without bias":         {[]int{3, 4, 2}, []Follow{Leaky, 0}, false},
	"LeakyReLU, residuals": {[]int{5, 6, 6, 6, 2}, []Follow{Leaky, Leaky | Residual, Leaky | Residual, 0}, true},
	"residual of the last": {[]int{4, 4}, []Follow{Residual}, true},
	"residual, no bias":    {[]int{33, 33, 33}, []Follow{Leaky | Residual, Residual}, false},
	"dropout, not active":  {[]int{4, 4, 4}, []Follow{Leaky | Dropout, Leaky | Residual | Dropout}, true},
}

func TestMLP(t *testing.T) {
	for name, s := range stacks {
		runBoth(t, name, func(t *testing.T) {
			in := int64(s.widths[0])
			f := func(l *lab) *ts.Tensor {
				return l.must(MLP(l.leaf("x", 0, 1, 2, 3, in), s.layers(l, "mlp"), Mode{Dropout: 0.5}))
			}
			checkAgainst(t, 1, f, func(l *lab) (y []float64) {
				for _, x := range matrixOf(l.values["x"], s.widths[0]) {
					y = append(y, s.byHand(l, "mlp", x, nil)...)
				}
				return y
			})
			checkGradients(t, 1, f)
		})
	}
}

// TestMLPDropout repeats the masks: layer i draws with the key plus i, over
// the layer's whole output.
func TestMLPDropout(t *testing.T) { runBoth(t, "masks of layers", testMLPDropout) }

func testMLPDropout(t *testing.T) {
	s := stack{[]int{5, 6, 6}, []Follow{Leaky | Dropout, Leaky | Residual | Dropout}, true}
	mode := Mode{Training: true, Dropout: 0.4, Key: 1234}
	const rows = 8
	f := func(l *lab) *ts.Tensor {
		return l.must(MLP(l.leaf("x", 0, 1, rows, 5), s.layers(l, "mlp"), mode))
	}
	checkAgainst(t, 1, f, func(l *lab) (y []float64) {
		var masks matrix
		for i := range s.follow {
			masks = append(masks, l.dropped(plain, rows*6, mode.Dropout, mode.Key+uint64(i)))
		}
		for r, x := range matrixOf(l.values["x"], 5) {
			y = append(y, s.byHand(l, "mlp", x, func(i int, v []float64) {
				for k := range v {
					v[k] *= masks[i][r*6+k]
				}
			})...)
		}
		return y
	})
	checkGradients(t, 1, f)
}

// hyperCase describes a hypernetwork on the support of tasks or on relation graphs.
type hyperCase struct {
	labels   matrix // of each task
	queries  []int32
	d        int
	molecule stack
	means    stack
	last     stack

	unlabelled, averaged bool
}

var hyperCases = map[string]hyperCase{
	"task": {
		labels: matrix{{0, 0, 1, 1}, {0, 0, 1, 1}}, d: 3,
		molecule: stack{[]int{5, 4, 4}, []Follow{Leaky, Leaky | Residual}, true},
		last:     stack{[]int{8, 6, 7}, []Follow{Leaky, 0}, true},
	},
	"classes of different sizes, in any order": {
		labels: matrix{{0, 1, 0, 0}, {1, 1, 0, 1}, {1, 0, 1, 0}}, d: 3,
		molecule: stack{[]int{5, 4}, []Follow{Leaky}, true},
		last:     stack{[]int{8, 5}, []Follow{0}, true},
	},
	"queries": {
		labels: matrix{{0, 1, 1}, {0, 0, 1}}, queries: []int32{0, 1, 1}, d: 4,
		molecule: stack{[]int{6, 4}, []Follow{Leaky}, true},
		last:     stack{[]int{12, 12, 5}, []Follow{Leaky | Residual, 0}, true},
	},
	"queries join late": {
		labels: matrix{{0, 1, 1}, {0, 0, 1}}, queries: []int32{0, 0, 1}, d: 4,
		molecule: stack{[]int{6, 4}, []Follow{Leaky}, true},
		means:    stack{[]int{8, 4}, []Follow{0}, true},
		last:     stack{[]int{8, 8, 1}, []Follow{Leaky | Residual, 0}, true},
	},
	"no labels": {
		labels: matrix{{0, 0, 1, 1}, {0, 1, 1, 1}}, d: 3, unlabelled: true,
		molecule: stack{[]int{3, 4, 4}, []Follow{Leaky, Leaky | Residual}, true},
		last:     stack{[]int{8, 7}, []Follow{0}, true},
	},
	"no labels of queries' tasks": {
		labels: matrix{{0, 1, 1}, {0, 0, 1}}, queries: []int32{0, 1, 1}, d: 4, unlabelled: true,
		molecule: stack{[]int{4, 4}, []Follow{Leaky}, true},
		last:     stack{[]int{12, 12, 5}, []Follow{Leaky | Residual, 0}, true},
	},
	"mean of the class means": {
		labels: matrix{{0, 0, 0, 1}, {0, 1, 1, 1}}, d: 3, averaged: true,
		molecule: stack{[]int{5, 4}, []Follow{Leaky}, true},
		last:     stack{[]int{4, 4, 7}, []Follow{Leaky | Residual, 0}, true},
	},
	"mean of the class means, no labels, queries join late": {
		labels: matrix{{0, 1, 1}, {0, 0, 1}}, queries: []int32{0, 0, 1}, d: 4, unlabelled: true, averaged: true,
		molecule: stack{[]int{4, 4}, []Follow{Leaky}, true},
		means:    stack{[]int{4, 4}, []Follow{0}, true},
		last:     stack{[]int{8, 1}, []Follow{0}, true},
	},
}

func (c hyperCase) run(l *lab) *ts.Tensor {
	n := len(c.labels[0])
	var labels []uint8
	for _, v := range slices.Concat(c.labels...) {
		labels = append(labels, uint8(v))
	}
	h := Hypernetwork{Molecule: c.molecule.layers(l, "molecule"), Means: c.means.layers(l, "means"),
		Last: c.last.layers(l, "last"), Query: c.queries != nil, Unlabelled: c.unlabelled, Averaged: c.averaged}
	if c.queries == nil {
		return l.must(h.Task(l.leaf("x", 0, 1, int64(len(labels)), int64(c.d)), l.bytes(labels...), n, Mode{}))
	}
	nodes := l.leaf("x", 0, 1, int64(len(c.queries)), int64(n+1), int64(c.d))
	return l.must(h.Nodes(nodes, l.bytes(labels...), l.ints(c.queries...), n, Mode{}))
}

// byHand computes Eqs. 9 to 11: each molecule with its label, the class means, the
// query, the last MLP.
func (c hyperCase) byHand(l *lab) (out []float64) {
	n := len(c.labels[0])
	x, sets := matrixOf(l.values["x"], c.d), len(c.labels)
	if c.queries != nil {
		sets = len(c.queries)
	}
	for s := range sets {
		task, query := s, []float64(nil)
		rows := x[s*n:]
		if c.queries != nil {
			task, rows = int(c.queries[s]), x[s*(n+1):]
			query = rows[n]
		}
		r := c.last.byHand(l, "last", append(c.means.byHand(l, "means", c.classMeans(l, rows, task), nil), query...), nil)
		out = append(out, r...)
	}
	return out
}

// classMeans returns [r− | r+], or their mean.
func (c hyperCase) classMeans(l *lab, rows matrix, task int) (joined []float64) {
	for class := range 2 {
		count, total := 0.0, make([]float64, c.molecule.widths[len(c.molecule.widths)-1])
		for i, y := range c.labels[task] {
			if int(y) == class {
				x := slices.Clone(rows[i])
				if !c.unlabelled {
					x = append(x, 1-y, y)
				}
				count, total = count+1, sum(total, c.molecule.byHand(l, "molecule", x, nil))
			}
		}
		joined = append(joined, times(1/count, total)...)
	}
	if half := len(joined) / 2; c.averaged {
		return times(0.5, sum(joined[:half], joined[half:]))
	}
	return joined
}

func TestHypernetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, c := range hyperCases {
		runBoth(t, name, func(t *testing.T) {
			checkAgainst(t, 2, c.run, c.byHand)
			checkGradients(t, 2, c.run)
		})
	}
}

// layersCase runs a hypernetwork on the nodes of three layers, together or one after another.
func layersCase(l *lab, dropout float64, together bool) *ts.Tensor {
	const d, n, layers = 45, 7, 3
	h := Hypernetwork{Query: true,
		Molecule: []Linear{l.linear("molecule", d+2, d, true, Leaky), l.linear("inner", d, d, true, Residual|Dropout)},
		Means:    []Linear{l.linear("means", 2*d, d, true, 0)}, Last: []Linear{l.linear("last", 2*d, 2, true, 0)}}
	labels, task := l.bytes(0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0), l.ints(1, 0, 1, 1, 0)
	mode := Mode{Training: true, Dropout: dropout, Key: 77}
	var nodes, y []*ts.Tensor
	for i := range layers {
		nodes = append(nodes, l.leaf(fmt.Sprint("x", i), 0, 1, 5, n+1, d))
	}
	var err error
	if together {
		y, err = h.NodesOfLayers(nodes, labels, task, n, mode)
	} else {
		for i := 0; i < layers && err == nil; i++ {
			var one *ts.Tensor
			one, err = h.Nodes(nodes[i], labels, task, n, mode)
			y = append(y, one)
		}
	}
	if err != nil {
		l.Fatal(err)
	}
	l.made = append(l.made, y...)
	return l.must(l.must(y[0].Add(y[1], false)).Mul(y[2], false))
}

// TestHypernetworkOfLayers: layers together have the results of one after another; with
// dropout, loops and kernels draw the same masks for the rows of all layers.
func TestHypernetworkOfLayers(t *testing.T) {
	of := func(dropout float64, together bool) calculation {
		return func(l *lab) *ts.Tensor { return layersCase(l, dropout, together) }
	}
	runBoth(t, "one after another", func(t *testing.T) { sameOutcomes(t, 1, of(0, true), of(0, false)) })
	sameOnKernels(t, "with dropout", 1, of(0.4, true))
	run(t, "loops and the definition", func(t *testing.T) { sameOutcome(t, 1, of(0.4, true)) })
	run(t, "none", func(t *testing.T) {
		l := newLab(t, 1, true)
		defer l.drop()
		_, err := (&Hypernetwork{}).NodesOfLayers(nil, l.bytes(0, 1), l.ints(0), 2, Mode{})
		fails(t, err, "no layers")
	})
}

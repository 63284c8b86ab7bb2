package ops_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// stack holds the widths of an MLP and the steps after each layer.
type stack struct {
	widths []int // in, then out of each layer
	follow []ops.Follow
	bias   bool
}

// layers makes the leaves name.0, name.1, …
func (s stack) layers(l *opstest.Lab, name string) (layers []ops.Linear) {
	for i, f := range s.follow {
		layers = append(layers, l.Linear(fmt.Sprintf("%s.%d", name, i), s.widths[i], s.widths[i+1], s.bias, f))
	}
	return layers
}

// byHand applies the stack to one vector. drop, unless nil, returns the factors of
// layer i.
func (s stack) byHand(l *opstest.Lab, name string, x []float64, drop func(i int, y []float64)) []float64 {
	for i, f := range s.follow {
		layer := fmt.Sprintf("%s.%d.", name, i)
		y := opstest.Affine(l.Values[layer+"W"], l.Values[layer+"b"], x)
		if f&ops.Leaky != 0 {
			y = opstest.Leaky(y)
		}
		if f&ops.Residual != 0 {
			y = opstest.Sum(y, x)
		}
		if f&ops.Dropout != 0 && drop != nil {
			drop(i, y)
		}
		x = y
	}
	return x
}

var stacks = map[string]stack{
	"one linear layer":     {[]int{3, 4}, []ops.Follow{0}, true},
	"without bias":         {[]int{3, 4, 2}, []ops.Follow{ops.Leaky, 0}, false},
	"LeakyReLU, residuals": {[]int{5, 6, 6, 6, 2}, []ops.Follow{ops.Leaky, ops.Leaky | ops.Residual, ops.Leaky | ops.Residual, 0}, true},
	"residual of the last": {[]int{4, 4}, []ops.Follow{ops.Residual}, true},
	"residual, no bias":    {[]int{33, 33, 33}, []ops.Follow{ops.Leaky | ops.Residual, ops.Residual}, false},
	"dropout, not active":  {[]int{4, 4, 4}, []ops.Follow{ops.Leaky | ops.Dropout, ops.Leaky | ops.Residual | ops.Dropout}, true},
}

func TestMLP(t *testing.T) {
	for name, s := range stacks {
		opstest.RunBoth(t, name, func(t *testing.T) {
			in := int64(s.widths[0])
			f := func(l *opstest.Lab) *ts.Tensor {
				return l.Must(ops.MLP(l.Leaf("x", 0, 1, 2, 3, in), s.layers(l, "mlp"), ops.Mode{Dropout: 0.5}))
			}
			opstest.CheckAgainst(t, 1, f, func(l *opstest.Lab) (y []float64) {
				for _, x := range opstest.Rows(l.Values["x"], s.widths[0]) {
					y = append(y, s.byHand(l, "mlp", x, nil)...)
				}
				return y
			})
			opstest.CheckGradients(t, 1, f)
		})
	}
}

// TestMLPDropout repeats the masks: layer i draws with the key plus i, over
// the layer's whole output.
func TestMLPDropout(t *testing.T) { opstest.RunBoth(t, "masks of layers", testMLPDropout) }

func testMLPDropout(t *testing.T) {
	s := stack{[]int{5, 6, 6}, []ops.Follow{ops.Leaky | ops.Dropout, ops.Leaky | ops.Residual | ops.Dropout}, true}
	mode := ops.Mode{Training: true, Dropout: 0.4, Key: 1234}
	const rows = 8
	f := func(l *opstest.Lab) *ts.Tensor {
		return l.Must(ops.MLP(l.Leaf("x", 0, 1, rows, 5), s.layers(l, "mlp"), mode))
	}
	opstest.CheckAgainst(t, 1, f, func(l *opstest.Lab) (y []float64) {
		var masks opstest.Matrix
		for i := range s.follow {
			masks = append(masks, dropped(l, ops.Plain, rows*6, mode.Dropout, mode.Key+uint64(i)))
		}
		for r, x := range opstest.Rows(l.Values["x"], 5) {
			y = append(y, s.byHand(l, "mlp", x, func(i int, v []float64) {
				for k := range v {
					v[k] *= masks[i][r*6+k]
				}
			})...)
		}
		return y
	})
	opstest.CheckGradients(t, 1, f)
}

// hyperCase describes a hypernetwork on the support of tasks or on relation graphs.
type hyperCase struct {
	labels   opstest.Matrix // of each task
	queries  []int32
	d        int
	molecule stack
	means    stack
	last     stack

	unlabelled, averaged bool
}

var hyperCases = map[string]hyperCase{
	"task": {
		labels: opstest.Matrix{{0, 0, 1, 1}, {0, 0, 1, 1}}, d: 3,
		molecule: stack{[]int{5, 4, 4}, []ops.Follow{ops.Leaky, ops.Leaky | ops.Residual}, true},
		last:     stack{[]int{8, 6, 7}, []ops.Follow{ops.Leaky, 0}, true},
	},
	"classes of different sizes, in any order": {
		labels: opstest.Matrix{{0, 1, 0, 0}, {1, 1, 0, 1}, {1, 0, 1, 0}}, d: 3,
		molecule: stack{[]int{5, 4}, []ops.Follow{ops.Leaky}, true},
		last:     stack{[]int{8, 5}, []ops.Follow{0}, true},
	},
	"queries": {
		labels: opstest.Matrix{{0, 1, 1}, {0, 0, 1}}, queries: []int32{0, 1, 1}, d: 4,
		molecule: stack{[]int{6, 4}, []ops.Follow{ops.Leaky}, true},
		last:     stack{[]int{12, 12, 5}, []ops.Follow{ops.Leaky | ops.Residual, 0}, true},
	},
	"queries join late": {
		labels: opstest.Matrix{{0, 1, 1}, {0, 0, 1}}, queries: []int32{0, 0, 1}, d: 4,
		molecule: stack{[]int{6, 4}, []ops.Follow{ops.Leaky}, true},
		means:    stack{[]int{8, 4}, []ops.Follow{0}, true},
		last:     stack{[]int{8, 8, 1}, []ops.Follow{ops.Leaky | ops.Residual, 0}, true},
	},
	"no labels": {
		labels: opstest.Matrix{{0, 0, 1, 1}, {0, 1, 1, 1}}, d: 3, unlabelled: true,
		molecule: stack{[]int{3, 4, 4}, []ops.Follow{ops.Leaky, ops.Leaky | ops.Residual}, true},
		last:     stack{[]int{8, 7}, []ops.Follow{0}, true},
	},
	"no labels of queries' tasks": {
		labels: opstest.Matrix{{0, 1, 1}, {0, 0, 1}}, queries: []int32{0, 1, 1}, d: 4, unlabelled: true,
		molecule: stack{[]int{4, 4}, []ops.Follow{ops.Leaky}, true},
		last:     stack{[]int{12, 12, 5}, []ops.Follow{ops.Leaky | ops.Residual, 0}, true},
	},
	"mean of the class means": {
		labels: opstest.Matrix{{0, 0, 0, 1}, {0, 1, 1, 1}}, d: 3, averaged: true,
		molecule: stack{[]int{5, 4}, []ops.Follow{ops.Leaky}, true},
		last:     stack{[]int{4, 4, 7}, []ops.Follow{ops.Leaky | ops.Residual, 0}, true},
	},
	"mean of the class means, no labels, queries join late": {
		labels: opstest.Matrix{{0, 1, 1}, {0, 0, 1}}, queries: []int32{0, 0, 1}, d: 4, unlabelled: true, averaged: true,
		molecule: stack{[]int{4, 4}, []ops.Follow{ops.Leaky}, true},
		means:    stack{[]int{4, 4}, []ops.Follow{0}, true},
		last:     stack{[]int{8, 1}, []ops.Follow{0}, true},
	},
}

func (c hyperCase) run(l *opstest.Lab) *ts.Tensor {
	n := len(c.labels[0])
	var labels []uint8
	for _, v := range slices.Concat(c.labels...) {
		labels = append(labels, uint8(v))
	}
	h := ops.Hypernetwork{Molecule: c.molecule.layers(l, "molecule"), Means: c.means.layers(l, "means"),
		Last: c.last.layers(l, "last"), Query: c.queries != nil, Unlabelled: c.unlabelled, Averaged: c.averaged}
	if c.queries == nil {
		return l.Must(h.Task(l.Leaf("x", 0, 1, int64(len(labels)), int64(c.d)), l.Bytes(labels...), n, ops.Mode{}))
	}
	nodes := l.Leaf("x", 0, 1, int64(len(c.queries)), int64(n+1), int64(c.d))
	return l.Must(h.Nodes(nodes, l.Bytes(labels...), l.Ints(c.queries...), n, ops.Mode{}))
}

// byHand computes Eqs. 9 to 11: each molecule with its label, the class means, the
// query, the last MLP.
func (c hyperCase) byHand(l *opstest.Lab) (out []float64) {
	n := len(c.labels[0])
	x, sets := opstest.Rows(l.Values["x"], c.d), len(c.labels)
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
func (c hyperCase) classMeans(l *opstest.Lab, rows opstest.Matrix, task int) (joined []float64) {
	for class := range 2 {
		count, total := 0.0, make([]float64, c.molecule.widths[len(c.molecule.widths)-1])
		for i, y := range c.labels[task] {
			if int(y) == class {
				x := slices.Clone(rows[i])
				if !c.unlabelled {
					x = append(x, 1-y, y)
				}
				count, total = count+1, opstest.Sum(total, c.molecule.byHand(l, "molecule", x, nil))
			}
		}
		joined = append(joined, opstest.Times(1/count, total)...)
	}
	if half := len(joined) / 2; c.averaged {
		return opstest.Times(0.5, opstest.Sum(joined[:half], joined[half:]))
	}
	return joined
}

func TestHypernetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, c := range hyperCases {
		opstest.RunBoth(t, name, func(t *testing.T) {
			opstest.CheckAgainst(t, 2, c.run, c.byHand)
			opstest.CheckGradients(t, 2, c.run)
		})
	}
}

// layersCase runs a hypernetwork on the nodes of three layers, together or one after another.
func layersCase(l *opstest.Lab, dropout float64, together bool) *ts.Tensor {
	const d, n, layers = 45, 7, 3
	h := ops.Hypernetwork{Query: true,
		Molecule: []ops.Linear{l.Linear("molecule", d+2, d, true, ops.Leaky), l.Linear("inner", d, d, true, ops.Residual|ops.Dropout)},
		Means:    []ops.Linear{l.Linear("means", 2*d, d, true, 0)}, Last: []ops.Linear{l.Linear("last", 2*d, 2, true, 0)}}
	labels, task := l.Bytes(0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0), l.Ints(1, 0, 1, 1, 0)
	mode := ops.Mode{Training: true, Dropout: dropout, Key: 77}
	var nodes, y []*ts.Tensor
	for i := range layers {
		nodes = append(nodes, l.Leaf(fmt.Sprint("x", i), 0, 1, 5, n+1, d))
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
	l.Made = append(l.Made, y...)
	return l.Must(l.Must(y[0].Add(y[1], false)).Mul(y[2], false))
}

// TestHypernetworkOfLayers: layers together have the results of one after another; with
// dropout, loops and kernels draw the same masks for the rows of all layers.
func TestHypernetworkOfLayers(t *testing.T) {
	of := func(dropout float64, together bool) opstest.Calculation {
		return func(l *opstest.Lab) *ts.Tensor { return layersCase(l, dropout, together) }
	}
	opstest.RunBoth(t, "one after another", func(t *testing.T) { opstest.SameOutcomes(t, 1, of(0, true), of(0, false)) })
	sameOnKernels(t, "with dropout", 1, of(0.4, true))
	opstest.Run(t, "loops and the definition", func(t *testing.T) { opstest.SameOutcome(t, 1, of(0.4, true)) })
	opstest.Run(t, "none", func(t *testing.T) {
		l := opstest.New(t, 1, true)
		defer l.Drop()
		_, err := (&ops.Hypernetwork{}).NodesOfLayers(nil, l.Bytes(0, 1), l.Ints(0), 2, ops.Mode{})
		opstest.Fails(t, err, "no layers")
	})
}

package ops_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// mixCase describes layers of nodes, or of atoms by offsets, that are mixed.
type mixCase struct {
	layers  int
	shape   []int64 // of one layer; R rows first, or atoms
	columns []int   // of the score of each layer, p last
	offsets []int32
	choose  bool
}

var mixCases = map[string]mixCase{
	"soft":                   {3, []int64{4, 3, 5}, []int{1, 1, 1}, nil, false},
	"soft, p last of many":   {3, []int64{4, 3, 5}, []int{7, 7, 7}, nil, false},
	"soft, one layer":        {1, []int64{2, 2, 2}, []int{1}, nil, false},
	"soft, atoms of tasks":   {4, []int64{9, 5}, []int{3, 3, 3, 3}, []int32{0, 4, 4, 9}, false},
	"choose":                 {3, []int64{6, 3, 5}, []int{1, 1, 1}, nil, true},
	"choose, atoms of tasks": {4, []int64{9, 5}, []int{2, 2, 2, 2}, []int32{0, 4, 9}, true},
}

func (c mixCase) run(l *opstest.Lab) *ts.Tensor {
	rows := c.shape[0]
	var offsets *ts.Tensor
	if c.offsets != nil {
		rows, offsets = int64(len(c.offsets))-1, l.Ints(c.offsets...)
	}
	var layers, scores []*ts.Tensor
	for i := range c.layers {
		layers = append(layers, l.Leaf(fmt.Sprintf("layer.%d", i), 0, 1, c.shape...))
		scores = append(scores, l.Leaf(fmt.Sprintf("score.%d", i), 0, 1, rows, int64(c.columns[i])))
	}
	mixture, p, err := ops.Mix(layers, scores, offsets, c.choose)
	l.Extra["p"] = l.Must(p, err)
	return l.Must(mixture, err)
}

// plausibilities returns p [R, L] of the leaves score.0, score.1, …
func plausibilities(l *opstest.Lab, columns []int) opstest.Matrix {
	var p opstest.Matrix
	for i, n := range columns {
		for r, row := range opstest.Rows(l.Values[fmt.Sprintf("score.%d", i)], n) {
			if i == 0 {
				p = append(p, nil)
			}
			p[r] = append(p[r], row[n-1])
		}
	}
	return p
}

func softmax(p []float64) []float64 {
	y, total := make([]float64, len(p)), 0.0
	for i, v := range p {
		y[i] = math.Exp(v)
		total += y[i]
	}
	return opstest.Times(1/total, y)
}

func (c mixCase) byHand(l *opstest.Lab) []float64 {
	width := opstest.Size(c.shape[1:])
	y := make(opstest.Matrix, c.shape[0])
	for r, p := range plausibilities(l, c.columns) {
		weights := softmax(p)
		if c.choose {
			best := slices.Index(p, slices.Max(p))
			weights = make([]float64, len(p))
			weights[best] = 1
		}
		rows := []int32{int32(r), int32(r) + 1}
		if c.offsets != nil {
			rows = c.offsets[r:]
		}
		for k := rows[0]; k < rows[1]; k++ {
			y[k] = make([]float64, width)
			for i, w := range weights {
				y[k] = opstest.Sum(y[k], opstest.Times(w, opstest.Rows(l.Values[fmt.Sprintf("layer.%d", i)], width)[k]))
			}
		}
	}
	return slices.Concat(y...)
}

func TestMix(t *testing.T) {
	for name, c := range mixCases {
		opstest.RunBoth(t, name, func(t *testing.T) {
			opstest.CheckAgainst(t, 3, c.run, c.byHand)
			l := opstest.New(t, 3, true)
			defer l.Drop()
			c.run(l)
			opstest.Near(t, "p", l.Read(l.Extra["p"]), slices.Concat(plausibilities(l, c.columns)...), 0)
			if !c.choose {
				opstest.CheckGradients(t, 3, c.run)
			}
		})
	}
}

// classifierCase describes the adaptive classifier on layers of nodes.
type classifierCase struct {
	labels []uint8
	task   []int32
	n, d   int
	layers int
	sets   int
}

var classifierCases = map[string]classifierCase{
	"one network for both classes": {[]uint8{0, 0, 1, 1, 0, 0, 1, 1}, []int32{0, 1, 1}, 4, 5, 2, 1},
	"one network for each class":   {[]uint8{0, 1, 1, 0, 0, 1}, []int32{0, 0, 1}, 3, 4, 1, 2},
	"classes of different sizes":   {[]uint8{0, 1, 0, 0, 0, 1, 1, 1, 0, 1}, []int32{1, 0, 1}, 5, 4, 2, 1},
}

func (c classifierCase) stacks() (w, b stack) {
	follow := []ops.Follow{ops.Leaky, ops.Leaky | ops.Residual, 0}
	return stack{[]int{c.d, c.d, c.d, c.d}, follow, true}, stack{[]int{c.d, c.d, c.d, 1}, follow, true}
}

func (c classifierCase) run(l *opstest.Lab) *ts.Tensor {
	var layers []*ts.Tensor
	for i := range c.layers {
		layers = append(layers, l.Leaf(fmt.Sprintf("layer.%d", i), 0, 1, int64(len(c.task)), int64(c.n+1), int64(c.d)))
	}
	w, b := c.stacks()
	var k ops.Classifier
	for i := range c.sets {
		k.W, k.B = append(k.W, w.layers(l, fmt.Sprintf("w%d", i))), append(k.B, b.layers(l, fmt.Sprintf("b%d", i)))
	}
	return l.Must(k.Logits(layers, l.Bytes(c.labels...), l.Ints(c.task...), c.n))
}

// byHand computes Eqs. 16 to 20: a class's prototype gives the weights and the bias
// of its logit.
func (c classifierCase) byHand(l *opstest.Lab) (logits []float64) {
	w, b := c.stacks()
	for q, task := range c.task {
		for i := range c.layers {
			nodes := opstest.Rows(l.Values[fmt.Sprintf("layer.%d", i)], c.d)[q*(c.n+1):]
			for class := range 2 {
				count, prototype := 0.0, make([]float64, c.d)
				for s, y := range c.labels[int(task)*c.n : (int(task)+1)*c.n] {
					if int(y) == class {
						count, prototype = count+1, opstest.Sum(prototype, nodes[s])
					}
				}
				set := class * (c.sets - 1)
				prototype = opstest.Times(1/count, prototype)
				weight := w.byHand(l, fmt.Sprintf("w%d", set), prototype, nil)
				bias := b.byHand(l, fmt.Sprintf("b%d", set), prototype, nil)
				logits = append(logits, opstest.Dot(weight, nodes[c.n])+bias[0])
			}
		}
	}
	return logits
}

func TestClassifier(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, c := range classifierCases {
		opstest.RunBoth(t, name, func(t *testing.T) {
			opstest.CheckAgainst(t, 4, c.run, c.byHand)
			opstest.CheckGradients(t, 4, c.run)
		})
	}
}

package ops_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// The forms beside the last layer's.
var lossExpected, lossUniform = ops.LossNamed("expected"), ops.LossNamed("uniform")

// lossCase describes a loss of queries of tasks. weights of a task sum to 1/B.
type lossCase struct {
	labels  []uint8
	weights []float64
	tasks   int
	layers  int
	columns []int // of the scores; nil without
	form    ops.LossForm
}

var lossCases = map[string]lossCase{
	"last":                          {[]uint8{0, 1, 1}, []float64{0.5, 0.25, 0.25}, 2, 3, nil, ops.LossLast},
	"last ignores scores":           {[]uint8{0, 1, 1}, []float64{0.5, 0.25, 0.25}, 2, 2, []int{1, 1}, ops.LossLast},
	"expected":                      {[]uint8{0, 1, 1, 0}, []float64{0.5, 0.25, 0.125, 0.125}, 2, 3, []int{1, 1, 1}, lossExpected},
	"expected, p last of many":      {[]uint8{1, 0}, []float64{0.5, 0.5}, 1, 2, []int{4, 4}, lossExpected},
	"uniform, tasks are averaged":   {[]uint8{1, 0, 0, 1, 1}, []float64{0.1, 0.1, 0.3, 0.3, 0.2}, 3, 2, []int{1, 1}, lossUniform},
	"uniform, weights are not used": {[]uint8{1, 0}, []float64{9, 9}, 1, 1, nil, lossUniform},
}

func (c lossCase) run(l *opstest.Lab) *ts.Tensor {
	q := int64(len(c.labels))
	logits := l.Leaf("logits", 0, 2, q, int64(c.layers), 2)
	var scores []*ts.Tensor
	for i, n := range c.columns {
		scores = append(scores, l.Leaf(fmt.Sprintf("score.%d", i), 0, 1, q, int64(n)))
	}
	parts, err := ops.Loss(logits, l.Bytes(c.labels...), l.Tensor(c.weights, false, q), scores, c.form, c.tasks)
	if err != nil {
		l.Fatal(err)
	}
	l.Extra["cross entropy"] = parts.CrossEntropy
	if parts.P != nil {
		l.Extra["p"] = parts.P
	}
	l.Made = append(l.Made, parts.Loss, parts.CrossEntropy, parts.P)
	return parts.Loss
}

// crossEntropies returns CE [Q, L].
func (c lossCase) crossEntropies(l *opstest.Lab) (ce opstest.Matrix) {
	logits := opstest.Rows(l.Values["logits"], 2)
	for q, y := range c.labels {
		ce = append(ce, nil)
		for _, x := range logits[q*c.layers : (q+1)*c.layers] {
			ce[q] = append(ce[q], -math.Log(softmax(x)[y]))
		}
	}
	return ce
}

func (c lossCase) byHand(l *opstest.Lab) []float64 {
	loss, p := 0.0, plausibilities(l, c.columns)
	for q, ce := range c.crossEntropies(l) {
		switch c.form {
		case ops.LossLast:
			loss += c.weights[q] * ce[c.layers-1]
		case lossExpected:
			loss += c.weights[q] * opstest.Dot(softmax(p[q]), ce)
		default:
			for _, v := range ce {
				loss += v / float64(c.tasks)
			}
		}
	}
	return []float64{loss}
}

func TestLoss(t *testing.T) {
	for name, c := range lossCases {
		opstest.RunBoth(t, name, func(t *testing.T) {
			opstest.CheckAgainst(t, 5, c.run, c.byHand)
			l := opstest.New(t, 5, true)
			defer l.Drop()
			c.run(l)
			opstest.Near(t, "cross entropies", l.Read(l.Extra["cross entropy"]), slices.Concat(c.crossEntropies(l)...), 1e-12)
			if c.columns == nil {
				if l.Extra["p"] != nil {
					t.Error("there is a p without scores")
				}
			} else {
				opstest.Near(t, "p", l.Read(l.Extra["p"]), slices.Concat(plausibilities(l, c.columns)...), 0)
			}
			if c.columns == nil || c.form == lossExpected {
				opstest.CheckGradients(t, 5, c.run)
			}
		})
	}
}

// TestLossBlindToScores: only the expectation trains the depth. The published
// code's loss, uniform, gives it no gradient.
func TestLossBlindToScores(t *testing.T) {
	for _, form := range []ops.LossForm{ops.LossLast, lossUniform} {
		opstest.RunBoth(t, fmt.Sprint("form ", form), func(t *testing.T) {
			c := lossCases["uniform, tasks are averaged"]
			c.form = form
			o := opstest.Computed(t, 5, true, func(l *opstest.Lab) *ts.Tensor {
				y := c.run(l)
				l.Extra = nil
				return y
			})
			if g := o.Stages["gradient of score.0"]; g != nil {
				t.Errorf("the score has the gradient %v, want none", g)
			}
			if g := o.Stages["gradient of logits"]; g == nil {
				t.Error("the logits have no gradient")
			}
		})
	}
}

// TestNumberNotFinite: a loss of infinite logits is reported, not passed on.
func TestNumberNotFinite(t *testing.T) {
	opstest.Locked(t, 2)
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		l := opstest.New(t, 1, true)
		got, err := ops.Number(l.Tensor([]float64{v}, false, 1))
		if !errors.Is(err, ops.ErrNotFinite) {
			t.Errorf("Number of %v: error %v, want ErrNotFinite", v, err)
		}
		if got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
			t.Errorf("Number of %v beside the error is %v", v, got)
		}
		if _, err := ops.Number(l.Tensor([]float64{1, 2}, false, 2)); err == nil {
			t.Error("Number of two values: no error")
		}
		l.Drop()
	}
}

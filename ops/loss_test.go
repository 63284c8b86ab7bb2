package ops

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// lossCase describes a loss of queries of tasks. weights of a task sum to 1/B.
type lossCase struct {
	labels  []uint8
	weights []float64
	tasks   int
	layers  int
	columns []int // of the scores; nil without
	form    LossForm
}

var lossCases = map[string]lossCase{
	"last":                          {[]uint8{0, 1, 1}, []float64{0.5, 0.25, 0.25}, 2, 3, nil, LossLast},
	"last ignores scores":           {[]uint8{0, 1, 1}, []float64{0.5, 0.25, 0.25}, 2, 2, []int{1, 1}, LossLast},
	"expected":                      {[]uint8{0, 1, 1, 0}, []float64{0.5, 0.25, 0.125, 0.125}, 2, 3, []int{1, 1, 1}, LossExpected},
	"expected, p last of many":      {[]uint8{1, 0}, []float64{0.5, 0.5}, 1, 2, []int{4, 4}, LossExpected},
	"uniform, tasks are averaged":   {[]uint8{1, 0, 0, 1, 1}, []float64{0.1, 0.1, 0.3, 0.3, 0.2}, 3, 2, []int{1, 1}, LossUniform},
	"uniform, weights are not used": {[]uint8{1, 0}, []float64{9, 9}, 1, 1, nil, LossUniform},
}

func (c lossCase) run(l *lab) *ts.Tensor {
	q := int64(len(c.labels))
	logits := l.leaf("logits", 0, 2, q, int64(c.layers), 2)
	var scores []*ts.Tensor
	for i, n := range c.columns {
		scores = append(scores, l.leaf(fmt.Sprintf("score.%d", i), 0, 1, q, int64(n)))
	}
	parts, err := Loss(logits, l.bytes(c.labels...), l.tensor(c.weights, false, q), scores, c.form, c.tasks)
	if err != nil {
		l.Fatal(err)
	}
	l.extra["cross entropy"] = parts.CrossEntropy
	if parts.P != nil {
		l.extra["p"] = parts.P
	}
	l.made = append(l.made, parts.Loss, parts.CrossEntropy, parts.P)
	return parts.Loss
}

// crossEntropies returns CE [Q, L].
func (c lossCase) crossEntropies(l *lab) (ce matrix) {
	logits := matrixOf(l.values["logits"], 2)
	for q, y := range c.labels {
		ce = append(ce, nil)
		for _, x := range logits[q*c.layers : (q+1)*c.layers] {
			ce[q] = append(ce[q], -math.Log(softmax(x)[y]))
		}
	}
	return ce
}

func (c lossCase) byHand(l *lab) []float64 {
	loss, p := 0.0, plausibilities(l, c.columns)
	for q, ce := range c.crossEntropies(l) {
		switch c.form {
		case LossLast:
			loss += c.weights[q] * ce[c.layers-1]
		case LossExpected:
			loss += c.weights[q] * dot(softmax(p[q]), ce)
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
		runBoth(t, name, func(t *testing.T) {
			checkAgainst(t, 5, c.run, c.byHand)
			l := newLab(t, 5, true)
			defer l.drop()
			c.run(l)
			near(t, "cross entropies", l.read(l.extra["cross entropy"]), slices.Concat(c.crossEntropies(l)...), 1e-12)
			if c.columns == nil {
				if l.extra["p"] != nil {
					t.Error("there is a p without scores")
				}
			} else {
				near(t, "p", l.read(l.extra["p"]), slices.Concat(plausibilities(l, c.columns)...), 0)
			}
			if c.columns == nil || c.form == LossExpected {
				checkGradients(t, 5, c.run)
			}
		})
	}
}

// TestLossBlindToScores: only the expectation trains the depth. The published
// code's loss, LossUniform, gives it no gradient.
func TestLossBlindToScores(t *testing.T) {
	for _, form := range []LossForm{LossLast, LossUniform} {
		runBoth(t, fmt.Sprint("form ", form), func(t *testing.T) {
			c := lossCases["uniform, tasks are averaged"]
			c.form = form
			o := outcomeOf(t, 5, true, func(l *lab) *ts.Tensor {
				y := c.run(l)
				l.extra = nil
				return y
			})
			if g := o.stages["gradient of score.0"]; g != nil {
				t.Errorf("the score has the gradient %v, want none", g)
			}
			if g := o.stages["gradient of logits"]; g == nil {
				t.Error("the logits have no gradient")
			}
		})
	}
}

// TestNumberNotFinite: a loss of infinite logits is reported, not passed on.
func TestNumberNotFinite(t *testing.T) {
	locked(t, 2)
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		l := newLab(t, 1, true)
		got, err := Number(l.tensor([]float64{v}, false, 1))
		if !errors.Is(err, ErrNotFinite) {
			t.Errorf("Number of %v: error %v, want ErrNotFinite", v, err)
		}
		if got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
			t.Errorf("Number of %v beside the error is %v", v, got)
		}
		if _, err := Number(l.tensor([]float64{1, 2}, false, 2)); err == nil {
			t.Error("Number of two values: no error")
		}
		l.drop()
	}
}

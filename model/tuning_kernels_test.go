package model_test

import (
	"math"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// TestTunersOnKernels compares with the loops, in float64. Scores are read in
// float32, with a tolerance of 1e-6.
func TestTunersOnKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(3, 24)
	batch := modeltest.Joined(t, store, modeltest.Task(0, 3, 4), modeltest.Numbered(modeltest.Task(12, 3, 2), 4))
	for _, method := range tuners() {
		for _, read := range [][2]string{{"mean", "last"}, {"max", "concat"}} {
			c := small(t, method, model.Paper)
			c.Dropout, c.Readout, c.Jump = 0.3, read[0], read[1]
			outcome := func(t *testing.T) (grads map[string][]float64, prob []float64) {
				m := newTest(t, c, model.Options{Float64: true, Tasks: []int{4, 0}})
				m.Tune(model.Tuning{Steps: 3, LearningRate: 0.01})
				if !m.Traits().Untrained {
					_, grads = modeltest.Backward(t, m, batch, 5)
				}
				a := modeltest.Adapt(t, m, store, modeltest.Task(0, 3, 0))
				prob, _ = modeltest.Scores(t, m, a, store, []int32{9, 10, 11, 12, 13}, 3)
				return grads, prob
			}
			t.Run(method+" "+read[0], func(t *testing.T) {
				modeltest.Locked(t, 2)
				want, ranked := outcome(t)
				modeltest.Emulated(t)
				got, again := outcome(t)
				// Sums round in proportion to their terms. Batch norm of few atoms cancels terms as large as the
				// largest gradients.
				scale := 1.0
				for _, gradient := range want {
					for _, v := range gradient {
						scale = max(scale, math.Abs(v))
					}
				}
				for name := range want {
					modeltest.Near(t, "gradient of "+name, got[name], want[name], 1e-9*scale)
				}
				modeltest.Near(t, "P(active)", again, ranked, 1e-6)
			})
		}
	}
}

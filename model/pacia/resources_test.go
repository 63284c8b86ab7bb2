package pacia

import (
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// light returns a preset at full size, and the batch of a step with few molecules.
func light(t *testing.T, preset string, change func(*config)) (*model.Model, *molecule.Store, *data.Batch) {
	t.Helper()
	c := full(t, preset)
	change(&c)
	store := modeltest.RandomStore(9, 30)
	m := newTest(t, c, false)
	return m, store, modeltest.Readable(m, modeltest.Joined(t, store, modeltest.Task(0, 2, 3), modeltest.Task(10, 2, 4)))
}

var adaptedAs = map[string]func(*config){
	"as published":     func(*config) {},
	"all is adapted":   func(c *config) { c.Adapt = Adapt{"ND", "ND"} },
	"nothing is":       func(c *config) { c.Adapt = Adapt{"none", "none"} },
	"uniform, scale":   func(c *config) { c.DepthLoss, c.Film = "uniform", "scale" },
	"nodes of queries": func(c *config) { c.Adapt.Predictor = "N" },
	"FS-Mol's encoder": func(c *config) {
		c.Encoder, c.Layers, c.Width, c.Readout, c.Jump = "pna", 8, 128, "combined", "concat"
	},
}

// TestTensorsOfAStep: a gotch tensor costs more than a small matrix product. So a
// training step makes at most 150 of them. Neither training nor adapting and scoring
// leak any.
func TestTensorsOfAStep(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, preset := range []string{model.Paper, model.Reference} {
		for name, change := range adaptedAs {
			t.Run(preset+"/"+name, func(t *testing.T) {
				modeltest.Locked(t, 1)
				start := len(ts.ExistingTensors)
				m, store, b := light(t, preset, change)
				adam := modeltest.Optimiser(t, m)
				before, made := len(ts.ExistingTensors), ops.TensorsMade()
				if _, err := m.Backward(b, 1); err != nil {
					t.Fatal(err)
				}
				if _, err := adam.Step(); err != nil {
					t.Fatal(err)
				}
				if n := ops.TensorsMade() - made; n > 150 {
					t.Errorf("a step makes %d tensors, want at most 150", n)
				}
				if n := len(ts.ExistingTensors); n != before {
					t.Errorf("a step leaks %d tensors", n-before)
				}
				support, err := data.AssembleSupport(store, modeltest.Task(0, 2, 0))
				if err != nil {
					t.Fatal(err)
				}
				a, err := m.Adapt(modeltest.Readable(m, support))
				if err != nil {
					t.Fatal(err)
				}
				kept := len(ts.ExistingTensors)
				modeltest.Scores(t, m, a, store, []int32{5, 6, 7}, 2)
				table := len(ts.ExistingTensors) - kept // of states, which the model keeps
				if table > 1 {
					t.Errorf("scoring leaks %d tensors", table)
				}
				modeltest.Scores(t, m, a, store, []int32{5, 6, 7}, 2)
				a.Drop()
				if n := len(ts.ExistingTensors); n != before+table {
					t.Errorf("an adapted model that was dropped leaks %d tensors beside %d tables", n-before-table, table)
				}
				// The cleanups accept that these are already dropped.
				m.Drop()
				adam.Drop()
				if n := len(ts.ExistingTensors); n != start {
					t.Errorf("a model and its optimiser that were dropped leak %d tensors", n-start)
				}
			})
		}
	}
}

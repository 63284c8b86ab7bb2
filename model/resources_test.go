package model

import (
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/ops"
)

// full is a preset at full size on a step of few molecules.
func full(t *testing.T, preset string, change func(*Config)) (*Model, *data.Store, *data.Batch) {
	t.Helper()
	c, err := ForPreset(preset)
	if err != nil {
		t.Fatal(err)
	}
	change(&c)
	store := randomStore(9, 30)
	m := newTest(t, c, false)
	return m, store, readable(m, joined(t, store, task(0, 2, 3), task(10, 2, 4)))
}

var adaptedAs = map[string]func(*Config){
	"as published":     func(*Config) {},
	"all is adapted":   func(c *Config) { c.Adapt = AdaptConfig{"ND", "ND"} },
	"nothing is":       func(c *Config) { c.Adapt = AdaptConfig{"none", "none"} },
	"uniform, scale":   func(c *Config) { c.DepthLoss, c.Film = "uniform", "scale" },
	"nodes of queries": func(c *Config) { c.Adapt.Predictor = "N" },
	"FS-Mol's encoder": func(c *Config) {
		c.Encoder, c.Layers, c.Width, c.Readout, c.Jump = "pna", 8, 128, "combined", "concat"
	},
}

// optimiser is Adam on a model, until the end of the test.
func optimiser(t *testing.T, m *Model) *ops.Adam {
	t.Helper()
	var list []*ts.Tensor
	for _, p := range m.Parameters() {
		list = append(list, p.Tensor)
	}
	adam, err := ops.NewAdam(list, ops.AdamOptions{LR: 1e-3, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, ClipNorm: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(adam.Drop)
	return adam
}

// TestTensorsOfAStep: a gotch tensor costs more than a small matrix product,
// so a training step makes 150 at most, and leaves none behind; nor does
// adapting and scoring.
func TestTensorsOfAStep(t *testing.T) {
	for _, preset := range []string{Paper, Reference} {
		for name, change := range adaptedAs {
			t.Run(preset+"/"+name, func(t *testing.T) {
				locked(t, 2)
				start := len(ts.ExistingTensors)
				m, store, b := full(t, preset, change)
				adam := optimiser(t, m)
				before, made := len(ts.ExistingTensors), ops.TensorsMade()
				if _, err := m.Backward(b, 1); err != nil {
					t.Fatal(err)
				}
				if _, err := adam.Step(); err != nil {
					t.Fatal(err)
				}
				if n := ops.TensorsMade() - made; n > 150 {
					t.Errorf("a step makes %d tensors, 150 at most are to be", n)
				}
				if n := len(ts.ExistingTensors); n != before {
					t.Errorf("a step leaves %d tensors", n-before)
				}
				support, err := data.AssembleSupport(store, task(0, 2, 0))
				if err != nil {
					t.Fatal(err)
				}
				a, err := m.Adapt(readable(m, support))
				if err != nil {
					t.Fatal(err)
				}
				kept := len(ts.ExistingTensors)
				scores(t, m, a, store, []int32{5, 6, 7}, 2)
				if n := len(ts.ExistingTensors); n != kept {
					t.Errorf("scoring leaves %d tensors", n-kept)
				}
				a.Drop()
				if n := len(ts.ExistingTensors); n != before {
					t.Errorf("an adapted model that was dropped leaves %d tensors", n-before)
				}
				// What is dropped here is not there for the cleanups any more.
				m.Drop()
				adam.Drop()
				if n := len(ts.ExistingTensors); n != start {
					t.Errorf("a model and its optimiser that were dropped leave %d tensors", n-start)
				}
			})
		}
	}
}

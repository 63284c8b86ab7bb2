package modeltest

import (
	"slices"
	"strings"
	"testing"

	"pacia/data/molecule"
	"pacia/model"
)

// Outcome holds a model's results: by name, in float64.
type Outcome map[string][]float64

// OutcomeOf takes a training step, adapts and scores with a new model. Its tasks
// have the number 0. A method that tunes makes three steps.
func OutcomeOf(t testing.TB, s model.Spec, c model.Config, store *molecule.Store) Outcome {
	t.Helper()
	m := New(t, s, c, model.Options{Float64: true, Tasks: []int{0}})
	m.Tune(model.Tuning{Steps: 3, LearningRate: 0.01})
	loss, grads := Backward(t, m, Joined(t, store, Task(0, 3, 4), Task(12, 3, 2)), 5)
	o := Outcome{"loss": {loss}}
	for name, g := range grads {
		o["gradient of "+name] = g
	}
	for _, b := range m.Buffers() {
		o[b.Name] = Values(t, b)
	}
	prob, depth := Scores(t, m, Adapt(t, m, store, Task(0, 3, 0)), store, []int32{9, 10, 11, 12, 13}, 3)
	o["P(active)"] = prob
	for _, d := range depth {
		o["depth"] = append(o["depth"], float64(d))
	}
	return o
}

// OnKernels runs f on the loops for the CPU, on two threads, and then on the kernels for a GPU.
func OnKernels(t testing.TB, f func() Outcome) (loops, kernels Outcome) {
	t.Helper()
	Locked(t, 2)
	loops = f()
	Emulated(t)
	return loops, f()
}

// Near compares with want. The tolerance of each value v is tolerance·(1 + |v|).
func (o Outcome) Near(t testing.TB, want Outcome, tolerance float64) {
	t.Helper()
	for name, w := range want {
		Near(t, name, o[name], w, tolerance)
	}
}

// Close compares with want. The tolerance of gradients is relative to the largest
// entry of all gradients, because one gradient may be 0 up to rounding. For other
// values it is absolute.
func (o Outcome) Close(t testing.TB, want Outcome, tolerance float64) {
	t.Helper()
	largest := 0.0
	for name, v := range want {
		if strings.HasPrefix(name, "gradient") && len(v) > 0 {
			largest = max(largest, slices.Max(v), -slices.Min(v))
		}
	}
	for name, w := range want {
		if len(w) != len(o[name]) {
			t.Errorf("%s has %d entries, want %d", name, len(o[name]), len(w))
			continue
		}
		scale := 1.0
		if strings.HasPrefix(name, "gradient") {
			scale = largest
		}
		for k := range w {
			if d := o[name][k] - w[k]; !(d < tolerance*scale && -d < tolerance*scale) {
				t.Errorf("%s: entry %d of %d is %v, want %v", name, k, len(w), o[name][k], w[k])
				break
			}
		}
	}
}

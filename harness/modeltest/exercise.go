package modeltest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/encoders"
	"pacia/model"
)

// Exercise takes a training step and checks that its loss and its gradients are
// plausible numbers. Then it adapts to a support set and scores queries.
type Exercise struct {
	Store *molecule.Store // of 14 molecules or more
	Batch *data.Batch     // of a training step; its tasks have the number 0
	Spec  model.Spec
	// Depends reports whether the loss depends on a parameter, which then has a
	// gradient, and otherwise has none. nil: it depends on all.
	Depends func(parameter string) bool
	// Rounding reports whether a parameter's gradient is 0 up to rounding. nil: for
	// no parameter.
	Rounding func(parameter string) bool
	// Deep reports whether a query may be read at a depth. nil: at 1 only.
	Deep func(depth int32) bool
}

// NewExercise returns an exercise with random molecules, in a training step of two tasks.
func NewExercise(t testing.TB, s model.Spec) Exercise {
	t.Helper()
	store := RandomStore(3, 24)
	return Exercise{Store: store, Batch: Joined(t, store, Task(0, 2, 4), Task(8, 2, 4)), Spec: s}
}

// EveryReading runs the exercise with each encoder, in both readouts and both statistics of batch
// norm, whose combination alternates between encoders.
func (x Exercise) EveryReading(t testing.TB) {
	t.Helper()
	for i, encoder := range kinds() {
		c := model.Config{Encoder: encoder}
		spec, _ := c.EncoderSpec()
		for k, readout := range []string{"mean", "combined"} {
			if spec.Reads.Whole {
				readout = "mean" // the other one is refused
			}
			c, norm := Small(t, x.Spec, model.Paper), []string{"running", "support"}[(i+k)%2]
			c.Encoder, c.Width, c.Readout, c.Norm = encoder, 8, readout, norm
			if spec.Heads > 0 {
				c.Heads = 2
			}
			x.Run(t, encoder+"/"+readout+"/"+norm, c)
		}
	}
}

// kinds returns values of model.encoder that differ in what they read and share.
func kinds() (names []string) {
	type kind struct {
		reads  *gnn.Reading
		shares gnn.Sharing
		joined bool
	}
	seen := map[kind]bool{}
	for _, name := range encoders.Choices() {
		spec, joined, _ := encoders.Find(name)
		if k := (kind{spec.Reads, spec.Shares, joined}); !seen[k] {
			names, seen[k] = append(names, name), true
		}
	}
	return names
}

// Run makes a model and runs the exercise with it. Errors begin with name.
func (x Exercise) Run(t testing.TB, name string, c model.Config) {
	t.Helper()
	m, err := model.New(x.Spec, c, model.Options{Seed: 1, Device: "cpu", Tasks: []int{0}})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer m.Drop()
	if x.Spec.Traits.Tunes {
		m.Tune(model.Tuning{Steps: 1, LearningRate: 1e-3})
	}
	x.step(t, name, m)
	x.score(t, name, m)
}

func (x Exercise) step(t testing.TB, name string, m *model.Model) {
	t.Helper()
	loss, grads := Backward(t, m, x.Batch, 5)
	if math.IsNaN(loss) || loss <= 0 || loss > 100 {
		t.Errorf("%s: loss %v", name, loss)
	}
	for _, p := range m.Parameters() {
		g := grads[p.Name]
		switch want := x.Depends == nil || x.Depends(p.Name); {
		case want && g == nil:
			t.Errorf("%s: %s has no gradient", name, p.Name)
		case !want && g != nil:
			t.Errorf("%s: %s has a gradient, although the loss should not depend on it", name, p.Name)
		case slices.ContainsFunc(g, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }):
			t.Errorf("%s: the gradient of %s is not finite", name, p.Name)
		case want && strings.HasSuffix(p.Name, ".weight") && Norm(g) == 0 && (x.Rounding == nil || !x.Rounding(p.Name)):
			t.Errorf("%s: all entries of the gradient of %s are 0", name, p.Name)
		}
	}
}

func (x Exercise) score(t testing.TB, name string, m *model.Model) {
	t.Helper()
	a, err := m.Adapt(Readable(m, Support(t, x.Store, Task(0, 2, 0))))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer a.Drop()
	prob, depth := Scores(t, m, a, x.Store, []int32{9, 10, 11, 12, 13}, 5)
	if len(prob) != 5 || len(depth) != 5 {
		t.Fatalf("%s: %d scores and %d depths of 5 queries", name, len(prob), len(depth))
	}
	for q := range prob {
		if !(prob[q] >= 0 && prob[q] <= 1) {
			t.Errorf("%s: query %d: P(active) = %v", name, q, prob[q])
		}
		if x.Deep == nil && depth[q] != 1 || x.Deep != nil && !x.Deep(depth[q]) {
			t.Errorf("%s: query %d: depth %d", name, q, depth[q])
		}
	}
}

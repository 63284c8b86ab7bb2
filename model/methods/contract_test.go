package methods

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/ops"
)

// The contract of a method: the properties that the trainer, the evaluation and the user
// rely on, for every entry of the table in both presets. Package train tests another
// part: a resumed run is equal bit for bit.

// tuning changes the parameters of a fine-tuned copy by far more than rounding.
var tuning = model.Tuning{Steps: 3, LearningRate: 0.02}

// everyMethod runs f with a small model of every method.
func everyMethod(t *testing.T, f func(*testing.T, model.Spec, model.Config)) {
	for _, spec := range All {
		for _, preset := range []string{model.Paper, model.Reference} {
			t.Run(spec.Name+"/"+preset, func(t *testing.T) {
				modeltest.Locked(t, 1)
				f(t, spec, modeltest.Small(t, spec, preset))
			})
		}
	}
}

// made returns a model for the tasks 0 and 1, in float64.
func made(t *testing.T, spec model.Spec, c model.Config) *model.Model {
	t.Helper()
	m := modeltest.New(t, spec, c, model.Options{Float64: true, Tasks: []int{0, 1}})
	m.Tune(tuning)
	return m
}

// TestLossAndGradients: the loss is finite, every parameter has a gradient, and the
// gradients are the slope of the loss, for some methods only with exact settings.
func TestLossAndGradients(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(3, 24)
	b := modeltest.Joined(t, store, modeltest.Task(0, 3, 4), modeltest.Numbered(modeltest.Task(12, 3, 2), 1))
	everyMethod(t, func(t *testing.T, spec model.Spec, c model.Config) {
		if spec.Traits.Untrained {
			t.Skip("there is nothing to train")
		}
		if own, ok := c.Own.(model.WithExactGradients); ok {
			c.Own = own.Exact()
		}
		m := made(t, spec, narrowed(t, c))
		loss, grads := modeltest.Backward(t, m, b, 1)
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			t.Errorf("the loss is %v", loss)
		}
		for _, p := range m.Parameters() {
			if grads[p.Name] == nil {
				t.Errorf("%s has no gradient", p.Name)
			}
		}
		// The tolerance is 1e-6 of a slope, since the step flips some ReLUs.
		slope, difference := modeltest.Slope(t, m, data.Rand(1, "slope", 0), grads, b)
		if math.Abs(slope-difference) > 1e-6*(1+math.Abs(slope)) {
			t.Errorf("the gradients give the slope %v, differences %v", slope, difference)
		}
	})
}

// narrowed sets the width of a piecewise linear network to 4. At its own width, the network has so
// many kinks that every difference crosses one.
func narrowed(t *testing.T, c model.Config) model.Config {
	t.Helper()
	for _, s := range setting.List("", c) {
		if s.Name == "graph.width" || s.Name == "attention.hidden" || s.Name == "properties.similarity" {
			if err := s.Set(&c, "4"); err != nil {
				t.Fatal(err)
			}
		}
	}
	return c
}

// TestQueriesDoNotMeet: the score of a query does not depend on the other queries.
func TestQueriesDoNotMeet(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store, rows := modeltest.RandomStore(6, 40), []int32{20, 21, 22, 23, 24, 25, 26, 27, 28, 29}
	everyMethod(t, func(t *testing.T, spec model.Spec, c model.Config) {
		m := made(t, spec, c)
		a := modeltest.Adapt(t, m, store, modeltest.Task(0, 3, 0))
		want, wantDepth := modeltest.Scores(t, m, a, store, rows, len(rows))
		for _, size := range []int{1, 3} {
			got, depth := modeltest.Scores(t, m, a, store, rows, size)
			modeltest.Near(t, fmt.Sprintf("P(active) in batches of %d", size), got, want, modeltest.Float32ULP)
			if !slices.Equal(depth, wantDepth) {
				t.Errorf("batches of %d: depths %v, at once %v", size, depth, wantDepth)
			}
		}
	})
}

// TestSupportIsASet: the order of a class's molecules does not matter.
func TestSupportIsASet(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store, rows := modeltest.RandomStore(5, 30), []int32{20, 21, 22, 23}
	everyMethod(t, func(t *testing.T, spec model.Spec, c model.Config) {
		m, e := made(t, spec, c), modeltest.Task(0, 4, 0)
		want, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, rows, 4)
		e.Support = []int32{2, 3, 1, 0, 6, 4, 7, 5}
		got, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, rows, 4)
		modeltest.Near(t, "P(active) with the support in another order", got, want, 10*modeltest.Float32ULP)
	})
}

// TestLabelsMatter: swapping the labels of the support set changes the scores.
func TestLabelsMatter(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store, rows := modeltest.RandomStore(5, 30), []int32{20, 21, 22, 23}
	everyMethod(t, func(t *testing.T, spec model.Spec, c model.Config) {
		m, e := made(t, spec, c), modeltest.Task(0, 4, 0)
		want, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, rows, 4)
		e.Support = []int32{4, 5, 6, 7, 0, 1, 2, 3}
		if got, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, rows, 4); slices.Equal(got, want) {
			t.Errorf("the scores are also %v with swapped labels", got)
		}
	})
}

// TestAdaptingLeavesTheModel: adapting changes neither the model nor its gradients.
func TestAdaptingLeavesTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(5, 30)
	everyMethod(t, func(t *testing.T, spec model.Spec, c model.Config) {
		m := made(t, spec, c)
		before := modeltest.Everything(t, m)
		a := modeltest.Adapt(t, m, store, modeltest.Task(0, 4, 0))
		modeltest.Scores(t, m, a, store, []int32{20, 21}, 2)
		for name, v := range modeltest.Everything(t, m) {
			if !slices.Equal(v, before[name]) {
				t.Errorf("%s changed", name)
			}
		}
		for _, p := range m.Parameters() {
			if g, err := ops.Gradient(p.Tensor); g != nil || err != nil {
				t.Errorf("%s has a gradient (%v)", p.Name, err)
			}
		}
	})
}

// TestKernelsAreLoops: the emulated kernels for a GPU have the same results as the loops
// for the CPU, with dropout. In float64 the order of sums changes an addition by 1e-16;
// the tolerance is 1e-9 for all layers together, and 1e-6 for scores, read in float32.
func TestKernelsAreLoops(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(3, 24)
	everyMethod(t, func(t *testing.T, spec model.Spec, c model.Config) {
		if spec.Traits.Untrained {
			t.Skip("there is nothing to train")
		}
		c.Dropout = 0.3
		want, got := modeltest.OnKernels(t, func() modeltest.Outcome { return modeltest.OutcomeOf(t, spec, c, store) })
		got.Near(t, modeltest.Outcome{"P(active)": want["P(active)"]}, modeltest.Float32ULP)
		delete(want, "P(active)")
		got.Close(t, want, 1e-9)
	})
}

// TestStepsOfAGPU: a stepper's steps on padded slabs have the same results as steps on the
// batches themselves.
func TestStepsOfAGPU(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, spec := range All {
		if spec.Traits.Untrained || spec.Traits.ReadsHost {
			continue
		}
		t.Run(spec.Name, func(t *testing.T) {
			c := modeltest.Small(t, spec, model.Reference)
			c.Dropout = 0.3
			modeltest.Emulated(t)
			modeltest.NewTraining(t, spec, c).Compare()
		})
	}
}

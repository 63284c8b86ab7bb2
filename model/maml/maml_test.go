package maml

import (
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/inner"
	"pacia/ops"
)

// small returns the settings of a small model with the given inner steps.
func small(t *testing.T, adaptation inner.Settings) model.Config {
	t.Helper()
	c := modeltest.Small(t, Spec, model.Paper)
	c.Own = Settings{adaptation}
	return c
}

// TestEveryReading takes a training step, a step of fine-tuning, and scores, with each
// encoder, readout, and statistics of batch norm. Batch norm cancels a bias before it, and
// the gradient of other weights may be 0 because of ReLUs.
func TestEveryReading(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	modeltest.NewExercise(t, Spec).EveryReading(t)
}

// TestSlope compares the gradients of order 2 with differences of the loss, for one and
// for three inner steps, and shows that those of order 1 are not the slope.
func TestSlope(t *testing.T) {
	store := modeltest.RandomStore(6, 40)
	b := modeltest.Joined(t, store, modeltest.Task(0, 3, 4), modeltest.Task(14, 3, 2))
	for _, steps := range []int{1, 3} {
		for order := 1; order <= 2; order++ {
			modeltest.RunBoth(t, "slope", func(t *testing.T) {
				c := small(t, inner.Settings{Steps: steps, Rate: 0.02, Order: order})
				c.Dropout = 0.2 // both sides of a difference have the same masks
				m := modeltest.New(t, Spec, c, model.Options{Float64: true})
				_, grads := modeltest.Backward(t, m, b, 1)
				slope, difference := modeltest.Slope(t, m, data.Rand(1, "slope", 0), grads, b)
				off := math.Abs(slope-difference) / (1 + math.Abs(slope))
				if order == 2 && off > 1e-6 {
					t.Errorf("%d steps: the gradients give the slope %v, differences %v", steps, slope, difference)
				}
				if order == 1 && off < 1e-4 {
					t.Errorf("%d steps: the second order does not change the slope %v, so that this test shows nothing", steps, slope)
				}
			})
		}
	}
}

// TestTasksDoNotMeet: the gradients of a step are the mean of the gradients of its tasks,
// because tasks share only the initial parameters.
func TestTasksDoNotMeet(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(6, 40)
	one, two := modeltest.Task(0, 3, 4), modeltest.Task(14, 3, 2)
	for order := 1; order <= 2; order++ {
		step := func(eps ...data.Episode) (float64, map[string][]float64) {
			m := modeltest.New(t, Spec, small(t, inner.Settings{Steps: 2, Rate: 0.1, Order: order}), model.Options{Float64: true})
			return modeltest.Backward(t, m, modeltest.Joined(t, store, eps...), 1)
		}
		first, g := step(one)
		second, h := step(two)
		loss, both := step(one, two)
		modeltest.Near(t, "loss", []float64{loss}, []float64{(first + second) / 2}, 1e-12)
		for name := range both {
			want := make([]float64, len(both[name]))
			for i := range want {
				want[i] = (g[name][i] + h[name][i]) / 2
			}
			modeltest.Near(t, name, both[name], want, 1e-8) // differences in double precision
		}
	}
}

// TestSinglePrecision: products in double precision work for parameters in single precision,
// up to the rounding of the latter.
func TestSinglePrecision(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(6, 40)
	b := modeltest.Joined(t, store, modeltest.Task(0, 3, 4), modeltest.Task(14, 3, 2))
	step := func(double bool) modeltest.Outcome {
		o := modeltest.Outcome{}
		m := modeltest.New(t, Spec, small(t, inner.Settings{Steps: 1, Rate: 0.1, Order: 2}), model.Options{Float64: double})
		_, grads := modeltest.Backward(t, m, b, 1)
		for name, g := range grads {
			o["gradient of "+name] = g
		}
		return o
	}
	step(false).Close(t, step(true), 1e-4)
}

// TestLossThatIsNotFinite: such a loss ends the step, does not change the parameters, and leaks
// no tensors.
func TestLossThatIsNotFinite(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(6, 40)
	m := modeltest.New(t, Spec, small(t, inner.Settings{Steps: 3, Rate: 10, Order: 1}), model.Options{})
	weight := m.Parameters()[2]
	spoilt := modeltest.Values(t, weight)
	spoilt[0] = math.Inf(1)
	if err := ops.Write(weight.Tensor, spoilt); err != nil {
		t.Fatal(err)
	}
	before := modeltest.Everything(t, m)
	_, err := m.Backward(modeltest.Joined(t, store, modeltest.Task(0, 3, 4)), 1)
	modeltest.Fails(t, err, "not a finite number")
	for _, p := range m.Parameters() {
		if !slices.Equal(modeltest.Values(t, p), before[p.Name]) {
			t.Errorf("%s was changed", p.Name)
		}
	}
}

// TestAdaptiveParameters: all are adapted.
func TestAdaptiveParameters(t *testing.T) {
	modeltest.Locked(t, 1)
	m := modeltest.New(t, Spec, small(t, inner.Settings{Steps: 1, Rate: 0.1, Order: 1}), model.Options{})
	all := 0
	for _, p := range m.Parameters() {
		all += p.Size()
	}
	if m.Adaptive() != all {
		t.Errorf("%d of %d parameters are adapted", m.Adaptive(), all)
	}
}

package multitask

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// newTest returns a small model with classifiers of the given tasks.
func newTest(t *testing.T, float64s bool, tasks ...int) *model.Model {
	t.Helper()
	return modeltest.New(t, Spec, modeltest.Small(t, Spec, model.Paper), model.Options{Float64: float64s, Tasks: tasks})
}

// TestEveryReading takes a training step, a step of fine-tuning, and scores, with
// each encoder, readout, and statistics of batch norm.
func TestEveryReading(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	modeltest.NewExercise(t, Spec).EveryReading(t)
}

// TestGradients compares with differences of the loss. The tolerance is 1e-6 of the
// largest gradient, because the step of a difference may flip ReLUs.
func TestGradients(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(6, 40)
	b := modeltest.Joined(t, store, modeltest.Numbered(modeltest.Task(0, 3, 4), 5), modeltest.Numbered(modeltest.Task(14, 3, 2), 2))
	modeltest.RunBoth(t, "gradients", func(t *testing.T) {
		m := newTest(t, true, 2, 5, 6)
		loss, grads := modeltest.Backward(t, m, b, 3)
		if math.Abs(loss-math.Ln2) > 0.4 {
			t.Errorf("the loss of an untrained model is %v", loss)
		}
		for _, p := range m.Parameters() {
			g := grads[p.Name]
			largest := max(slices.Max(g), -slices.Min(g))
			if largest == 0 {
				t.Errorf("%s has no gradient", p.Name)
			}
			for _, i := range []int{slices.Index(g, slices.Max(g)), slices.Index(g, slices.Min(g)), len(g) / 2} {
				if want := modeltest.SlopeAt(t, m, p, i, b, 3); math.Abs(g[i]-want) > 1e-6*max(largest, 1e-3) {
					t.Errorf("%s, entry %d: gradient %v, differences give %v", p.Name, i, g[i], want)
				}
			}
		}
	})
}

// TestTasksHaveTheirClassifiers: the support and the queries of a task change its own
// classifier and no other.
func TestTasksHaveTheirClassifiers(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(6, 40)
	m := newTest(t, true, 2, 5, 6)
	_, grads := modeltest.Backward(t, m, modeltest.Joined(t, store, modeltest.Numbered(modeltest.Task(0, 3, 4), 5)), 3)
	classifiers := 0
	for name, g := range grads {
		if !strings.HasPrefix(name, Spec.Traits.TrainingOnly) {
			continue
		}
		classifiers++
		third := len(g) / 3
		for k, part := range [][]float64{g[:third], g[third : 2*third], g[2*third:]} {
			if moved := slices.ContainsFunc(part, func(v float64) bool { return v != 0 }); moved != (k == 1) {
				t.Errorf("%s: classifier %d has the gradient %v", name, k, part)
			}
		}
	}
	if classifiers != 2 {
		t.Errorf("%d parameters are of classifiers, want weights and biases", classifiers)
	}
	// A task with the same molecules but swapped labels of queries has another loss.
	one, two := modeltest.Task(0, 3, 4), modeltest.Task(0, 3, 4)
	two.QueryLabels = []uint8{1, 0, 1, 0}
	first, _ := modeltest.Backward(t, m, modeltest.Joined(t, store, modeltest.Numbered(one, 5)), 3)
	second, _ := modeltest.Backward(t, m, modeltest.Joined(t, store, modeltest.Numbered(two, 5)), 3)
	if first == second {
		t.Error("the labels of queries do not matter")
	}
}

func TestErrors(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(6, 40)
	m := newTest(t, false, 2, 5, 6)
	_, err := m.Backward(modeltest.Joined(t, store, modeltest.Numbered(modeltest.Task(0, 3, 4), 4)), 1)
	modeltest.Fails(t, err, "task 4 has no classifier")
	unlabelled := modeltest.Task(0, 3, 4)
	unlabelled.QueryLabels = nil
	_, err = m.Backward(modeltest.Joined(t, store, modeltest.Numbered(unlabelled, 5)), 1)
	modeltest.Fails(t, err, "training step: ", "6 labels; all molecules must have one")
	_, err = newTest(t, false).Backward(modeltest.Joined(t, store, modeltest.Task(0, 3, 4)), 1)
	modeltest.Fails(t, err, "no classifiers")
	_, err = m.Adapt(modeltest.Support(t, store, modeltest.Task(0, 3, 0)))
	modeltest.Fails(t, err, "train.finetune.steps: 0")
}

// TestAdaptiveParameters: fine-tuning adapts all parameters, with one classifier for
// the test task.
func TestAdaptiveParameters(t *testing.T) {
	all := 2 * (6 + 1)
	for _, p := range newTest(t, false).Parameters() {
		all += p.Size()
	}
	if m := newTest(t, false, 3, 5, 9); m.Adaptive() != all {
		t.Errorf("multitask adapts %d parameters, want %d", m.Adaptive(), all)
	}
}

package model_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"
	"golang.org/x/sync/errgroup"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/ops"
)

// TestSupportAsQueries: the batch is that of an episode with its support as queries.
func TestSupportAsQueries(t *testing.T) {
	store := modeltest.RandomStore(3, 24)
	e := modeltest.Numbered(modeltest.Task(5, 3, 0), 7)
	e.Query, e.QueryLabels = e.Support, e.SupportLabels
	got, want := model.AsQueries(modeltest.Support(t, store, e)), modeltest.Joined(t, store, e)
	for i := range reflect.TypeFor[data.Batch]().NumField() {
		f := reflect.TypeFor[data.Batch]().Field(i)
		g, w := reflect.ValueOf(*got).Field(i), reflect.ValueOf(*want).Field(i)
		if f.IsExported() && fmt.Sprint(g) != fmt.Sprint(w) {
			t.Errorf("%s is %v, want %v", f.Name, g, w)
		}
	}
}

// TestFineTuning: the steps lower the loss on the support set, are reproducible, and do
// not change a bit of the model.
func TestFineTuning(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(5, 30)
	queries := []int32{20, 21, 22, 23, 24, 25}
	for _, method := range tuners() {
		modeltest.RunBoth(t, method, func(t *testing.T) {
			m := newTest(t, small(t, method, model.Paper), model.Options{Tasks: []int{0, 4}})
			m.Tune(model.Tuning{Steps: 6, LearningRate: 0.05})
			before := modeltest.Everything(t, m)
			e := modeltest.Task(0, 4, 0)
			a := modeltest.Adapt(t, m, store, e)
			checkLowered(t, m, a, modeltest.Support(t, store, e), lowered(method))
			moved := modeltest.Everything(t, a.Tuned())
			for name, v := range modeltest.Everything(t, m) {
				if !slices.Equal(v, before[name]) {
					t.Errorf("%s of the model changed", name)
				}
				// Batch norm cancels this bias, so that its gradient is 0 up to rounding.
				if !strings.HasSuffix(name, ".mlp.1.bias") && !stays(method, name) && slices.Equal(v, moved[name]) {
					t.Errorf("%s was not fine-tuned", name)
				}
			}
			for _, p := range m.Parameters() {
				if g, err := ops.Gradient(p.Tensor); g != nil || err != nil {
					t.Errorf("%s of the model has a gradient (%v)", p.Name, err)
				}
			}
			one, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, queries, 4)
			two, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, queries, 4)
			if !slices.Equal(one, two) {
				t.Errorf("the same support set gives %v, then %v", one, two)
			}
		})
	}
}

// stays reports whether a test task's steps do not change a tensor: in Meta-MGNN the
// attention over tasks and the head that predicts elements, in GS-META biases that the
// graph's own statistics cancel, and in both the running averages, since their steps are in
// evaluation mode.
func stays(method, name string) bool {
	switch method {
	case "metamgnn":
		return strings.HasPrefix(name, "weighting.") || strings.HasPrefix(name, "element.") || average(name)
	case "gsmeta", "pintuning":
		return strings.HasSuffix(name, ".root.bias") || name == "classifier.0.bias" || average(name)
	}
	return false
}

func average(name string) bool {
	return strings.Contains(name, ".norm.mean") || strings.Contains(name, ".norm.var")
}

// lowered returns the largest accepted ratio of the losses after and before six steps. Most of
// Meta-MGNN's loss is of elements and bonds, and its gradients are divided by the molecules of a
// mini-batch.
func lowered(method string) float64 {
	if method == "metamgnn" {
		return 0.97
	}
	return 0.9
}

// checkLowered compares the loss that fine-tuning lowers, before and after it.
func checkLowered(t *testing.T, m *model.Model, a *model.Adapted, support *data.Batch, most float64) {
	t.Helper()
	first, err := m.Untuned()
	if err != nil {
		t.Fatal(err)
	}
	defer first.Drop()
	was, err := first.Backward(m.Examples(support), 1)
	if err != nil {
		t.Fatal(err)
	}
	is, err := a.Tuned().Backward(m.Examples(support), 1)
	if err != nil {
		t.Fatal(err)
	}
	if !(is < most*was) {
		t.Errorf("six steps lower the loss on the support set only from %v to %v", was, is)
	}
}

// TestNoStepsChangeNothing: without steps, fine-tuning has the scores of PACIA without
// hypernetworks, bit for bit.
func TestNoStepsChangeNothing(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(5, 30)
	rank := func(c model.Config, steps int) []float64 {
		m := newTest(t, c, model.Options{})
		m.Tune(model.Tuning{Steps: steps, LearningRate: 0.01})
		a := modeltest.Adapt(t, m, store, modeltest.Task(0, 4, 0))
		p, _ := modeltest.Scores(t, m, a, store, []int32{20, 21, 22, 23, 24, 25}, 3)
		return p
	}
	want := rank(small(t, "pacia", model.Paper, unadapted...), 3)
	tuned := small(t, "finetune", model.Paper)
	if got := rank(tuned, 0); !slices.Equal(got, want) {
		t.Errorf("no steps give %v, want %v", got, want)
	}
	if slices.Equal(rank(tuned, 1), want) {
		t.Error("one step changes nothing")
	}
}

// TestFineTuningTrainsAsPACIA: the training step equals that of PACIA without
// hypernetworks, bit for bit.
func TestFineTuningTrainsAsPACIA(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(5, 30)
	batch := modeltest.Joined(t, store, modeltest.Task(0, 3, 4), modeltest.Task(12, 3, 5))
	for _, preset := range []string{model.Paper, model.Reference} {
		step := func(c model.Config) (float64, map[string][]float64) {
			c.Dropout = 0.5
			return modeltest.Backward(t, newTest(t, c, model.Options{}), batch, 3)
		}
		loss, grads := step(small(t, "finetune", preset))
		wantLoss, want := step(small(t, "pacia", preset, unadapted...))
		if loss != wantLoss || len(grads) != len(want) {
			t.Errorf("%s: loss %v of %d parameters, want %v of %d", preset, loss, len(grads), wantLoss, len(want))
		}
		for name, g := range want {
			if !slices.Equal(grads[name], g) {
				t.Errorf("%s: the gradients of %s differ", preset, name)
			}
		}
	}
}

// TestTasksDoNotMeet: tasks that are adapted at the same time and scored on
// several threads are ranked as each of them alone.
func TestTasksDoNotMeet(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, method := range tuners() {
		t.Run(method, func(t *testing.T) {
			modeltest.Locked(t, 1)
			store, queries := modeltest.RandomStore(5, 40), []int32{30, 31, 32, 33, 34, 35}
			m := newTest(t, small(t, method, model.Paper), model.Options{})
			m.Tune(model.Tuning{Steps: 4, LearningRate: 0.02})
			episodes := []data.Episode{modeltest.Task(0, 3, 0), modeltest.Task(6, 3, 0), modeltest.Task(12, 3, 0)}
			var want [][]float64
			for _, e := range episodes {
				p, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, queries, 6)
				want = append(want, p)
			}
			var together []*model.Adapted
			for _, e := range episodes {
				together = append(together, modeltest.Adapt(t, m, store, e))
			}
			var group errgroup.Group
			for i := range 12 {
				group.Go(func() error {
					b, err := data.AssembleQueries(store, queries)
					if err != nil {
						return err
					}
					p, _, err := together[i%3].Score(b)
					for q := range p {
						if float64(p[q]) != want[i%3][q] {
							return fmt.Errorf("query %d of task %d has %v, alone %v", q, i%3, p[q], want[i%3][q])
						}
					}
					return err
				})
			}
			if err := group.Wait(); err != nil {
				t.Error(err)
			}
			if slices.Equal(want[0], want[1]) {
				t.Error("two tasks are ranked alike")
			}
		})
	}
}

// TestFineTuningThatFails does not change the model, and leaks no tensors.
func TestFineTuningThatFails(t *testing.T) {
	for _, method := range tuners() {
		t.Run(method, func(t *testing.T) {
			modeltest.Locked(t, 1)
			store := modeltest.RandomStore(5, 30)
			m := newTest(t, small(t, method, model.Paper), model.Options{})
			b := modeltest.Support(t, store, modeltest.Task(0, 3, 0))
			m.Tune(model.Tuning{Steps: 3, LearningRate: 0.01})
			weight := m.Parameters()[2]
			spoilt := make([]float64, weight.Size())
			spoilt[1] = math.NaN()
			good := modeltest.Values(t, weight)
			if err := ops.Write(weight.Tensor, spoilt); err != nil {
				t.Fatal(err)
			}
			before := len(ts.ExistingTensors)
			_, err := m.Adapt(b)
			modeltest.Fails(t, err, "fine-tuning, step 1 of 3", "write a smaller train.finetune.rate than 0.01")
			if n := len(ts.ExistingTensors); n != before {
				t.Errorf("%d tensors are leaked", n-before)
			}
			if err := ops.Write(weight.Tensor, good); err != nil {
				t.Fatal(err)
			}
			a, err := m.Adapt(b)
			if err != nil {
				t.Fatal(err)
			}
			a.Drop()
			if n := len(ts.ExistingTensors); n != before {
				t.Errorf("a task that was dropped leaks %d tensors", n-before)
			}
		})
	}
}

func TestErrorsOfTuning(t *testing.T) {
	for want, tuning := range map[string]model.Tuning{
		"train.finetune.steps: -1": {Steps: -1, LearningRate: 1},
		"train.finetune.rate: 0":   {Steps: 1},
		"train.finetune.rate: NaN": {Steps: 1, LearningRate: math.NaN()},
	} {
		modeltest.Fails(t, setting.Check("train.finetune.", tuning), want)
	}
	for _, method := range tuners() {
		traits := specOf(t, method).Traits
		err := model.Tuning{LearningRate: 1}.Check(traits)
		if !traits.NeedsSteps && err != nil {
			t.Errorf("%s without steps: %v", method, err)
		}
		if traits.NeedsSteps {
			modeltest.Fails(t, err, "train.finetune.steps: 0", "write 1 or more")
		}
	}
}

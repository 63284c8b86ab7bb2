package model

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"
	"golang.org/x/sync/errgroup"

	"pacia/data"
	"pacia/ops"
	"pacia/setting"
)

// baseline is small with a method that has no hypernetworks.
func baseline(t *testing.T, method string) Config {
	t.Helper()
	c := small(t, Paper)
	c.Method, c.Adapt = method, AdaptConfig{"none", "none"}
	return c
}

func support(t *testing.T, s *data.Store, e data.Episode) *data.Batch {
	t.Helper()
	b, err := data.AssembleSupport(s, e)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// everything is all that a model holds, by name.
func everything(t *testing.T, m *Model) map[string][]float64 {
	t.Helper()
	all := map[string][]float64{}
	for _, p := range slices.Concat(m.Parameters(), m.Buffers()) {
		all[p.Name] = values(t, p)
	}
	return all
}

// supportLoss is the loss that fine-tuning lowers.
func supportLoss(t *testing.T, m *Model, b *data.Batch) float64 {
	t.Helper()
	if m.config.Method != Multitask {
		b = asQueries(b)
	}
	loss, err := m.Backward(b, 1)
	if err != nil {
		t.Fatal(err)
	}
	return loss
}

// TestSupportAsQueries: the batch is that of an episode whose queries are its
// support.
func TestSupportAsQueries(t *testing.T) {
	store := randomStore(3, 24)
	e := task(5, 3, 0)
	e.Task = 7
	e.Query, e.QueryLabels = e.Support, e.SupportLabels
	got, want := asQueries(support(t, store, e)), joined(t, store, e)
	for i := range reflect.TypeFor[data.Batch]().NumField() {
		f := reflect.TypeFor[data.Batch]().Field(i)
		g, w := reflect.ValueOf(*got).Field(i), reflect.ValueOf(*want).Field(i)
		if f.IsExported() && fmt.Sprint(g) != fmt.Sprint(w) {
			t.Errorf("%s is %v, want %v", f.Name, g, w)
		}
	}
}

// TestFineTuning: the steps lower the loss on the support set, the same each
// time, and leave the model as it was, to the bit.
func TestFineTuning(t *testing.T) {
	store := randomStore(5, 30)
	queries := []int32{20, 21, 22, 23, 24, 25}
	for _, method := range []string{FineTune, Multitask} {
		runBoth(t, method, func(t *testing.T) {
			m := newTest(t, baseline(t, method), false)
			if method == Multitask {
				if err := m.AddHeads([]int{0, 4}); err != nil {
					t.Fatal(err)
				}
			}
			m.Tune(Tuning{Steps: 6, LearningRate: 0.05})
			before := everything(t, m)
			e := task(0, 4, 0)
			a := adapted(t, m, store, e)
			first, err := m.copy()
			if err != nil {
				t.Fatal(err)
			}
			defer first.Drop()
			if method == Multitask {
				if err := first.addHeads(nil, 1); err != nil {
					t.Fatal(err)
				}
			}
			was, is := supportLoss(t, first, support(t, store, e)), supportLoss(t, a.own, support(t, store, e))
			if !(is < 0.9*was) {
				t.Errorf("six steps bring the loss on the support set from %v to %v only", was, is)
			}
			moved := everything(t, a.own)
			for name, v := range everything(t, m) {
				if !slices.Equal(v, before[name]) {
					t.Errorf("%s of the model changed", name)
				}
				if slices.Equal(v, moved[name]) {
					t.Errorf("%s was not fine-tuned", name)
				}
			}
			for _, p := range m.Parameters() {
				if g, err := ops.Gradient(p.Tensor); g != nil || err != nil {
					t.Errorf("%s of the model has a gradient (%v)", p.Name, err)
				}
			}
			one, _ := scores(t, m, adapted(t, m, store, e), store, queries, 4)
			two, _ := scores(t, m, adapted(t, m, store, e), store, queries, 4)
			if !slices.Equal(one, two) {
				t.Errorf("the same support set gives %v, then %v", one, two)
			}
		})
	}
}

// TestNoStepsChangeNothing: without steps the model ranks as the one of method
// pacia that has no hypernetworks, to the bit.
func TestNoStepsChangeNothing(t *testing.T) {
	locked(t, 2)
	store := randomStore(5, 30)
	rank := func(method string, steps int) []float64 {
		m := newTest(t, baseline(t, method), false)
		m.Tune(Tuning{Steps: steps, LearningRate: 0.01})
		p, _ := scores(t, m, adapted(t, m, store, task(0, 4, 0)), store, []int32{20, 21, 22, 23, 24, 25}, 3)
		return p
	}
	want := rank(PACIA, 3)
	if got := rank(FineTune, 0); !slices.Equal(got, want) {
		t.Errorf("no steps give %v, want %v", got, want)
	}
	if slices.Equal(rank(FineTune, 1), want) {
		t.Error("one step changes nothing")
	}
}

// TestTasksDoNotMeet: tasks that are adapted at the same time and scored on
// several threads are ranked as each of them alone.
func TestTasksDoNotMeet(t *testing.T) {
	for _, method := range []string{FineTune, Multitask} {
		t.Run(method, func(t *testing.T) {
			locked(t, 1)
			store, queries := randomStore(5, 40), []int32{30, 31, 32, 33, 34, 35}
			m := newTest(t, baseline(t, method), false)
			m.Tune(Tuning{Steps: 4, LearningRate: 0.02})
			episodes := []data.Episode{task(0, 3, 0), task(6, 3, 0), task(12, 3, 0)}
			var want [][]float64
			for _, e := range episodes {
				a := adapted(t, m, store, e)
				p, _ := scores(t, m, a, store, queries, 6)
				want = append(want, p)
			}
			var together []*Adapted
			for _, e := range episodes {
				together = append(together, adapted(t, m, store, e))
			}
			var group errgroup.Group
			for i := range 12 {
				group.Go(func() error {
					b, err := data.AssembleQueries(store, queries)
					if err != nil {
						return err
					}
					p, _, err := m.Score(together[i%3], b)
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

// TestFineTuningThatFails leaves the model as it was, and no tensors.
func TestFineTuningThatFails(t *testing.T) {
	for _, method := range []string{FineTune, Multitask} {
		t.Run(method, func(t *testing.T) {
			locked(t, 2)
			store := randomStore(5, 30)
			m := newTest(t, baseline(t, method), false)
			b := support(t, store, task(0, 3, 0))
			m.Tune(Tuning{Steps: 3, LearningRate: 0.01})
			weight := m.Parameters()[2]
			spoilt := make([]float64, weight.Size())
			spoilt[1] = math.NaN()
			good := values(t, weight)
			if err := ops.Write(weight.Tensor, spoilt); err != nil {
				t.Fatal(err)
			}
			before := len(ts.ExistingTensors)
			_, err := m.Adapt(b)
			fails(t, err, "fine-tuning, step 1 of 3", "write a smaller train.finetune.rate than 0.01")
			if n := len(ts.ExistingTensors); n != before {
				t.Errorf("%d tensors are left", n-before)
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
				t.Errorf("%d tensors are left by a task that was dropped", n-before)
			}
		})
	}
}

func TestErrorsOfMethods(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   []string
	}{
		"unknown":           {func(c *Config) { c.Method = "maml" }, []string{`model.method: "maml"`, "pacia, finetune, multitask"}},
		"hypernetworks":     {func(c *Config) { c.Adapt.Encoder = "N" }, []string{"model.method: finetune has no hypernetworks", "write model.adapt.encoder=none and model.adapt.predictor=none"}},
		"multitask adapted": {func(c *Config) { c.Method, c.Adapt.Predictor = Multitask, "D" }, []string{"model.method: multitask has no hypernetworks"}},
	} {
		t.Run(name, func(t *testing.T) {
			config := baseline(t, FineTune)
			if err := config.Validate(); err != nil {
				t.Fatal(err)
			}
			c.change(&config)
			fails(t, config.Validate(), c.want...)
		})
	}
	fails(t, setting.Check("train.finetune.", Tuning{Steps: -1, LearningRate: 1}), "train.finetune.steps: -1")
	fails(t, setting.Check("train.finetune.", Tuning{Steps: 1}), "train.finetune.rate: 0")
	fails(t, setting.Check("train.finetune.", Tuning{Steps: 1, LearningRate: math.NaN()}), "train.finetune.rate: NaN")
	fails(t, Tuning{LearningRate: 1}.Check(Multitask), "train.finetune.steps: 0", "write 1 or more")
}

// TestAdaptiveParameters: fine-tuning adapts all, where a test task has one
// classifier.
func TestAdaptiveParameters(t *testing.T) {
	m := newTest(t, baseline(t, FineTune), false)
	all := 0
	for _, p := range m.Parameters() {
		all += p.Size()
	}
	if m.Adaptive() != all {
		t.Errorf("finetune adapts %d parameters of %d", m.Adaptive(), all)
	}
	m = newTest(t, baseline(t, Multitask), false)
	all = 2 * (6 + 1)
	for _, p := range m.Parameters() {
		all += p.Size()
	}
	if err := m.AddHeads([]int{3, 5, 9}); err != nil {
		t.Fatal(err)
	}
	if m.Adaptive() != all {
		t.Errorf("multitask adapts %d parameters, want %d", m.Adaptive(), all)
	}
}

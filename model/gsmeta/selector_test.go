package gsmeta

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// TestSelector: gradients are the slope of the selector's loss, and the model keeps the number of steps and
// the mean reward.
func TestSelector(t *testing.T) {
	modeltest.Locked(t, 1)
	d := modeltest.Four()
	m, own := made(t, small(t, func(s *Settings) { s.Selection.Tasks, s.Selection.Anneal = 2, 1 }), d)
	b := pairs(t, d)
	rewards := 0.0
	for i := range 3 {
		_, grads := modeltest.Backward(t, m, b, uint64(i))
		var s ops.Scope
		if err := s.Run(func() {
			steps, mean := own.selector.state(&s)
			if steps != float64(i+1) {
				t.Errorf("after step %d it has made %v", i+1, steps)
			}
			if i > 0 && mean == rewards {
				t.Errorf("the mean reward is still %v", mean)
			}
			rewards = mean
		}); err != nil {
			t.Fatal(err)
		}
		s.Drop()
		for _, name := range []string{"selector.own.0.weight", "selector.others.1.weight"} {
			if modeltest.Norm(grads[name]) == 0 {
				t.Errorf("step %d: %s has no gradient", i+1, name)
			}
		}
		if err := ops.ForgetGradients(tensors(m.Parameters())); err != nil {
			t.Fatal(err)
		}
	}
	vectors, chosen := vectorsOf(t, own, b), [][]int{{0, 1}, {4, 5}}
	set := func(steps, mean float64) {
		for _, p := range m.Buffers() {
			if v, its := map[string]float64{"selector.steps": steps, "selector.reward": mean}[p.Name]; its {
				if err := ops.Write(p.Tensor, []float64{v}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	set(1, 0.25)
	_, grads := gradientOf(t, own, func(s *ops.Scope) float64 { own.selector.learn(vectors, chosen, 1.5, own.Learner, s); return 0 })
	value := func() (loss float64) {
		set(1, 0.25)
		var s ops.Scope
		defer s.Drop()
		if err := s.Run(func() {
			p, err := ops.ReadAs[float64](own.selector.probabilities(vectors, own.Learner, &s))
			s.Check(err)
			for _, episodes := range chosen {
				loss -= math.Log(p[episodes[0]]+p[episodes[1]]) * (1.5 - 0.25)
			}
		}); err != nil {
			t.Fatal(err)
		}
		return loss
	}
	for _, p := range m.Parameters() {
		if !strings.HasPrefix(p.Name, selectorPrefix) {
			continue
		}
		v := modeltest.Values(t, p)
		for k := range min(3, len(v)) {
			at := func(x float64) float64 {
				w := slices.Clone(v)
				w[k] = x
				if err := ops.Write(p.Tensor, w); err != nil {
					t.Fatal(err)
				}
				return value()
			}
			if slope := (at(v[k]+1e-5) - at(v[k]-1e-5)) / 2e-5; math.Abs(slope-grads[p.Name][k]) > 1e-7 {
				t.Errorf("%s[%d]: gradient %v, difference %v", p.Name, k, grads[p.Name][k], slope)
			}
			at(v[k])
		}
	}
}

// vectorsOf returns the selector's inputs for the episodes of a batch.
func vectorsOf(t *testing.T, m *gsmeta, b *data.Batch) [][]float64 {
	t.Helper()
	var s ops.Scope
	defer s.Drop()
	var step *step
	if err := s.Run(func() {
		step = m.newStep(&model.Batch{Host: b}, ops.Mode{Training: true, Key: 1})
		step.choose(&s)
	}); err != nil {
		t.Fatal(err)
	}
	if len(step.chosen) != 2 {
		t.Errorf("%d tasks are chosen, want 2", len(step.chosen))
	}
	return step.vectors
}

// TestChoice: tasks are drawn by the sums of their episodes' probabilities, without replacement.
func TestChoice(t *testing.T) {
	c := &selector{Selection: Selection{Tasks: 2}}
	p, tasks := []float64{0.1, 0.2, 0.5, 0.1, 0.05, 0.05}, [][]int{{0, 1}, {2, 3}, {4, 5}}
	first, draws := make([]float64, 3), 20000
	for key := range uint64(draws) {
		chosen := c.choose(p, tasks, key)
		if len(chosen) != 2 || chosen[0] == chosen[1] {
			t.Fatalf("chosen are %v", chosen)
		}
		first[chosen[0]] += 1 / float64(draws)
	}
	for task, want := range []float64{0.3, 0.6, 0.1} {
		// Five standard deviations of a share of 20,000 draws are 0.018 at most.
		if math.Abs(first[task]-want) > 0.018 {
			t.Errorf("task %d is the first in %v of the draws, want %v", task, first[task], want)
		}
	}
	c.Tasks = 9
	if chosen := c.choose(p, tasks, 1); !slices.Equal(slices.Sorted(slices.Values(chosen)), []int{0, 1, 2}) {
		t.Errorf("all of three are %v", chosen)
	}
}

// TestChoiceOfWhatIsNotFinite: with NaN parameters the choice of tasks fails with ErrNotFinite, as other steps do.
func TestChoiceOfWhatIsNotFinite(t *testing.T) {
	modeltest.Locked(t, 1)
	d := modeltest.Four()
	m, own := made(t, small(t, nil), d)
	move(t, own, func(string, int, float64) float64 { return math.NaN() })
	if _, err := m.Backward(pairs(t, d), 1); !errors.Is(err, ops.ErrNotFinite) {
		t.Errorf("got %v, want %v", err, ops.ErrNotFinite)
	}
}

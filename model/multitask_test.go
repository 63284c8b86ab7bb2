package model

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/ops"
)

// multitask is a small model with classifiers of the tasks 2, 5 and 6.
func multitask(t *testing.T, float64s bool) *Model {
	t.Helper()
	m := newTest(t, baseline(t, Multitask), float64s)
	if err := m.AddHeads([]int{2, 5, 6}); err != nil {
		t.Fatal(err)
	}
	return m
}

func numbered(e data.Episode, task int) data.Episode {
	e.Task = task
	return e
}

// TestGradientsOfMultitask compares with differences of the loss. The step of
// 1e-6 leaves rounding of 1e-10 in them and an error of the second order of
// 1e-12; ReLUs that the step flips are what 1e-6 of the largest leaves room for.
func TestGradientsOfMultitask(t *testing.T) {
	store := randomStore(6, 40)
	b := joined(t, store, numbered(task(0, 3, 4), 5), numbered(task(14, 3, 2), 2))
	runBoth(t, "gradients", func(t *testing.T) {
		m := multitask(t, true)
		loss, grads := backward(t, m, b, 3)
		if math.Abs(loss-math.Ln2) > 0.4 {
			t.Errorf("the loss of an untrained model is %v", loss)
		}
		at := func(p Parameter, v []float64) float64 {
			if err := ops.Write(p.Tensor, v); err != nil {
				t.Fatal(err)
			}
			loss, err := m.Backward(b, 3)
			if err != nil {
				t.Fatal(err)
			}
			return loss
		}
		for _, p := range m.Parameters() {
			v, g := values(t, p), grads[p.Name]
			largest := max(slices.Max(g), -slices.Min(g))
			if largest == 0 {
				t.Errorf("%s has no gradient", p.Name)
			}
			for _, i := range []int{slices.Index(g, slices.Max(g)), slices.Index(g, slices.Min(g)), len(v) / 2} {
				const step = 1e-6
				up, down := slices.Clone(v), slices.Clone(v)
				up[i], down[i] = v[i]+step, v[i]-step
				want := (at(p, up) - at(p, down)) / (2 * step)
				if math.Abs(g[i]-want) > 1e-6*max(largest, 1e-3) {
					t.Errorf("%s, entry %d: gradient %v, differences give %v", p.Name, i, g[i], want)
				}
			}
			at(p, v)
		}
	})
}

// TestTasksHaveTheirClassifiers: a task's examples move its own classifier and
// no other, support and queries alike.
func TestTasksHaveTheirClassifiers(t *testing.T) {
	locked(t, 2)
	store := randomStore(6, 40)
	m := multitask(t, true)
	_, grads := backward(t, m, joined(t, store, numbered(task(0, 3, 4), 5)), 3)
	for name, g := range grads {
		if !strings.HasPrefix(name, HeadsPrefix) {
			continue
		}
		third := len(g) / 3
		for k, part := range [][]float64{g[:third], g[third : 2*third], g[2*third:]} {
			if moved := slices.ContainsFunc(part, func(v float64) bool { return v != 0 }); moved != (k == 1) {
				t.Errorf("%s: classifier %d has the gradient %v", name, k, part)
			}
		}
	}
	// One with the same molecules as queries of the other class has another loss.
	one, two := task(0, 3, 4), task(0, 3, 4)
	two.QueryLabels = []uint8{1, 0, 1, 0}
	first, _ := backward(t, m, joined(t, store, numbered(one, 5)), 3)
	second, _ := backward(t, m, joined(t, store, numbered(two, 5)), 3)
	if first == second {
		t.Error("the labels of queries do not matter")
	}
}

func TestErrorsOfMultitask(t *testing.T) {
	locked(t, 2)
	store := randomStore(6, 40)
	m := multitask(t, false)
	_, err := m.Backward(joined(t, store, numbered(task(0, 3, 4), 4)), 1)
	fails(t, err, "task 4 has no classifier")
	unlabelled := task(0, 3, 4)
	unlabelled.QueryLabels = nil
	_, err = m.Backward(joined(t, store, numbered(unlabelled, 5)), 1)
	fails(t, err, "training step: ", "6 labels; all molecules are to have one")
	_, err = newTest(t, baseline(t, Multitask), false).Backward(joined(t, store, task(0, 3, 4)), 1)
	fails(t, err, "no classifiers")
	fails(t, m.AddHeads([]int{1}), "has them already")
	fails(t, newTest(t, baseline(t, FineTune), false).AddHeads([]int{1}), "not of model.method=multitask")
	_, err = m.Adapt(support(t, store, task(0, 3, 0)))
	fails(t, err, "train.finetune.steps: 0")
}

// TestBaselinesOnKernels compares with the loops, in float64. Scores are read in
// float32: 1e-6 leaves room for that.
func TestBaselinesOnKernels(t *testing.T) {
	store := randomStore(3, 24)
	for _, method := range []string{FineTune, Multitask} {
		for _, read := range [][2]string{{"mean", "last"}, {"max", "concat"}} {
			c := baseline(t, method)
			c.Dropout, c.Readout, c.Jump = 0.3, read[0], read[1]
			outcome := func(t *testing.T) (grads map[string][]float64, prob []float64) {
				m := newTest(t, c, true)
				m.Tune(Tuning{Steps: 3, LearningRate: 0.01})
				if method == Multitask {
					if err := m.AddHeads([]int{4, 0}); err != nil {
						t.Fatal(err)
					}
				}
				_, grads = backward(t, m, joined(t, store, task(0, 3, 4), numbered(task(12, 3, 2), 4)), 5)
				prob, _ = scores(t, m, adapted(t, m, store, task(0, 3, 0)), store, []int32{9, 10, 11, 12, 13}, 3)
				return grads, prob
			}
			t.Run(method+" "+read[0], func(t *testing.T) {
				locked(t, 2)
				want, ranked := outcome(t)
				emulated(t)
				got, again := outcome(t)
				for name := range want {
					near(t, "gradient of "+name, got[name], want[name], 1e-9)
				}
				near(t, "P(active)", again, ranked, 1e-6)
			})
		}
	}
}

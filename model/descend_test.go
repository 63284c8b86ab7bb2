package model_test

import (
	"math"
	"slices"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// TestRates: the first step of a warm-up is of rate 0, as in FS-Mol's benchmark.
func TestRates(t *testing.T) {
	tuning := model.Tuning{LearningRate: 0.1, WarmUp: 2}
	for i, want := range []float64{0, 0.05, 0.1, 0.1} {
		if got := tuning.Rate(i); math.Abs(got-want) > 1e-15 {
			t.Errorf("step %d has the rate %v, want %v", i, got, want)
		}
	}
	if got := (model.Tuning{LearningRate: 0.1}).Rate(0); got != 0.1 {
		t.Errorf("without a warm-up, the first step has the rate %v", got)
	}
}

// TestHeldOut: the choice of the molecules held out does not depend on the order of the
// support set, the proportions of the classes are kept, and the remaining molecules are
// the rest.
func TestHeldOut(t *testing.T) {
	store := modeltest.RandomStore(5, 30)
	e := modeltest.Task(0, 8, 0)
	kept, held := model.HeldOut(modeltest.Support(t, store, e), 0.2)
	if kept.Support != 12 || len(held.QueryMol) != 4 || !slices.Equal(kept.SupportLabel, []uint8{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}) {
		t.Fatalf("of 16 molecules %d are kept, of the classes %v, and %d held out; want 12 and 4", kept.Support, kept.SupportLabel, len(held.QueryMol))
	}
	all := slices.Concat(kept.Atoms, held.Atoms)
	if want := modeltest.Support(t, store, e).Atoms; len(all) != len(want) {
		t.Errorf("%d atoms of %d", len(all)/2, len(want)/2)
	}
	slices.Reverse(e.Support[:8])
	slices.Reverse(e.Support[8:])
	_, again := model.HeldOut(modeltest.Support(t, store, e), 0.2)
	a, b := slices.Clone(held.Atoms), slices.Clone(again.Atoms)
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		t.Error("the choice of held-out molecules depends on the order of the set")
	}
	for _, few := range []int{1, 0} {
		support := modeltest.Support(t, store, modeltest.Unequal(0, 5, max(1, few), 0))
		if kept, held := model.HeldOut(support, 0.2*float64(few)); kept != support || held != nil {
			t.Errorf("molecules are held out of a class of one, or although the share is 0")
		}
	}
}

// TestPatience: steps stop when the loss of the held-out molecules no longer falls. The model
// then has the state after the best step, which equals fine-tuning with that number of steps.
func TestPatience(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(5, 30)
	for _, method := range tuners() {
		t.Run(method, func(t *testing.T) {
			modeltest.Locked(t, 1)
			m := newTest(t, small(t, method, model.Paper), model.Options{Tasks: []int{0}})
			support := modeltest.Support(t, store, modeltest.Task(0, 8, 0))
			state := func(tuning model.Tuning) map[string][]float64 {
				m.Tune(tuning)
				a, err := m.Adapt(support)
				if err != nil {
					t.Fatal(err)
				}
				defer a.Drop()
				return modeltest.Everything(t, a.Tuned())
			}
			tuning := model.Tuning{Steps: 40, LearningRate: 0.1, Held: 0.2, Patience: 3}
			got := state(tuning)
			if tuning.Patience = 0; len(got) == 0 {
				t.Fatal("nothing is tuned")
			}
			// With all 40 steps measured, the best may be later, and is not worse.
			found := false
			for steps := 1; steps <= 40 && !found; steps++ {
				tuning.Steps = steps
				found = same(state(tuning), got)
			}
			if !found {
				t.Error("the state is that of no step")
			}
		})
	}
}

func same(a, b map[string][]float64) bool {
	for name := range a {
		if !slices.Equal(a[name], b[name]) {
			return false
		}
	}
	return true
}

// TestPatienceNeedsHeldOut: patience without held-out molecules is refused.
func TestPatienceNeedsHeldOut(t *testing.T) {
	err := model.Tuning{Steps: 3, LearningRate: 1, Patience: 2}.Check(model.Traits{Tunes: true})
	modeltest.Fails(t, err, "train.finetune.patience", "write train.finetune.held=0.2")
}

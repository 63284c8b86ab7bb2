package pacia

import (
	"strings"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// TestEverySetting takes a training step, adapts and scores with every combination
// of model.adapt and model.depth_loss. The forms of FiLM alternate, so that each is
// combined with each of these.
func TestEverySetting(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	adaptations, turn := []string{"none", "N", "D", "ND"}, 0
	for _, preset := range []string{model.Paper, model.Reference} {
		for _, encoder := range adaptations {
			for _, predictor := range adaptations {
				for _, depth := range []string{"nodes", "expected", "uniform"} {
					c, film := small(t, preset), []string{"affine", "scale", "unit"}[turn%3]
					c.Adapt = Adapt{encoder, predictor}
					c.DepthLoss, c.Film = depth, film
					name := strings.Join([]string{preset, encoder, predictor, depth, film}, "/")
					exercise(t, x, name, c)
					turn++
				}
				turn++
			}
		}
	}
}

// exercise runs x with a model of the settings.
func exercise(t *testing.T, x modeltest.Exercise, name string, c config) {
	t.Helper()
	x.Depends = func(parameter string) bool { return trained(c, parameter) }
	x.Deep = func(depth int32) bool {
		last := int32(c.Relation.Layers)
		return depth == last || 1 <= depth && depth < last && adapts(c.Adapt.Predictor, "D")
	}
	x.Run(t, name, c.whole())
}

// trained reports whether the loss depends on a parameter. With depth_loss "uniform" it
// does not depend on the depth of the predictor.
func trained(c config, name string) bool {
	if c.DepthLoss != "uniform" {
		return true
	}
	if c.Hyper.Form == "split" {
		return !strings.HasPrefix(name, "query.p.")
	}
	return !strings.HasPrefix(name, "query.") || c.Adapt.Predictor != "D"
}

// TestDropoutOfSteps: the key determines the masks, and affects nothing else.
func TestDropoutOfSteps(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(4, 20)
	batch := modeltest.Joined(t, store, modeltest.Task(0, 2, 6))
	c := small(t, model.Paper)
	c.Dropout, c.Hyper.Dropout = 0.5, 0.1
	m := newTest(t, c, false)
	loss := func(key uint64) float64 {
		v, err := m.Backward(batch, key)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	first, second := loss(1), loss(2)
	if first == second {
		t.Errorf("keys 1 and 2 give the same loss %v", first)
	}
	// The steps changed the running averages, which training does not read.
	if again := loss(1); again != first {
		t.Errorf("key 1 gives the loss %v, then %v", first, again)
	}
	c.Dropout = 0
	m = newTest(t, c, false)
	if first = loss(1); first == loss(2) {
		t.Error("without dropout in the encoder the hypernetwork's does nothing")
	}
	c.Hyper.Dropout, c.Relation.Dropout = 0, 0.2
	m = newTest(t, c, false)
	if first = loss(1); first == loss(2) {
		t.Error("dropout of nodes alone does nothing")
	}
	c.Relation.Dropout = 0
	m = newTest(t, c, false)
	if first = loss(1); first != loss(2) {
		t.Error("without any dropout the loss depends on the key")
	}
}

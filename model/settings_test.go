package model

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/data"
)

// TestEverySetting takes a training step, adapts and scores with every
// combination of what can be adapted, how, and how depth enters the loss.
func TestEverySetting(t *testing.T) {
	locked(t, 2)
	store := randomStore(3, 24)
	batch := joined(t, store, task(0, 2, 4), task(8, 2, 4))
	adaptations := []string{"none", "N", "D", "ND"}
	for _, preset := range []string{Paper, Reference} {
		for _, encoder := range adaptations {
			for _, predictor := range adaptations {
				for _, depth := range []string{"nodes", "expected", "uniform"} {
					for _, film := range []string{"affine", "scale", "unit"} {
						c := small(t, preset)
						c.Adapt = AdaptConfig{encoder, predictor}
						c.DepthLoss, c.Film = depth, film
						name := strings.Join([]string{preset, encoder, predictor, depth, film}, "/")
						checkSetting(t, name, c, store, batch)
					}
				}
			}
		}
	}
}

func checkSetting(t *testing.T, name string, c Config, store *data.Store, batch *data.Batch) {
	t.Helper()
	m, err := New(c, 1, "cpu")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer m.Drop()
	loss, grads := backward(t, m, batch, 5)
	if math.IsNaN(loss) || loss <= 0 || loss > 100 {
		t.Errorf("%s: loss %v", name, loss)
	}
	for _, p := range m.Parameters() {
		g := grads[p.Name]
		switch want := trained(c, p.Name); {
		case want && g == nil:
			t.Errorf("%s: %s has no gradient", name, p.Name)
		case !want && g != nil:
			t.Errorf("%s: %s has a gradient, and nothing should depend on it", name, p.Name)
		case slices.ContainsFunc(g, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }):
			t.Errorf("%s: the gradient of %s is not finite", name, p.Name)
		case want && strings.HasSuffix(p.Name, ".weight") && dot(g, g) == 0:
			t.Errorf("%s: the gradient of %s is 0 throughout", name, p.Name)
		}
	}
	checkScores(t, name, m, store)
}

// trained says whether the loss depends on a parameter. Under depth_loss
// uniform it does not on the depth of the predictor.
func trained(c Config, name string) bool {
	if c.DepthLoss != "uniform" {
		return true
	}
	if c.Hyper.Form == "split" {
		return !strings.HasPrefix(name, "query.p.")
	}
	return !strings.HasPrefix(name, "query.") || c.Adapt.Predictor != "D"
}

func checkScores(t *testing.T, name string, m *Model, store *data.Store) {
	t.Helper()
	support, err := data.AssembleSupport(store, task(0, 2, 0))
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Adapt(readable(m, support))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer a.Drop()
	prob, depth := scores(t, m, a, store, []int32{9, 10, 11, 12, 13}, 5)
	if len(prob) != 5 || len(depth) != 5 {
		t.Fatalf("%s: %d scores and %d depths of 5 queries", name, len(prob), len(depth))
	}
	adapts := strings.Contains(m.config.Adapt.Predictor, "D")
	for q := range prob {
		if !(prob[q] >= 0 && prob[q] <= 1) {
			t.Errorf("%s: query %d: P(active) = %v", name, q, prob[q])
		}
		if last := m.config.Relation.Layers; int(depth[q]) < 1 || int(depth[q]) > last || !adapts && int(depth[q]) != last {
			t.Errorf("%s: query %d: depth %d of %d", name, q, depth[q], last)
		}
	}
}

// TestDropoutOfSteps: the key decides on the masks and on nothing else.
func TestDropoutOfSteps(t *testing.T) {
	locked(t, 2)
	store := randomStore(4, 20)
	batch := joined(t, store, task(0, 2, 6))
	c := small(t, Paper)
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
	// In training the running averages, which the steps moved, do not matter.
	if again := loss(1); again != first {
		t.Errorf("key 1 gives the loss %v, then %v", first, again)
	}
	c.Dropout = 0
	m = newTest(t, c, false)
	if first = loss(1); first == loss(2) {
		t.Error("without dropout in the encoder the hypernetwork's does nothing")
	}
}

package evaluate

import (
	"math"
	"testing"

	"pacia/harness/modeltest"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/model/methods"
)

// TestTogether compares the scores of an ensemble with the mean and the standard deviation of its
// members' scores. One model has no spread.
func TestTogether(t *testing.T) {
	modeltest.Locked(t, 2)
	spec, err := methods.Find("kernel")
	if err != nil {
		t.Fatal(err)
	}
	c := modeltest.Small(t, spec, model.Paper)
	c.Encoder = "fingerprint"
	var members []*model.Model
	for seed := range uint64(3) {
		members = append(members, modeltest.New(t, spec, c, model.Options{Seed: seed}))
	}
	store := modeltest.RandomStore(5, 30)
	support := modeltest.Support(t, store, modeltest.Task(0, 3, 0))
	queries := modeltest.Queries(t, store, []int32{10, 11, 12, 20, 25})
	score := func(members ...*model.Model) model.Scored {
		a, err := Together(members)(support)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Drop()
		if can, err := a.(UncertaintyScorer).EnableUncertainty(); !can || err != nil {
			t.Fatalf("no uncertainty (%v)", err)
		}
		s, err := a.(UncertaintyScorer).ScoreAll(queries)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	var alone []model.Scored
	for _, m := range members {
		alone = append(alone, score(m))
	}
	if alone[0][0].Spread != 0 {
		t.Error("a model alone has a spread")
	}
	all, far := score(members...), 0.0
	for q := range all {
		mean, squares, uncertainty := 0.0, 0.0, 0.0
		for _, s := range alone {
			mean, uncertainty = mean+float64(s[q].Probability)/3, uncertainty+float64(s[q].Uncertainty)/3
		}
		for _, s := range alone {
			squares += (float64(s[q].Probability) - mean) * (float64(s[q].Probability) - mean)
		}
		want := math.Sqrt(squares / 2)
		far = max(far, want)
		s, near := all[q], func(got float32, want float64) bool { return math.Abs(float64(got)-want) <= 1e-6 }
		if !near(s.Probability, mean) || !near(s.Spread, want) || !near(s.Uncertainty, uncertainty) || s.Depth != 1 {
			t.Errorf("query %d: %+v; want %v ± %v, uncertainty %v", q, s, mean, want, uncertainty)
		}
	}
	if far < 1e-6 {
		t.Error("all members have the same scores: nothing was compared")
	}
}

// TestInputs: models make an ensemble if they read molecules in forms that differ by vectors alone, which one form then has.
// Scoring in two passes needs a form without vectors.
func TestInputs(t *testing.T) {
	modeltest.Locked(t, 2)
	made := func(method, encoder string, minimol bool) *model.Model {
		spec, err := methods.Find(method)
		if err != nil {
			t.Fatal(err)
		}
		c := modeltest.Small(t, spec, model.Paper)
		c.Encoder = encoder
		return modeltest.New(t, spec, c.Embedding(minimol), model.Options{})
	}
	vectors, counts := made("kernel", "fingerprint", true), made("pacia", "fingerprint", false)
	joined, described := made("pacia", "minimol+fingerprint", false), made("proto", "minimol", false)
	for _, members := range [][]*model.Model{{made("kernel", "gin", false), made("pacia", "gin", false)}, {vectors, made("pacia", "gin", false)}} {
		if _, err := Inputs(members); !badinput.Is(err) {
			t.Errorf("graphs beside other molecules: %v, want a fault", err)
		}
		if _, err := NewReader(members, true); !badinput.Is(err) {
			t.Errorf("a reader of graphs beside other molecules: %v, want a fault", err)
		}
	}
	for _, c := range []struct {
		members   []*model.Model
		like      *model.Model
		refinable bool
	}{
		{[]*model.Model{counts, counts}, counts, false}, {[]*model.Model{vectors, vectors}, vectors, true},
		{[]*model.Model{counts, vectors}, vectors, true}, {[]*model.Model{vectors, counts}, vectors, true},
		{[]*model.Model{counts, joined}, vectors, false}, {[]*model.Model{vectors, joined, described}, vectors, false},
	} {
		form, err := Inputs(c.members)
		if want := Featurizer(c.like.Config()).Name; err != nil || form.Name != want || Refinable(c.members) != c.refinable {
			t.Errorf("%d members read %q (%v), refinable %v; want %q, %v", len(c.members), form.Name, err, Refinable(c.members), want, c.refinable)
		}
	}
}

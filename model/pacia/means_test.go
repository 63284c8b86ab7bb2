package pacia

import (
	"math"
	"slices"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// TestMeans: with class means as the predictor and a hypernetwork that starts with zeros,
// the scores are at first those of the encoder alone. The hypernetwork has gradients. The
// model has no depth and no relation graph to inspect.
func TestMeans(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(6, 40)
	for _, encoder := range []string{"gin", "fingerprint"} {
		scores := func(adapt string) ([]float64, *model.Model) {
			c := modeltest.Small(t, Spec, model.Paper)
			s := c.Own.(Settings)
			s.Head, s.Adapt, s.Hyper.Start, s.Hyper.Dropout = "means", Adapt{adapt, "none"}, "zero", 0
			c.Own, c.Encoder = s, encoder
			m := modeltest.New(t, Spec, c, model.Options{Seed: 3})
			prob, depth := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, modeltest.Task(0, 3, 0)), store, []int32{10, 11, 12, 13}, 4)
			if slices.ContainsFunc(depth, func(d int32) bool { return d != 1 }) {
				t.Errorf("%s: depths %v, want 1", encoder, depth)
			}
			return prob, m
		}
		plain, _ := scores("none")
		adapted, m := scores("N")
		for i := range plain {
			if math.Abs(plain[i]-adapted[i]) > 1e-6 {
				t.Errorf("%s: score %d is %v, and %v without a hypernetwork", encoder, i, adapted[i], plain[i])
			}
		}
		if traits := m.Traits(); traits.Stages || traits.Depth {
			t.Errorf("%s: traits %+v, want no stages and no depth", encoder, traits)
		}
		_, grads := modeltest.Backward(t, m, modeltest.Joined(t, store, modeltest.Task(0, 3, 6)), 1)
		if g := grads["task.0.last.2.weight"]; modeltest.Norm(g) == 0 {
			t.Errorf("%s: the last layer of the hypernetwork has no gradient", encoder)
		}
	}
}

func TestMeansSettings(t *testing.T) {
	for want, change := range map[string]func(*Settings){
		"model.head: means has no predictor to adapt": func(s *Settings) { s.Head = "means" },
		"model.beside: means is added to model.head=graph, not to means": func(s *Settings) {
			s.Head, s.Adapt.Predictor, s.Beside = "means", "none", "means"
		},
		"model.hyper.start: zero is for": func(s *Settings) { s.Hyper.Start, s.Film = "zero", "unit" },
	} {
		s := ForPreset(model.Paper).(Settings)
		change(&s)
		modeltest.Fails(t, s.Check(model.Config{}), want)
	}
}

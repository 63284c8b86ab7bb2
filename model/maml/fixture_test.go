package maml

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"pacia/data"
	"pacia/harness/golden"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/inner"
	"pacia/ops"
)

// fixture holds the results of learn2learn on a small GIN and a linear layer, in float64.
type fixture struct {
	modeltest.Published
	Runs []run
}

type run struct {
	Steps       int
	FirstOrder  bool `json:"first_order"`
	Loss        float64
	InnerLosses []float64                   `json:"inner_losses"`
	Logits      modeltest.Nested            `json:"query_logits"`
	Gradients   map[string]modeltest.Nested `json:"meta_gradients"`
	Adapted     map[string]modeltest.Nested `json:"adapted_parameters"` // of the second order only
	Averages    map[string]modeltest.Nested `json:"running_averages_after"`
}

// norm returns the norm of all gradients together.
func (r *run) norm() float64 {
	return modeltest.Norm(slices.Concat(slices.Collect(maps.Values(r.Gradients))...))
}

// classifier maps the published names of the classifier to the same names.
var classifier = modeltest.Renamed{Pattern: regexp.MustCompile(`^classifier\.`), Ours: "classifier."}

// values is the tolerance of values that the fixture has with 12 decimals.
const values = 1e-11

// TestPublished compares the loss, the gradients of both orders, the adapted parameters,
// the queries' logits and the running averages, with one and two steps.
func TestPublished(t *testing.T) {
	var f fixture
	golden.Decode(t, golden.Fixture(t, "maml_reference.json.gz"), &f)
	for _, r := range f.Runs {
		order := 2
		// The error of a product of Hessian and vector is the rounding of the two gradients, divided by
		// their distance. It grows with the norm of all gradients together.
		f.Least = 3e-16 / distance * r.norm()
		if r.FirstOrder {
			order, f.Least = 1, 0
		}
		modeltest.RunBoth(t, fmt.Sprintf("steps %d, order %d", r.Steps, order), func(t *testing.T) {
			c := f.Encoder(t, modeltest.Small(t, Spec, model.Reference))
			c.Own = Settings{inner.Settings{Steps: r.Steps, Rate: f.Number(t, "inner_lr"), Order: order}}
			m := modeltest.New(t, Spec, c, model.Options{Float64: true})
			f.Load(t, m, classifier)
			before := modeltest.Everything(t, m)
			loss, err := m.Backward(f.Batch(t), 1)
			if err != nil {
				t.Fatal(err)
			}
			modeltest.Near(t, "loss", []float64{loss}, []float64{r.Loss}, values)
			f.GradientsAgree(t, m, r.Gradients, classifier)
			f.AveragesAgree(t, m, r.Averages, "after the step")
			for _, p := range m.Parameters() {
				if !slices.Equal(modeltest.Values(t, p), before[p.Name]) {
					t.Errorf("%s was changed and not restored", p.Name)
				}
			}
			f.compareAdapted(t, r, c)
		})
	}
}

// compareAdapted makes the same steps as a test task does.
func (f *fixture) compareAdapted(t *testing.T, r run, c model.Config) {
	t.Helper()
	store, e := f.Episode(t)
	m := modeltest.New(t, Spec, c, model.Options{Float64: true})
	f.Load(t, m, classifier)
	step, err := m.Method().(*maml).Optimiser(model.Tuning{LearningRate: f.Number(t, "inner_lr")})
	if err != nil {
		t.Fatal(err)
	}
	support := modeltest.Support(t, store, e)
	for i, want := range r.InnerLosses {
		loss, err := m.Backward(support, 1)
		if err != nil {
			t.Fatal(err)
		}
		modeltest.Near(t, "inner loss", []float64{loss}, []float64{want}, values)
		if _, err := step.Step(); err != nil {
			t.Fatalf("step %d: %v", i+1, err)
		}
	}
	wanted := map[string]modeltest.Nested{}
	for published, v := range r.Adapted {
		wanted[f.Named(t, published, classifier)] = v
	}
	for _, p := range m.Parameters() {
		if want, ok := wanted[p.Name]; ok || len(wanted) > 0 {
			modeltest.Near(t, "adapted "+p.Name, modeltest.Values(t, p), want, values)
		}
	}
	modeltest.Near(t, "logits of queries", logits(t, m, modeltest.Joined(t, store, e)), r.Logits, values)
}

// logits returns the logits of an episode's queries as in the outer loss: normalised by the queries.
func logits(t *testing.T, m *model.Model, episode *data.Batch) (all []float64) {
	t.Helper()
	own := m.Method().(*maml)
	var s ops.Scope
	defer s.Drop()
	err := s.Run(func() {
		_, queries := episode.Apart()
		b := own.Place(queries[0], &s)
		read, _ := own.Encode(b, ops.Mode{Training: true}, nil, &s)
		none := s.Keep(ops.Vector(make([]int32, queries[0].Support), m.Device()))
		var err error
		all, err = ops.ReadAs[float64](own.Logits(read.Of(b.SupportMol, &s), none, &s))
		s.Check(err)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

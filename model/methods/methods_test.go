package methods

import (
	"slices"
	"strings"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// TestTable: every method has a title and a source, and valid settings for each
// preset.
func TestTable(t *testing.T) {
	names := Names()
	for i, s := range All {
		if s.Title == "" || s.Source == "" || slices.Index(names, s.Name) != i {
			t.Errorf("method %q has the title %q and the source %q", s.Name, s.Title, s.Source)
		}
		for _, preset := range []string{model.Paper, model.Reference} {
			c, err := ForPreset(preset, s.Name)
			if err == nil {
				err = c.Validate()
			}
			if err != nil || c.Preset != preset || c.Method != s.Name {
				t.Errorf("%s/%s: preset %s of method %s, %v", s.Name, preset, c.Preset, c.Method, err)
			}
			if again, _ := ForPreset(preset, s.Name); again != c {
				t.Errorf("%s/%s: %v, then %v", s.Name, preset, c, again)
			}
		}
	}
}

// TestTraits: the traits of a method are true of its models.
func TestTraits(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(3, 24)
	support, queries := modeltest.Support(t, store, modeltest.Task(0, 2, 0)), modeltest.Queries(t, store, []int32{6, 7})
	for _, s := range All {
		m := modeltest.New(t, s, modeltest.Small(t, s, model.Paper), model.Options{})
		encodes := func(p model.Parameter) bool { return strings.HasPrefix(p.Name, "encoder.") }
		if slices.ContainsFunc(m.Parameters(), encodes) == m.Traits().NoEncoder {
			t.Errorf("%s lays out no encoder: %t; its parameters are %v", s.Name, m.Traits().NoEncoder, m.Counts())
		}
		m.Tune(model.Tuning{Steps: 1, LearningRate: 1e-3})
		if _, err := m.Inspect(support, queries); (err == nil) != s.Traits.Stages {
			t.Errorf("%s has stages: %t; inspecting it: %v", s.Name, s.Traits.Stages, err)
		}
		a := modeltest.Adapt(t, m, store, modeltest.Task(0, 2, 0))
		if _, _, err := a.Score(queries); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		m.Tune(model.Tuning{})
		unstepped, err := m.Adapt(support)
		if (err != nil) != s.Traits.NeedsSteps {
			t.Errorf("%s needs steps: %t; without: %v", s.Name, s.Traits.NeedsSteps, err)
		}
		if err == nil {
			unstepped.Drop()
		}
	}
}

func TestErrors(t *testing.T) {
	_, err := Find("reptile")
	modeltest.Fails(t, err, `model.method: "reptile"`, "pacia, finetune, single, multitask")
	_, err = ForPreset(model.Paper, "reptile")
	modeltest.Fails(t, err, `model.method: "reptile"`)
	_, err = ForPreset("papers", Default)
	modeltest.Fails(t, err, `"papers" is not known`)
	_, err = New(model.Config{Method: "reptile"}, model.Options{Device: "cpu"})
	modeltest.Fails(t, err, `model.method: "reptile"`)
	_, err = New(model.Config{Method: Default}, model.Options{Device: "cpu"})
	modeltest.Fails(t, err, "has no settings of its own")
}

// TestOwners: a setting belongs to the methods that have it in their settings.
func TestOwners(t *testing.T) {
	for name, want := range map[string][]string{"model.relation.layers": {"pacia", "finetune"}, "model.adapt.encoder": {"pacia"}} {
		got := Owners(name)
		for _, method := range want {
			if !slices.Contains(got, method) || slices.Contains(got, "multitask") {
				t.Errorf("%s is of %q, want %q and not multitask", name, got, want)
			}
		}
	}
	for _, name := range []string{"model.width", "model.relation"} {
		if got := Owners(name); got != nil {
			t.Errorf("%s is of %q, want no method", name, got)
		}
	}
}

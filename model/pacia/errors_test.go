package pacia

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

func TestErrorsOfDevices(t *testing.T) {
	c := small(t, model.Paper).whole()
	_, err := model.New(Spec, c, model.Options{Device: "gpu"})
	modeltest.Fails(t, err, `"gpu"`, "write cpu, cuda or cuda:N")
	if info, err := ops.Info(); err != nil || info.Devices > 0 {
		t.Skip("there is a CUDA device, which is not refused", err)
	}
	if m, err := model.New(Spec, c, model.Options{Device: "cuda"}); err == nil || m != nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a model on a device that is not there: %v, error %q; want one line", m, err)
	}
}

// TestErrorsOfSettings: New fails for settings that Validate refuses, with an error
// that names the setting.
func TestErrorsOfSettings(t *testing.T) {
	for name, change := range map[string]func(*config){
		"model.encoder":         func(c *config) { c.Encoder = "gine" },
		"model.layers":          func(c *config) { c.Layers = 0 },
		"model.width":           func(c *config) { c.Width = -1 },
		"model.dropout":         func(c *config) { c.Dropout = 1 },
		"model.hyper.dropout":   func(c *config) { c.Hyper.Dropout = math.NaN() },
		"model.adapt.encoder":   func(c *config) { c.Adapt.Encoder = "DN" },
		"model.adapt.predictor": func(c *config) { c.Adapt.Predictor = "" },
		"model.film":            func(c *config) { c.Film = "shift" },
		"model.depth_loss":      func(c *config) { c.DepthLoss = "last" },
		"model.hyper.form":      func(c *config) { c.Hyper.Form = "Joint" },
		"model.relation.node":   func(c *config) { c.Relation.Node = "triple" },
		"model.relation.layers": func(c *config) { c.Relation.Layers = 65 },
		"model.relation.width":  func(c *config) { c.Relation.Width = 0 },
		"model.readout":         func(c *config) { c.Readout = "average" },
		"model.jump":            func(c *config) { c.Jump = "none" },

		"model.hyper.prototypes": func(c *config) { c.Hyper.Prototypes = "sum" },
		"model.hyper.layers":     func(c *config) { c.Hyper.Layers = 5 },
	} {
		c := small(t, model.Reference)
		if err := c.whole().Validate(); err != nil {
			t.Fatal(err)
		}
		change(&c)
		_, err := model.New(Spec, c.whole(), model.Options{Device: "cpu"})
		modeltest.Fails(t, err, name+": ")
	}
	_, err := model.ForPreset("papers")
	modeltest.Fails(t, err, `"papers" is not known`, "write paper or reference")
}

// TestErrorsOfSettingsTogether: combinations of settings that are valid separately.
func TestErrorsOfSettingsTogether(t *testing.T) {
	for _, f := range []struct {
		change func(*config)
		words  []string
	}{
		{func(c *config) { c.Encoder = "pna" }, []string{"model.width: 6 is not a multiple of the 4 towers", "write 8"}},
		{func(c *config) { c.Jump, c.Adapt.Encoder = "sum", "ND" }, []string{"model.jump: sum does not go with model.adapt.encoder=ND", "write last"}},
		{func(c *config) { c.Hyper.Width, c.Hyper.Layers = 7, 1 }, []string{"model.hyper.width: 7 is the width of hidden layers", "write 0"}},
		{func(c *config) { c.Hyper.Query, c.Hyper.Layers = 7, 1 }, []string{"model.hyper.query: 7 is the width of hidden layers", "write 0"}},
	} {
		c := small(t, model.Paper)
		f.change(&c)
		_, err := model.New(Spec, c.whole(), model.Options{Device: "cpu"})
		modeltest.Fails(t, err, f.words...)
	}
}

// TestErrorsOfBatches: batches that do not fit the call are errors.
func TestErrorsOfBatches(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(11, 30)
	m := newTest(t, small(t, model.Paper), false)
	whole := modeltest.Joined(t, store, modeltest.Task(0, 2, 3))
	support := modeltest.Support(t, store, modeltest.Task(0, 2, 0))
	queries := modeltest.Queries(t, store, []int32{7, 8})
	a, err := m.Adapt(support)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Drop()
	for name, c := range map[string]struct {
		call  func() error
		words []string
	}{
		"adapt to support and queries": {func() error { _, err := m.Adapt(whole); return err }, []string{"adapt: ", "3 queries"}},
		"adapt to queries":             {func() error { _, err := m.Adapt(queries); return err }, []string{"adapt: ", "0 support"}},
		"score a support set":          {func() error { _, _, err := a.Score(support); return err }, []string{"score: ", "4 support"}},
		"train on a support set":       {func() error { _, err := m.Backward(support, 1); return err }, []string{"training step: "}},
		"train on queries":             {func() error { _, err := m.Backward(queries, 1); return err }, []string{"training step: "}},
		"train on nothing":             {func() error { _, err := m.Backward(new(data.Batch), 1); return err }, []string{"training step: "}},
		"score nothing":                {func() error { _, _, err := a.Score(new(data.Batch)); return err }, []string{"score: "}},
	} {
		t.Run(name, func(t *testing.T) {
			modeltest.Locked(t, 1)
			modeltest.Fails(t, c.call(), c.words...)
		})
	}
}

// spoilt returns a batch of one task with one change.
func spoilt(t *testing.T, change func(*data.Batch)) *data.Batch {
	t.Helper()
	b := modeltest.Joined(t, modeltest.RandomStore(12, 20), modeltest.Task(0, 2, 3))
	change(b)
	return b
}

func TestErrorsOfValues(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*data.Batch)
		word   string
	}{
		"atomic number beyond the table": {func(b *data.Batch) { b.Atoms[0] = 120 }, "embed: "},
		"bond type beyond the table":     {func(b *data.Batch) { b.Bond[0] = 200 }, "graph: "},
		"molecule beyond the batch":      {func(b *data.Batch) { b.SupportMol[1] = 99 }, "segment mean: "},
		"query beyond the batch":         {func(b *data.Batch) { b.QueryMol[0] = 99 }, "segment mean: "},
		"label beyond 1":                 {func(b *data.Batch) { b.SupportLabel[0] = 2 }, "hypernetwork: "},
		"query's label beyond 1":         {func(b *data.Batch) { b.QueryLabel[0] = 7 }, "loss: "},
		"query of another task":          {func(b *data.Batch) { b.QueryTask[2] = 1 }, "training step: query 2 is of task 1"},
		"fewer labels":                   {func(b *data.Batch) { b.SupportLabel = b.SupportLabel[1:] }, "training step: "},
		"no queries' labels":             {func(b *data.Batch) { b.QueryLabel = nil }, "training step: "},
		"no neighbours":                  {func(b *data.Batch) { b.Shots = 0 }, "relation layer: "},
	} {
		t.Run(name, func(t *testing.T) {
			modeltest.Locked(t, 1)
			m := newTest(t, small(t, model.Reference), false)
			_, err := m.Backward(spoilt(t, c.change), 1)
			modeltest.Fails(t, err, c.word)
		})
	}
}

// TestLossNotFinite: with a support set of one class, the mean of the other class and the
// loss are NaN. The gradients do not change.
func TestLossNotFinite(t *testing.T) {
	modeltest.Locked(t, 1)
	m := newTest(t, small(t, model.Reference), false)
	_, before := modeltest.Backward(t, m, spoilt(t, func(*data.Batch) {}), 1)
	_, err := m.Backward(spoilt(t, func(b *data.Batch) { clear(b.SupportLabel) }), 1)
	if !errors.Is(err, ops.ErrNotFinite) {
		t.Fatalf("error %v, want ErrNotFinite", err)
	}
	for _, p := range m.Parameters() {
		if g, err := ops.Gradient(p.Tensor); err != nil || !slices.Equal(g, before[p.Name]) {
			t.Errorf("the gradient of %s changed, %v", p.Name, err)
		}
	}
}

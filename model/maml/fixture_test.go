package maml

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/internal/golden"
	"pacia/model"
	"pacia/model/modeltest"
	"pacia/ops"
)

// fixture is what learn2learn computes on a small GIN and a linear layer, in float64.
type fixture struct {
	Config struct {
		Layers int     `json:"enc_layer"`
		Width  int     `json:"emb_dim"`
		Rate   float64 `json:"inner_lr"`
	}
	SupportSMILES []string           `json:"support_smiles"`
	QuerySMILES   []string           `json:"query_smiles"`
	SupportLabels []uint8            `json:"support_labels"`
	QueryLabels   []uint8            `json:"query_labels"`
	Parameters    []golden.Parameter `json:"parameters"`
	Runs          []run
}

type run struct {
	Steps       int
	FirstOrder  bool `json:"first_order"`
	Loss        float64
	InnerLosses []float64      `json:"inner_losses"`
	Logits      [][]float64    `json:"query_logits"`
	Gradients   map[string]any `json:"meta_gradients"`
	Adapted     map[string]any `json:"adapted_parameters"`
	Averages    map[string]any `json:"running_averages_after"`
}

// readFixture skips the test where the fixture is not there.
func readFixture(t *testing.T) (f fixture) {
	t.Helper()
	golden.Decode(t, golden.Fixture(t, "maml_reference.json.gz"), &f)
	return f
}

// names translates the published names to ours.
var names = []struct {
	pattern *regexp.Regexp
	ours    string
}{
	{regexp.MustCompile(`^encoder\.gnn\.x_embedding1\.weight$`), "encoder.atom"},
	{regexp.MustCompile(`^encoder\.gnn\.x_embedding2\.weight$`), "encoder.chirality"},
	{regexp.MustCompile(`^encoder\.gnn\.gnns\.(\d+)\.mlp\.0\.`), "encoder.$1.mlp.0."},
	{regexp.MustCompile(`^encoder\.gnn\.gnns\.(\d+)\.mlp\.2\.`), "encoder.$1.mlp.1."},
	{regexp.MustCompile(`^encoder\.gnn\.gnns\.(\d+)\.edge_embedding1\.weight$`), "encoder.$1.bond"},
	{regexp.MustCompile(`^encoder\.gnn\.gnns\.(\d+)\.edge_embedding2\.weight$`), "encoder.$1.direction"},
	{regexp.MustCompile(`^encoder\.gnn\.batch_norms\.(\d+)\.running_(mean|var)`), "encoder.$1.norm.$2"},
	{regexp.MustCompile(`^encoder\.gnn\.batch_norms\.(\d+)\.`), "encoder.$1.norm."},
	{regexp.MustCompile(`^classifier\.`), "classifier."},
}

func ourName(t *testing.T, published string) string {
	for _, n := range names {
		if n.pattern.MatchString(published) {
			return n.pattern.ReplaceAllString(published, n.ours)
		}
	}
	t.Fatalf("parameter %s of the fixture has no counterpart", published)
	return ""
}

// flat are the numbers of nested lists, row-major.
func flat(v any) []float64 {
	if n, ok := v.(float64); ok {
		return []float64{n}
	}
	var all []float64
	for _, part := range v.([]any) {
		all = append(all, flat(part)...)
	}
	return all
}

// model has the fixture's parameters.
func (f fixture) model(t *testing.T, inner Adaptation) *model.Model {
	t.Helper()
	c := modeltest.Small(t, Spec, model.Reference)
	c.Layers, c.Width, c.Own = f.Config.Layers, f.Config.Width, Settings{inner}
	m := modeltest.New(t, Spec, c, model.Options{Float64: true})
	ours := map[string]model.Parameter{}
	for _, p := range m.Parameters() {
		ours[p.Name] = p
	}
	for _, p := range f.Parameters {
		name := ourName(t, p.Name)
		to, ok := ours[name]
		if !ok {
			t.Fatalf("%s: the model has no parameter %s", p.Name, name)
		}
		delete(ours, name)
		if err := ops.Write(to.Tensor, p.Values(t)); err != nil {
			t.Fatal(err)
		}
	}
	for name := range ours {
		t.Errorf("the fixture has no parameter %s", name)
	}
	return m
}

// episode is the fixture's.
func (f fixture) episode(t *testing.T) (*data.Store, data.Episode) {
	t.Helper()
	graphs, errs := data.GraphsFromSMILES(slices.Concat(f.SupportSMILES, f.QuerySMILES))
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	e := data.Episode{SupportLabels: f.SupportLabels, QueryLabels: f.QueryLabels, Shots: len(f.SupportLabels) / 2}
	for i := range graphs {
		if i < len(f.SupportSMILES) {
			e.Support = append(e.Support, int32(i))
		} else {
			e.Query = append(e.Query, int32(i))
		}
	}
	return data.NewStore(graphs), e
}

// Tolerances: the fixture has 12 decimals; of gradients, 1e-9 of a tensor's largest entry,
// or of the largest of all where a tensor's own are rounding.
const (
	values    = 1e-11
	gradients = 1e-9
)

// TestPublished compares the loss, the gradients of both orders with one and two steps,
// the adapted parameters, the queries' logits and the running averages.
func TestPublished(t *testing.T) {
	f := readFixture(t)
	for _, r := range f.Runs {
		order := 2
		if r.FirstOrder {
			order = 1
		}
		name := strings.Join([]string{[]string{"one", "two"}[r.Steps-1], "order", []string{"1", "2"}[order-1]}, " ")
		modeltest.RunBoth(t, name, func(t *testing.T) {
			store, e := f.episode(t)
			m := f.model(t, Adaptation{Steps: r.Steps, Rate: f.Config.Rate, Order: order})
			before := modeltest.Everything(t, m)
			loss, grads := modeltest.Backward(t, m, modeltest.Joined(t, store, e), 1)
			modeltest.Near(t, "loss", []float64{loss}, []float64{r.Loss}, values)
			r.compareGradients(t, grads)
			for _, p := range m.Parameters() {
				if !slices.Equal(modeltest.Values(t, p), before[p.Name]) {
					t.Errorf("%s was moved and not put back", p.Name)
				}
			}
			for published, want := range r.Averages {
				name := ourName(t, published)
				i := slices.IndexFunc(m.Buffers(), func(p model.Parameter) bool { return p.Name == name })
				if i < 0 {
					t.Fatalf("no running average %s", name)
				}
				modeltest.Near(t, name, modeltest.Values(t, m.Buffers()[i]), flat(want), values)
			}
			f.compareAdapted(t, r, order)
		})
	}
}

func (r run) compareGradients(t *testing.T, grads map[string][]float64) {
	t.Helper()
	largest := 0.0
	for _, want := range r.Gradients {
		for _, v := range flat(want) {
			largest = max(largest, math.Abs(v))
		}
	}
	for published, w := range r.Gradients {
		name, want := ourName(t, published), flat(w)
		scale := max(slices.Max(want), -slices.Min(want))
		if scale < 1e-9*largest {
			scale = largest // nothing but rounding
		}
		for i, g := range grads[name] {
			if d := math.Abs(g - want[i]); !(d <= gradients*scale) {
				t.Errorf("gradient of %s: entry %d is %v, want %v, which is %.1e of the largest", name, i, g, want[i], d/scale)
				break
			}
		}
		if len(grads[name]) != len(want) {
			t.Errorf("gradient of %s: %d entries, want %d", name, len(grads[name]), len(want))
		}
	}
}

// compareAdapted makes the same steps as a test task does.
func (f fixture) compareAdapted(t *testing.T, r run, order int) {
	t.Helper()
	store, e := f.episode(t)
	m := f.model(t, Adaptation{Steps: r.Steps, Rate: f.Config.Rate, Order: order})
	step, err := m.Method().(*maml).Optimiser(model.Tuning{LearningRate: f.Config.Rate})
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
	all := modeltest.Everything(t, m)
	for published, want := range r.Adapted {
		modeltest.Near(t, "adapted "+published, all[ourName(t, published)], flat(want), values)
	}
	modeltest.Near(t, "logits of queries", f.logits(t, m), slices.Concat(r.Logits...), values)
}

// logits of the queries as the outer loss has them: normalised by themselves.
func (f fixture) logits(t *testing.T, m *model.Model) (logits []float64) {
	t.Helper()
	store, e := f.episode(t)
	own := m.Method().(*maml)
	var s ops.Scope
	defer s.Drop()
	err := s.Run(func() {
		_, queries := modeltest.Joined(t, store, e).Apart()
		b := own.Place(queries[0], &s)
		read, _ := own.Encode(b, ops.Mode{Training: true}, nil, &s)
		none := s.Keep(ops.Vector(make([]int32, len(e.Query)), m.Device()))
		var err error
		logits, err = ops.ReadAs[float64](own.Logits(read.Of(b.SupportMol, &s), none, &s))
		s.Check(err)
	})
	if err != nil {
		t.Fatal(err)
	}
	return logits
}

package par

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/golden"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// fixture holds the results of the published code for one episode, in float64.
type fixture struct {
	modeltest.Published
	Train struct {
		Inner   stages
		Outer   stages
		Adapted map[string]modeltest.Nested `json:"adapted_parameters"`
		After   map[string]modeltest.Nested `json:"running_averages_after"`
		Second  map[string]modeltest.Nested `json:"meta_gradients_second_order"`
		First   map[string]modeltest.Nested `json:"meta_gradients_first_order"`
	}
	Test struct {
		Adaptation stages
		Scoring    stages
		Used       map[string]modeltest.Nested `json:"running_averages_used"`
		Active     []float64                   `json:"probability_active"`
	}
}

// stages holds the results of a pass for M queries in graphs of n nodes, by layer.
type stages struct {
	Support       modeltest.Nested   `json:"support_embedding"`
	Query         modeltest.Nested   `json:"query_embedding"`
	Attended      [][][]float64      `json:"attention_out"` // [M·n][3][d]
	Projected     modeltest.Nested   // [M, n, w]
	Nodes         []modeltest.Nested `json:"nodes_per_layer"`
	Adjacency     []modeltest.Nested `json:"adjacency_per_layer"`
	SupportLogits modeltest.Nested   `json:"support_logits"`
	QueryLogits   modeltest.Nested   `json:"query_logits"`
	Loss          float64
	Entropy       float64 `json:"cross_entropy"`
	MSE           float64 `json:"adjacency_mse"`
	Gradients     map[string]modeltest.Nested
}

var names = []modeltest.Renamed{
	{Pattern: regexp.MustCompile(`^encode_projection\.attn_layer\.qkv\.`), Ours: "context.attention."},
	{Pattern: regexp.MustCompile(`^encode_projection\.mlp_proj\.network\.fc(\d)\.`), Ours: "projection.$1."},
	{Pattern: regexp.MustCompile(`^adapt_relation\.edge_layer(\d+)\.sim_network\.conv([01])\.`), Ours: "relation.$1.similarity.$2."},
	{Pattern: regexp.MustCompile(`^adapt_relation\.edge_layer(\d+)\.sim_network\.conv_out\.`), Ours: "relation.$1.similarity.2."},
	{Pattern: regexp.MustCompile(`^adapt_relation\.node_layer(\d+)\.network\.conv0\.`), Ours: "relation.$1.node.0."},
	{Pattern: regexp.MustCompile(`^adapt_relation\.fc1\.0\.`), Ours: "classifier.0."},
	{Pattern: regexp.MustCompile(`^adapt_relation\.fc2\.`), Ours: "classifier.1."},
}

// rounded is the tolerance of values that the fixture has with 12 decimals.
const rounded = 1e-11

func readFixture(t *testing.T) *fixture {
	t.Helper()
	f := new(fixture)
	golden.Decode(t, golden.Fixture(t, "par_reference.json.gz"), f)
	return f
}

// settings are the fixture's, without dropout.
func (f *fixture) settings(t *testing.T, order int) Settings {
	t.Helper()
	number := func(name string) int { return int(f.Number(t, name)) }
	s := ForPreset(model.Reference).(Settings)
	s.Relation = Relation{Layers: number("rel_layer"), Width: number("map_dim"), Hidden: 2 * number("rel_hidden_dim"), Keep: "shots"}
	s.Context.Dropout = 0
	s.Adaptation.Rate, s.Adaptation.Order = f.Number(t, "inner_lr"), order
	return s
}

// lab is a model with the fixture's parameters, and its head.
type lab struct {
	*testing.T
	*ops.Scope
	f    *fixture
	m    *model.Model
	head head
}

func newLab(t *testing.T, f *fixture, order int) *lab {
	t.Helper()
	l := &lab{T: t, Scope: new(ops.Scope), f: f}
	t.Cleanup(l.Drop)
	spec := Spec
	spec.New = func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		p, err := newPAR(b, c.Own.(Settings))
		if err == nil {
			l.head = p.head
		}
		return p, err
	}
	c := f.Encoder(t, modeltest.Small(t, spec, model.Reference))
	c.Own = f.settings(t, order)
	l.m = modeltest.New(t, spec, c, model.Options{Float64: true})
	f.Load(t, l.m, names...)
	return l
}

func (l *lab) vectors(v []float64) *ts.Tensor {
	d := int64(l.f.Width(l))
	return l.Keep(ops.New(v, []int64{int64(len(v)) / d, d}, l.m.Device()))
}
func (l *lab) labels() *ts.Tensor { return l.Keep(ops.Vector(l.f.SupportLabels, l.m.Device())) }

func (l *lab) read(t *ts.Tensor) []float64 {
	l.Helper()
	v, err := ops.ReadAs[float64](t)
	l.Check(err)
	return v
}

func (l *lab) near(what string, got *ts.Tensor, want []float64) {
	l.Helper()
	modeltest.Near(l, what, l.read(got), want, rounded)
}

// adapt makes the fixture's step from its training vectors, with its queries in the graphs.
func (l *lab) adapt(averaged bool) *adaptedHead {
	steps := steps{steps: 1, rate: l.f.Number(l, "inner_lr")}
	in := l.f.Train.Inner
	a, err := l.head.adapt(l.vectors(in.Support), l.labels(), l.vectors(in.Query), int(l.f.Number(l, "rel_k")), steps, averaged)
	l.Check(err)
	l.Own(a.drop)
	return a
}

// stages compares the stages of a pass with the head h.
func (l *lab) stages(pass string, h *head, want stages) (logits *ts.Tensor) {
	l.Helper()
	support, query := l.vectors(want.Support), l.vectors(want.Query)
	s, a := l.Keep2(h.nodes(support, l.labels(), support))
	q, b := l.Keep2(h.nodes(support, l.labels(), query))
	N, M := len(l.f.SupportLabels), len(l.f.QueryLabels)
	ofSupport, ofQuery := l.read(a), l.read(b)
	nodes, queries := l.read(s), l.read(q)
	d, w := len(ofQuery)/M, len(queries)/M
	var attended, wanted, projected []float64
	for i := range M {
		attended = append(append(attended, ofSupport...), ofQuery[i*d:(i+1)*d]...)
		projected = append(append(projected, nodes...), queries[i*w:(i+1)*w]...)
	}
	for _, tokens := range want.Attended {
		wanted = append(wanted, tokens[0]...)
	}
	modeltest.Near(l, pass+": attended", attended, wanted, rounded)
	modeltest.Near(l, pass+": projected", projected, want.Projected, rounded)
	task := l.Keep(ops.Vector(make([]int32, M), l.m.Device()))
	x := ops.Nodes{Support: s, Query: q, Task: task}
	for i := range h.layers {
		next, adjacency := l.Keep2(h.layers[i].Layer(x, N, int(l.f.Number(l, "rel_k")), true))
		l.near(fmt.Sprintf("%s: nodes of layer %d", pass, i+1), next, want.Nodes[i])
		l.near(fmt.Sprintf("%s: adjacency of layer %d", pass, i+1), adjacency, want.Adjacency[i])
		x = ops.Nodes{Graphs: next, Task: task}
	}
	all := l.read(l.Keep(h.logits(x.Graphs, false)))
	var ofGraphs []float64
	for i := range M {
		ofGraphs = append(ofGraphs, all[2*i*(N+1):2*(i*(N+1)+N)]...)
	}
	modeltest.Near(l, pass+": logits of the support", ofGraphs, want.SupportLogits, rounded)
	logits = l.Keep(h.logits(x.Graphs, true))
	l.near(pass+": logits of the queries", logits, want.QueryLogits)
	return logits
}

// TestPublishedStages: each stage before and after the step, the step itself, and the
// losses of its support.
func TestPublishedStages(t *testing.T) {
	f := readFixture(t)
	modeltest.RunBoth(t, "stages", func(t *testing.T) {
		l := newLab(t, f, 2)
		err := l.Scope.Run(func() {
			l.stages("inner", &l.head, f.Train.Inner)
			a := l.adapt(false)
			l.near("cross entropy", a.entropy, []float64{f.Train.Inner.Entropy})
			l.near("adjacency's loss", a.adjacency, []float64{f.Train.Inner.MSE})
			l.stages("outer", &a.head, f.Train.Outer)
			l.adapted(a)

			a = l.adapt(true)
			l.near("test: cross entropy", a.entropy, []float64{f.Test.Adaptation.Entropy})
			l.near("test: adjacency's loss", a.adjacency, []float64{f.Test.Adaptation.MSE})
			active, _, err := model.Probabilities(l.stages("test", &a.head, f.Test.Scoring))
			l.Check(err)
			for q, want := range f.Test.Active {
				modeltest.Near(t, "P(active)", []float64{float64(active[q])}, []float64{want}, modeltest.Float32ULP)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// adapted compares the parameters after the step, and the gradients of the step.
func (l *lab) adapted(a *adaptedHead) {
	l.Helper()
	got := map[string]*ts.Tensor{
		"encode_projection.attn_layer.qkv.weight": a.attention, "adapt_relation.fc1.0.weight": a.classify[0].W,
		"adapt_relation.fc1.0.bias": a.classify[0].B, "adapt_relation.fc2.weight": a.classify[1].W, "adapt_relation.fc2.bias": a.classify[1].B,
	}
	for i, p := range a.project {
		got[fmt.Sprintf("encode_projection.mlp_proj.network.fc%d.weight", i)] = p.W
		got[fmt.Sprintf("encode_projection.mlp_proj.network.fc%d.bias", i)] = p.B
	}
	if len(got) != len(l.f.Train.Adapted) {
		l.Errorf("%d parameters are adapted, want %d", len(got), len(l.f.Train.Adapted))
	}
	for _, p := range l.f.Parameters {
		to := got[p.Name]
		if to == nil {
			continue
		}
		l.near("adapted "+p.Name, to, l.f.Train.Adapted[p.Name])
		slope, before := l.read(to), p.Start(l)
		for i := range slope {
			slope[i] = (before[i] - slope[i]) / l.f.Number(l, "inner_lr")
		}
		modeltest.GradientAgrees(l, "the support's loss by "+p.Name, slope, l.f.Train.Inner.Gradients[p.Name])
	}
}

// TestPublishedGradients compares the second-order and first-order gradients of each
// parameter, from SMILES on.
func TestPublishedGradients(t *testing.T) {
	f := readFixture(t)
	for order, want := range map[int]map[string]modeltest.Nested{1: f.Train.First, 2: f.Train.Second} {
		modeltest.RunBoth(t, fmt.Sprint("order ", order), func(t *testing.T) {
			l := newLab(t, f, order)
			loss, _ := modeltest.Backward(t, l.m, f.Batch(t), 1)
			modeltest.Near(t, "loss", []float64{loss}, []float64{f.Train.Outer.Loss}, rounded)
			f.GradientsAgree(t, l.m, want, names...)
		})
	}
}

// TestPublishedRunningAverages: a step updates them with its support and then with its
// queries, each time by a tenth. The published code has a pass of both before the inner step
// and one after it, which here are two steps without a change of parameters.
func TestPublishedRunningAverages(t *testing.T) {
	f := readFixture(t)
	modeltest.RunBoth(t, "averages", func(t *testing.T) {
		l := newLab(t, f, 1)
		for pass, want := range []map[string]modeltest.Nested{f.Test.Used, f.Train.After} {
			modeltest.Backward(t, l.m, f.Batch(t), 1)
			f.AveragesAgree(t, l.m, want, fmt.Sprintf("after pass %d", pass+1))
		}
	})
}

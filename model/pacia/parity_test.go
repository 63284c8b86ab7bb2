package pacia

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// TestParity compares every stage of the reference preset with the published code,
// from features to gradients. The fixture is rounded to nine decimals, which limits
// the agreement in float64.
func TestParity(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	f := readFixture(t)
	support := assembled(t, f)
	checkGraph(t, support, f)
	for _, mode := range []struct {
		name string
		want *stages
		ops.Mode
	}{{"eval", &f.Eval, ops.Mode{}}, {"train", &f.Train, ops.Mode{Training: true}}} {
		for _, precision := range []struct {
			name      string
			float64s  bool
			tolerance float64
		}{{"float64", true, 1e-8}, {"float32", false, 1e-4}} {
			modeltest.RunBoth(t, mode.name+"/"+precision.name, func(t *testing.T) {
				p := referenceModel(t, f, precision.float64s)
				loss, stages := p.pass(t, support, mode.Mode)
				c := comparison{t, precision.tolerance}
				c.stages(mode.want, stages, loss)
				c.gradients(f, p.model, mode.want, precision.float64s)
			})
		}
	}
}

// TestParityOfScoring runs the fixture's episode the other way: adapt to the
// support once, then score the queries.
func TestParityOfScoring(t *testing.T) {
	modeltest.RunBoth(t, "reference", testParityOfScoring)
}

func testParityOfScoring(t *testing.T) {
	f := readFixture(t)
	store, e := episode(t, f)
	m := referenceModel(t, f, true).model
	prob, depth := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, e.Query, len(e.Query))
	for q, layer := range f.Eval.SelectedLayer {
		if int(depth[q]) != layer+1 {
			t.Errorf("query %d: depth %d, want %d", q, depth[q], layer+1)
		}
		l := f.Eval.Logits[q][layer]
		if want := 1 / (1 + math.Exp(l[0]-l[1])); math.Abs(prob[q]-want) > 1e-6 {
			t.Errorf("query %d: P(active) = %v, want %v", q, prob[q], want)
		}
	}
}

// referenceModel is the reference preset, dropout 0, with the fixture's
// parameters, and changed settings.
func referenceModel(t *testing.T, f *fixture, float64s bool, changes ...func(*config)) *probe {
	t.Helper()
	c := full(t, model.Reference)
	c.Dropout = 0
	for _, change := range changes {
		change(&c)
	}
	c.Layers = f.layersNamed("encoder.gnn.gnns.")
	c.Relation.Layers = f.layersNamed("relation.edge_layer")
	probe := newProbe(t, c, float64s)
	ours := map[string]model.Parameter{}
	for _, p := range probe.model.Parameters() {
		ours[p.Name] = p
	}
	for _, p := range f.Parameters {
		name := ourName(t, p.Name)
		if name == "" {
			continue
		}
		to, ok := ours[name]
		if !ok {
			t.Fatalf("%s: the model has no parameter %s", p.Name, name)
		}
		delete(ours, name)
		if err := ops.Write(to.Tensor, p.Values(t)); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
	}
	for name := range ours {
		t.Errorf("the fixture has no parameter %s", name)
	}
	return probe
}

func episode(t *testing.T, f *fixture) (*molecule.Store, data.Episode) {
	t.Helper()
	graphs, errs := molecule.GraphsFromSMILES(slices.Concat(f.SupportSMILES, f.QuerySMILES))
	for i, err := range errs {
		if err != nil {
			t.Fatalf("molecule %d: %v", i, err)
		}
	}
	e := data.Episode{SupportLabels: f.SupportLabels, QueryLabels: f.QueryLabels}
	count := [2]int{}
	for i := range f.SupportSMILES {
		e.Support = append(e.Support, int32(i))
		count[f.SupportLabels[i]]++
	}
	for i := range f.QuerySMILES {
		e.Query = append(e.Query, int32(len(f.SupportSMILES)+i))
	}
	e.Shots = min(count[0], count[1])
	return molecule.NewStore(graphs), e
}

func assembled(t *testing.T, f *fixture) *data.Batch {
	t.Helper()
	store, e := episode(t, f)
	return modeltest.Joined(t, store, e)
}

// checkGraph compares the features exactly: atoms, and for every atom its
// incoming bonds in the order of the fixture's edges.
func checkGraph(t *testing.T, b *data.Batch, f *fixture) {
	t.Helper()
	var atoms []uint8
	var incoming [][][3]int32
	base := int32(0)
	for _, g := range []graph{f.SupportGraph, f.QueryGraph} {
		for _, x := range g.X {
			atoms = append(atoms, x[0], x[1])
			incoming = append(incoming, nil)
		}
		for e := range g.Attr {
			v := base + g.Edges[1][e]
			incoming[v] = append(incoming[v], [3]int32{base + g.Edges[0][e], int32(g.Attr[e][0]), int32(g.Attr[e][1])})
		}
		base += int32(len(g.X))
	}
	if !slices.Equal(b.Atoms, atoms) {
		t.Errorf("atom categories\n got %v\nwant %v", b.Atoms, atoms)
	}
	for v := range incoming {
		var got [][3]int32
		for k := b.RowPtr[v]; k < b.RowPtr[v+1]; k++ {
			got = append(got, [3]int32{b.Col[k], int32(b.Bond[2*k]), int32(b.Bond[2*k+1])})
		}
		if !slices.Equal(got, incoming[v]) {
			t.Errorf("bonds of atom %d: %v, want %v", v, got, incoming[v])
		}
	}
}

// comparison checks stages with a tolerance relative to the largest entry of the stage,
// or to 0.1 if that is larger, because the fixture has nine decimals. Single entries may
// be 0.
type comparison struct {
	*testing.T
	tolerance float64
}

func (c comparison) close(stage string, got, want []float64) {
	c.Helper()
	const least = 0.1 // an entry of both, so that the scale is never below it
	modeltest.Close(c, stage, append(got, least), append(want, least), c.tolerance)
}

func (c comparison) stages(want *stages, got *trace, loss float64) {
	c.Helper()
	c.close("support embedding", got.SupportMean, slices.Concat(want.SupportEmbedding...))
	c.close("query embedding", got.QueryMean, slices.Concat(want.QueryEmbedding...))
	for l := range got.W {
		c.close(fmt.Sprintf("w of layer %d", l+1), unit(got.W[l]), want.FilmUnit[2*l])
		c.close(fmt.Sprintf("b of layer %d", l+1), unit(got.B[l]), want.FilmUnit[2*l+1])
	}
	for q := range want.Projected {
		d := len(got.Query) / len(want.Projected)
		c.close(fmt.Sprintf("projected, query %d", q), slices.Concat(got.Support, got.Query[q*d:(q+1)*d]), slices.Concat(want.Projected[q]...))
	}
	for l := range want.Nodes {
		var nodes, adjacency []float64
		for q := range want.Nodes[l] {
			nodes = append(nodes, slices.Concat(want.Nodes[l][q]...)...)
			adjacency = append(adjacency, slices.Concat(want.Adjacency[l][q][0]...)...)
		}
		c.close(fmt.Sprintf("adjacency of relation layer %d", l+1), got.Adjacency[l], adjacency)
		c.close(fmt.Sprintf("nodes of relation layer %d", l+1), got.Nodes[l], nodes)
	}
	c.close("depth scores", got.Depth, slices.Concat(want.DepthScores...))
	var logits []float64
	for _, q := range want.Logits {
		logits = append(logits, slices.Concat(q...)...)
	}
	c.close("logits", got.Logits, logits)
	c.close("cross entropies", got.CrossEntropy, slices.Concat(want.CrossEntropy...))
	c.close("expected loss", []float64{loss}, []float64{want.ExpectedLoss})
}

// gradients compares the norm of every parameter's gradient within 1e-3. The
// gradient of a bias that does not affect the loss (a softmax ignores a shift)
// consists of rounding errors. Norms below a floor are not compared. In float32
// the floor is the rounding, 6e-8, times the largest norm, which is below 4.
func (c comparison) gradients(f *fixture, m *model.Model, want *stages, float64s bool) {
	c.Helper()
	floor := 3e-7
	if float64s {
		floor = 1e-14
	}
	norms := map[string]float64{}
	for _, p := range m.Parameters() {
		g, err := ops.Gradient(p.Tensor)
		if err != nil {
			c.Fatal(err)
		}
		norms[p.Name] = modeltest.Norm(g)
	}
	for _, p := range f.Parameters {
		name, norm := ourName(c.T, p.Name), want.GradientNorms[p.Name]
		if name == "" {
			if norm != nil {
				c.Errorf("%s has a gradient in the fixture and no counterpart", p.Name)
			}
			continue
		}
		if got := norms[name]; math.Abs(got-*norm) > 1e-3**norm+floor {
			c.Errorf("gradient of %s: norm %.6g, want %.6g", name, got, *norm)
		}
	}
}

func unit(v []float64) []float64 {
	n := modeltest.Norm(v)
	u := make([]float64, len(v))
	for i := range v {
		u[i] = v[i] / n
	}
	return u
}

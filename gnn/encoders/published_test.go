package encoders

import (
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/harness/gnntest"
	"pacia/harness/golden"
	"pacia/internal/statedict"
	"pacia/ops"
)

// TestOwn: published names are mapped to names that the encoders have, each once.
func TestOwn(t *testing.T) {
	for name, own := range map[string]string{
		"x_embedding1.weight":                "encoder.atom",
		"gnns.12.mlp.2.bias":                 "encoder.12.mlp.1.bias",
		"gnn.batch_norms.0.running_var":      "encoder.0.norm.var",
		"gnns.3.weight_linear.weight":        "encoder.3.linear.weight",
		"graph_pred_linear.weight":           "",
		"gnns.3.mlp.1.weight":                "",
		"batch_norms.0.num_batches_tracked":  "",
		"gnns.0.edge_embedding1.weight.copy": "",
	} {
		if got := LocalName(name); got != own {
			t.Errorf("%s is %q here, want %q", name, got, own)
		}
	}
	if !gnn.Counts("batch_norms.0.num_batches_tracked") || gnn.Counts("batch_norms.0.running_mean") {
		t.Error("the counter of batches is taken for another tensor")
	}
}

// pretrained is pretrained_embeddings.json.gz.
type pretrained struct {
	SMILES   []string
	Encoders map[string]struct{ Embedding [][]float64 }
}

func readPretrained(t *testing.T) (p pretrained) {
	t.Helper()
	golden.Decode(t, golden.Fixture(t, "pretrained_embeddings.json.gz"), &p)
	return p
}

// TestPublishedWeights runs the fixture's molecules through the public weights:
// the mean over atoms after the last layer, in evaluation. The fixture was
// calculated in float64 from float32 weights; embeddings in float32 are to be
// within 1e-4 of it.
func TestPublishedWeights(t *testing.T) {
	want := readPretrained(t)
	graphs, failed := molecule.GraphsFromSMILES(want.SMILES)
	for i, err := range failed {
		if err != nil {
			t.Fatalf("%s: %v", want.SMILES[i], err)
		}
	}
	rows := make([]int32, len(graphs))
	for i := range rows {
		rows[i] = int32(i)
	}
	batch, err := data.AssembleQueries(molecule.NewStore(graphs), rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gcn", "graphsage", "gat"} {
		for _, emulate := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s, e, _ := laid(t, gnn.Config{Name: name, Layers: 5, Width: 300, Dropout: 0.5})
				fill(t, s, golden.Shared(t, "data/pretrained/"+name+"_supervised_contextpred.pth"))
				ops.Emulate(emulate)
				t.Cleanup(func() { ops.Emulate(false) })
				got := embeddings(t, e, batch)
				worst := 0.0
				for i, v := range slices.Concat(want.Encoders[name].Embedding...) {
					worst = max(worst, math.Abs(got[i]-v))
				}
				if !(worst <= 1e-4) {
					t.Errorf("an embedding is off by %g", worst)
				}
				t.Logf("%s: off by %.2g at most", name, worst)
			})
		}
	}
}

// fill copies a state dict to the encoder that s holds, which must be all of it.
func fill(t *testing.T, s *params.Set, path string) {
	t.Helper()
	tensors, err := statedict.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string]statedict.Tensor{}
	for _, x := range tensors {
		if !gnn.Counts(x.Name) {
			stored[LocalName(x.Name)] = x
		}
	}
	for _, p := range append(s.Trained(), s.Buffers()...) {
		x, there := stored[p.Name]
		if !there {
			t.Fatalf("%s is not in %s", p.Name, path)
		}
		delete(stored, p.Name)
		if err := ops.Write(p.Tensor, x.Values); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
	}
	for name, x := range stored {
		t.Errorf("%s (%s) is left over", x.Name, name)
	}
}

// embeddings [n·d] are the means over each molecule's atoms after the last layer.
func embeddings(t *testing.T, e gnn.Encoder, b *data.Batch) []float64 {
	t.Helper()
	g, err := ops.NewGraph(ops.HostGraph{Atoms: b.Atoms, RowPtr: b.RowPtr, Col: b.Col, Bond: b.Bond, MolPtr: b.MolPtr, Group: b.GroupPtr}, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Drop()
	which, err := ops.Vector(b.QueryMol, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(which)
	x, err := e.Embed(g, ops.Mode{})
	for l := 0; err == nil && l < e.Layers(); l++ {
		before := x
		x, err = e.Layer(l, before, g, ops.Mode{}, nil)
		ops.Drop(before)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(x)
	mean, err := ops.SegmentMean(x, g, which)
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(mean)
	return gnntest.Read(t, mean)
}

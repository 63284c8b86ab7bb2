package egnn

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/harness/golden"
	"pacia/harness/modeltest"
	"pacia/ops"
)

// fixture holds the results of the published code for one task, in float64.
//
// Legend: N support molecules, Q queries, n = N + 1, L layers, w width of a node.
type fixture struct {
	Config         struct{ In, Width, Layers int }
	Support, Query [][]float64
	SupportLabels  []uint8        `json:"support_labels"`
	QueryLabels    []uint8        `json:"query_labels"`
	Parameters     map[string]any // by the published names
	Train, Eval    outcome
}

type outcome struct {
	Nodes     [][][][]float64   `json:"nodes_per_layer"` // [L][Q][n][w]
	Edges     [][][][][]float64 `json:"edges_per_layer"` // [L][Q][2][n][n]
	Loss      float64
	Votes     [][]float64 // [Q][2], sums
	Gradients map[string]any
	DSupport  [][]float64    `json:"d_support"`
	DQuery    [][]float64    `json:"d_query"`
	Averages  map[string]any `json:"running_averages"`
}

// Tolerances of votes and losses, which have 12 decimals; of nodes and edges, which the
// rounding of the fixture's parameters to 12 decimals changes through three layers; and of
// gradients, relative to the largest entry of a tensor, or to least if that is larger.
const values, moved, gradients, least = 1e-11, 5e-11, 1e-9, 1e-2

// ours returns our name of a parameter or an average.
func ours(published string) string {
	parts := strings.Split(published, ".")
	layer, kind := strings.TrimPrefix(strings.TrimPrefix(parts[0], "edge2node_net"), "node2edge_net"), "pair"
	if strings.HasPrefix(parts[0], "edge2node") {
		kind = "node"
	}
	block, rest := parts[2], parts[3]
	name := fmt.Sprintf("graph.%s.%s.", layer, kind)
	switch {
	case block == "conv_out":
		return name + "last." + rest
	case strings.HasPrefix(block, "conv"):
		return name + strings.TrimPrefix(block, "conv") + "." + rest
	}
	return name + strings.TrimPrefix(block, "norm") + ".norm." + strings.TrimPrefix(rest, "running_")
}

// flat returns the numbers of nested lists, row-major.
func flat(v any) (all []float64) {
	list, ok := v.([]any)
	if !ok {
		return []float64{v.(float64)}
	}
	for _, e := range list {
		all = append(all, flat(e)...)
	}
	return all
}

// TestPublished compares nodes, edges, votes, loss and gradients in training, then the
// running averages, and then the outputs in evaluation with these averages.
func TestPublished(t *testing.T) {
	var f fixture
	golden.Decode(t, golden.Fixture(t, "egnn_reference.json.gz"), &f)
	modeltest.Locked(t, 1)
	var s ops.Scope
	defer s.Drop()
	p := &params.Set{Device: ops.CPU, Float64: true}
	defer p.Drop()
	if err := s.Run(func() { compare(t, &f, p, &s) }); err != nil {
		t.Fatal(err)
	}
}

func compare(t *testing.T, f *fixture, p *params.Set, s *ops.Scope) {
	t.Helper()
	graphs := layOut(p, Graph{f.Config.Layers, f.Config.Width}, f.Config.In)
	s.Check(p.Err())
	all := map[string]*ts.Tensor{}
	for _, x := range slices.Concat(p.Trained(), p.Buffers()) {
		all[x.Name] = x.Tensor
	}
	for name, v := range f.Parameters {
		s.Check(ops.Write(all[ours(name)], flat(v)))
	}
	read := func(x *ts.Tensor) []float64 {
		v, err := ops.ReadAs[float64](x)
		s.Check(err)
		return v
	}
	gradient := func(x *ts.Tensor) []float64 {
		v, err := ops.Gradient(x)
		s.Check(err)
		return v
	}
	leaf := func(rows [][]float64) *ts.Tensor {
		return s.Keep(ops.NewParameter(slices.Concat(rows...), []int64{int64(len(rows)), int64(len(rows[0]))}, p.Device))
	}
	support, query := leaf(f.Support), leaf(f.Query)
	labels, answers := s.Keep(ops.Vector(f.SupportLabels, p.Device)), s.Keep(ops.Vector(f.QueryLabels, p.Device))
	task := s.Keep(ops.Vector(make([]int32, len(f.Query)), p.Device))
	pass := func(name string, training bool, want outcome) *ts.Tensor {
		out, err := graphs.of(query, support, labels, task, answers, len(f.Support), training)
		s.Check(err)
		s.Own(out.drop)
		modeltest.Near(t, name+", nodes", read(out.nodes), joined(want.Nodes), moved)
		var edges [][][][]float64
		for _, layer := range want.Edges {
			edges = append(edges, layer...)
		}
		modeltest.Near(t, name+", edges", read(out.edges), joined(edges), moved)
		modeltest.Near(t, name+", votes", votes(read(out.logits), f.SupportLabels), slices.Concat(want.Votes...), values)
		modeltest.Near(t, name+", loss", read(out.loss), []float64{want.Loss}, values)
		return out.loss
	}
	s.Check(ops.Backward(pass("training", true, f.Train)))
	modeltest.Close(t, "gradient of the support", gradient(support), slices.Concat(f.Train.DSupport...), gradients)
	modeltest.Close(t, "gradient of the queries", gradient(query), slices.Concat(f.Train.DQuery...), gradients)
	for name, want := range f.Train.Gradients {
		got, want := gradient(all[ours(name)]), flat(want)
		// least is appended to both, so that the scale is never below it.
		modeltest.Close(t, "gradient of "+name, append(got, least), append(want, least), gradients)
	}
	for name, want := range f.Train.Averages {
		modeltest.Near(t, name, read(all[ours(name)]), flat(want), values)
	}
	pass("evaluation", false, f.Eval)
}

// votes turns the logarithms of means over a class into sums.
func votes(logits []float64, labels []uint8) []float64 {
	var count [2]float64
	for _, y := range labels {
		count[y]++
	}
	for i := range logits {
		logits[i] = count[i%2] * math.Exp(logits[i])
	}
	return logits
}

func joined(v [][][][]float64) (all []float64) {
	for _, a := range v {
		for _, b := range a {
			all = append(all, slices.Concat(b...)...)
		}
	}
	return all
}

package gnnfilm

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/harness/gnntest"
	"pacia/harness/golden"
	"pacia/ops"
)

// numbers holds the numbers of nested lists, row-major.
type numbers []float64

// UnmarshalJSON takes a number, or lists of them to any depth.
func (n *numbers) UnmarshalJSON(text []byte) error {
	var v float64
	if err := json.Unmarshal(text, &v); err == nil {
		*n = numbers{v}
		return nil
	}
	var lists []numbers
	err := json.Unmarshal(text, &lists)
	*n = slices.Concat(lists...)
	return err
}

// gnnFiLMFixture holds results of the layers of tf-gnn-samples for two molecules, in
// float64.
type gnnFiLMFixture struct {
	Features  [][]float64  `json:"node_features"`
	Adjacency [][][2]int32 `json:"adjacency_lists"` // [source, target]
	Molecule  []int32      `json:"node_to_graph"`
	Runs      []gnnFiLMRun `json:"runs"`
}

type gnnFiLMRun struct {
	Params struct {
		Layers     int    `json:"graph_num_layers"`
		Dense      int    `json:"graph_dense_between_every_num_gnn_layers"`
		Residual   int    `json:"graph_residual_connection_every_num_layers"`
		Norm       bool   `json:"graph_inter_layer_norm"`
		Width      int    `json:"hidden_size"`
		Activation string `json:"graph_activation_function"`
	} `json:"params"`
	Parameters map[string]numbers `json:"parameters"`
	Projected  numbers            `json:"projected"`
	Messages   []numbers          `json:"after_each_message_passing"`
	Final      numbers            `json:"final"`
	Loss       float64            `json:"loss"`
	Gradients  map[string]numbers `json:"gradients"`
}

// loops returns the index of the list of self loops among the lists of bonds.
func (f *gnnFiLMFixture) loops(t *testing.T) int {
	t.Helper()
	kind := slices.IndexFunc(f.Adjacency, func(list [][2]int32) bool {
		return len(list) == len(f.Molecule) && !slices.ContainsFunc(list, func(b [2]int32) bool { return b[0] != b[1] })
	})
	if kind < 0 {
		t.Fatal("none of the fixture's lists is that of self loops")
	}
	return kind
}

// graph has the bonds as they are listed, each towards its target.
func (f *gnnFiLMFixture) graph(t *testing.T) *ops.Graph {
	t.Helper()
	var p ops.GraphParts
	rowptr, mol := []int32{0}, []int32{0}
	var col []int32
	var code []uint8
	for v, m := range f.Molecule {
		if int(m) == len(mol) {
			mol = append(mol, int32(v))
		}
		kind := -1
		for k, list := range f.Adjacency {
			if k == f.loops(t) {
				continue
			}
			kind++
			for _, b := range list {
				if int(b[1]) == v {
					col, code = append(col, b[0]), append(code, uint8(3*kind))
				}
			}
		}
		rowptr = append(rowptr, int32(len(col)))
	}
	atoms := int64(len(f.Molecule))
	keep := func(x *ts.Tensor, err error) *ts.Tensor {
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ops.Drop(x) })
		return x
	}
	p.Inputs = map[string]*ts.Tensor{ops.Features: keep(ops.New(slices.Concat(f.Features...), []int64{atoms, int64(len(f.Features[0]))}, ops.CPU))}
	p.RowPtr, p.Col = keep(ops.Vector(rowptr, ops.CPU)), keep(ops.Vector(col, ops.CPU))
	p.Code, p.Mol = keep(ops.Vector(code, ops.CPU)), keep(ops.Vector(append(mol, int32(atoms)), ops.CPU))
	g, err := ops.GraphOf(p)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// placeOf returns the name of our parameter that contains a published one, the index of
// its first value there, and the shape [in, out] of a kernel, which ours has as [out, in].
func (r *gnnFiLMRun) placeOf(t testing.TB, name string, loops, kinds int) (ours string, from int, kernel [2]int) {
	t.Helper()
	d := r.Params.Width
	if name == "InitialProjection" {
		return "encoder.features.weight", 0, [2]int{len(r.Parameters[name]) / d, d}
	}
	layer, part, _ := strings.Cut(strings.TrimPrefix(name, "gnn_layer_"), "/")
	ours = "encoder." + layer + "."
	switch part {
	case "LayerNorm_0/gamma":
		return ours + "norm.weight", 0, kernel
	case "LayerNorm_0/beta":
		return ours + "norm.bias", 0, kernel
	case "LayerNorm_1/gamma":
		return ours + "between.weight", 0, kernel
	case "LayerNorm_1/beta":
		return ours + "between.bias", 0, kernel
	case "Dense":
		return ours + "dense.weight", 0, [2]int{d, d}
	}
	number, part, _ := strings.Cut(strings.TrimPrefix(part, "Edge_"), "_")
	kind, err := strconv.Atoi(number)
	switch {
	case err != nil:
		t.Fatalf("parameter %s of the fixture has no counterpart", name)
	case kind == loops:
		kind = kinds - 1
	case kind > loops:
		kind--
	}
	switch part {
	case "Weight":
		return ours + "messages.weight", kind * d * d, [2]int{d, d}
	case "FiLM_Computations":
		return ours + "modulation.weight", kind * 2 * d * d, [2]int{d, 2 * d}
	}
	t.Fatalf("parameter %s of the fixture has no counterpart", name)
	return "", 0, kernel
}

// turned returns a kernel [in, out] as [out, in], and other values unchanged.
func turned(v []float64, kernel [2]int) []float64 {
	if kernel[0] == 0 {
		return v
	}
	w := make([]float64, len(v))
	for i := range kernel[0] {
		for o := range kernel[1] {
			w[o*kernel[0]+i] = v[i*kernel[1]+o]
		}
	}
	return w
}

// TestGNNFiLMParity compares states, loss and gradients with the fixture, by the loops
// and as on a GPU. Values of the file have 12 decimals.
func TestGNNFiLMParity(t *testing.T) {
	f := new(gnnFiLMFixture)
	golden.Decode(t, golden.Fixture(t, "gnnfilm_reference.json.gz"), f)
	for i, r := range f.Runs {
		for _, emulated := range []bool{false, true} {
			t.Run(fmt.Sprintf("run %d, emulated %v", i, emulated), func(t *testing.T) {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				ops.Emulate(emulated)
				defer ops.Emulate(false)
				r.compare(t, f)
			})
		}
	}
}

func (r *gnnFiLMRun) compare(t *testing.T, f *gnnFiLMFixture) {
	t.Helper()
	l := gnntest.NewLab(t, true)
	p, kinds := r.Params, len(f.Adjacency)
	activation := map[string]gnn.Activation{"elu": gnn.ActivationELU, "relu": gnn.ActivationReLU, "tanh": gnn.ActivationTanh}
	a, known := activation[strings.ToLower(p.Activation)]
	if !known {
		t.Fatalf("activation %q", p.Activation)
	}
	e, err := newGNNFiLM(l.Set, gnn.Config{Name: "film", Layers: p.Layers, Width: p.Width, Features: len(f.Features[0]), FiLM: gnn.FiLMConfig{
		Activation: a, Norm: p.Norm, Residual: p.Residual, Dense: p.Dense, Types: kinds - 1}})
	if err != nil {
		t.Fatal(err)
	}
	l.Encoder, l.Graph = e, f.graph(t)
	r.load(l, f.loops(t), kinds)
	states := r.states(l)
	l.Near("the last state", gnntest.Read(t, states[len(states)-1]), r.Final, 1e-11)
	loss := l.Loss(states[len(states)-1])
	l.Near("loss", gnntest.Read(t, loss), []float64{r.Loss}, 1e-11)
	if err := ops.Backward(loss); err != nil {
		t.Fatal(err)
	}
	r.gradients(l, f.loops(t), kinds)
}

// load gives every parameter the fixture's values.
func (r *gnnFiLMRun) load(l *gnntest.Lab, loops, kinds int) {
	l.Helper()
	values, filled := map[string][]float64{}, map[string]int{}
	for _, p := range l.Set.Trained() {
		values[p.Name] = make([]float64, p.Size())
	}
	for name, v := range r.Parameters {
		ours, from, kernel := r.placeOf(l.TB, name, loops, kinds)
		if len(values[ours]) < from+len(v) {
			l.Fatalf("%s does not fit into %d values of %q", name, len(values[ours]), ours)
		}
		copy(values[ours][from:], turned(v, kernel))
		filled[ours] += len(v)
	}
	for _, p := range l.Set.Trained() {
		if filled[p.Name] != p.Size() {
			l.Errorf("%s: the fixture gives %d of %d values", p.Name, filled[p.Name], p.Size())
		}
		if err := ops.Write(p.Tensor, values[p.Name]); err != nil {
			l.Fatal(err)
		}
	}
}

// states are h⁰ … h^L; on the way each layer's messages are compared.
func (r *gnnFiLMRun) states(l *gnntest.Lab) []*ts.Tensor {
	l.Helper()
	e := l.Encoder.(*gnnFiLM)
	states := []*ts.Tensor{l.Must(e.Embed(l.Graph, ops.Mode{}))}
	l.Near("h⁰", gnntest.Read(l.TB, states[0]), r.Projected, 1e-11)
	for i := range e.Layers() {
		x := states[i]
		if n := e.Back(i); n > 0 {
			x = l.Must(ops.Middle(x, states[i-n]))
		}
		alone := e.layers[i]
		alone.between, alone.dense = ops.LayerNorm{}, nil
		l.Near(fmt.Sprintf("messages of layer %d", i), gnntest.Read(l.TB, l.Must(alone.layer(x, l.Graph, ops.Mode{}))), r.Messages[i], 1e-11)
		states = append(states, l.Must(e.Layer(i, x, l.Graph, ops.Mode{Training: true}, nil)))
	}
	return states
}

// gradients are compared within 1e-9 of the largest of a tensor.
func (r *gnnFiLMRun) gradients(l *gnntest.Lab, loops, kinds int) {
	l.Helper()
	if len(r.Gradients) != len(r.Parameters) {
		l.Errorf("%d gradients of %d parameters", len(r.Gradients), len(r.Parameters))
	}
	ours := map[string]*ts.Tensor{}
	for _, p := range l.Set.Trained() {
		ours[p.Name] = p.Tensor
	}
	for name, want := range r.Gradients {
		place, from, kernel := r.placeOf(l.TB, name, loops, kinds)
		g, err := ops.Gradient(ours[place])
		if err != nil || g == nil {
			l.Fatalf("%s: gradient %v, error %v", name, g, err)
		}
		largest, worst := 0.0, 0.0
		for i, w := range turned(want, kernel) {
			largest, worst = max(largest, math.Abs(w)), max(worst, math.Abs(g[from+i]-w))
		}
		// Small gradients have only the 12 decimals of the file.
		if !(worst <= 1e-9*largest+1e-12) {
			l.Errorf("gradient of %s: %.2g apart, largest %.3g", name, worst, largest)
		}
		l.Logf("gradient of %s: %.2g apart of %.3g", name, worst, largest)
	}
}

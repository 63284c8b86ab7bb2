package mat

import (
	"regexp"
	"runtime"
	"slices"
	"testing"

	"pacia/gnn"
	"pacia/harness/gnntest"
	"pacia/harness/golden"
	"pacia/ops"
)

// matFixture holds results of the published program for four molecules at a small size, in
// float64, padded to the nodes of the largest molecule.
type matFixture struct {
	Config struct {
		Features int `json:"d_atom"`
		Width    int `json:"d_model"`
		Layers   int `json:"N"`
		Heads    int `json:"h"`
	} `json:"config"`
	Features   [][][]float32   `json:"features"`
	Mask       [][]bool        `json:"mask"`
	Adjacency  [][][]float64   `json:"adjacency"`
	Distance   [][][]float64   `json:"distance"`
	Parameters map[string]any  `json:"parameters"`
	Embedded   [][][]float64   `json:"embedded"`
	States     [][][][]float64 `json:"states_per_layer"`
	Encoded    [][][]float64   `json:"encoded"`
	Output     [][]float64     `json:"output"`
	Loss       float64         `json:"loss"`
	Gradients  map[string]any  `json:"gradients"`
}

// matNames maps our names to the published ones. q, k and v are one parameter of ours.
var matNames = []struct {
	pattern *regexp.Regexp
	theirs  []string
}{
	{regexp.MustCompile(`^encoder\.features\.(.*)$`), []string{"src_embed.lut.$1"}},
	{regexp.MustCompile(`^encoder\.(\d+)\.norm\.(\d)\.weight$`), []string{"encoder.layers.$1.sublayer.$2.norm.a_2"}},
	{regexp.MustCompile(`^encoder\.(\d+)\.norm\.(\d)\.bias$`), []string{"encoder.layers.$1.sublayer.$2.norm.b_2"}},
	{regexp.MustCompile(`^encoder\.(\d+)\.attention\.(.*)$`), []string{
		"encoder.layers.$1.self_attn.linears.0.$2", "encoder.layers.$1.self_attn.linears.1.$2", "encoder.layers.$1.self_attn.linears.2.$2"}},
	{regexp.MustCompile(`^encoder\.(\d+)\.heads\.(.*)$`), []string{"encoder.layers.$1.self_attn.linears.3.$2"}},
	{regexp.MustCompile(`^encoder\.(\d+)\.dense\.(.*)$`), []string{"encoder.layers.$1.feed_forward.linears.0.$2"}},
	{regexp.MustCompile(`^encoder\.norm\.weight$`), []string{"encoder.norm.a_2"}},
	{regexp.MustCompile(`^encoder\.norm\.bias$`), []string{"encoder.norm.b_2"}},
	{regexp.MustCompile(`^generator\.(.*)$`), []string{"generator.proj.$1"}},
}

// matValues returns the published values of one of our parameters.
func matValues(t testing.TB, of map[string]any, name string) (values []float64) {
	t.Helper()
	for _, n := range matNames {
		for _, theirs := range n.theirs {
			if n.pattern.MatchString(name) {
				values = appendNumbers(values, of[n.pattern.ReplaceAllString(name, theirs)])
			}
		}
	}
	if len(values) == 0 {
		t.Fatalf("parameter %s has no counterpart in the fixture", name)
	}
	return values
}

// appendNumbers appends those of nested lists.
func appendNumbers(to []float64, v any) []float64 {
	switch v := v.(type) {
	case float64:
		to = append(to, v)
	case []any:
		for _, w := range v {
			to = appendNumbers(to, w)
		}
	}
	return to
}

// graph returns the fixture's molecules without padding.
func (f *matFixture) graph() spaceGraph {
	h := spaceGraph{molPtr: []int32{0}}
	for m, mask := range f.Mask {
		n := slices.Index(append(slices.Clone(mask), false), false)
		var adjacency, distance []float64
		for i := range n {
			h.features = append(h.features, f.Features[m][i]...)
			adjacency, distance = append(adjacency, f.Adjacency[m][i][:n]...), append(distance, f.Distance[m][i][:n]...)
		}
		h.fixed = appendFixed(h.fixed, adjacency, distance, n)
		h.molPtr = append(h.molPtr, h.molPtr[m]+int32(n))
	}
	return h
}

// rows returns the states of nodes without padding.
func (f *matFixture) rows(states [][][]float64) (rows []float64) {
	for m, mask := range f.Mask {
		for i, there := range mask {
			if there {
				rows = append(rows, states[m][i]...)
			}
		}
	}
	return rows
}

// matLab is the fixture's model.
type matLab struct {
	*gnntest.Lab
	fixture *matFixture
	head    ops.Linear
}

// newMATLab lays the fixture's model out with its parameters. The fixture's atoms have
// fewer features than those of molecules.
func newMATLab(t testing.TB) *matLab {
	t.Helper()
	f := new(matFixture)
	golden.Decode(t, golden.Fixture(t, "mat_reference.json.gz"), f)
	l := &matLab{Lab: gnntest.NewLab(t, true), fixture: f}
	var err error
	if l.Encoder, err = newMAT(l.Set, gnn.Config{Name: "mat", Layers: f.Config.Layers, Width: f.Config.Width, Heads: f.Config.Heads, Features: f.Config.Features}); err != nil {
		t.Fatal(err)
	}
	l.head = l.Set.Linear("generator", f.Config.Width, 1, true, 0)
	for _, p := range l.Set.Trained() {
		if err := gnntest.WriteAs(l.Set, p.Tensor, matValues(t, f.Parameters, p.Name)); err != nil {
			t.Fatal(p.Name, ": ", err)
		}
	}
	if l.Graph, err = newSpaceGraph(f.graph(), ops.CPU); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Graph.Drop)
	return l
}

// TestMATFixture compares the states after every layer, the vectors through a linear layer, and
// the gradients with those of the published program. The values are kept with 12 decimals.
func TestMATFixture(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l := newMATLab(t)
	f := l.fixture
	h := l.Must(l.Encoder.Embed(l.Graph, ops.Mode{}))
	l.Near("embedded", gnntest.Read(t, h), f.rows(f.Embedded), 1e-11)
	for i := range l.Encoder.Layers() {
		h = l.Must(l.Encoder.Layer(i, h, l.Graph, ops.Mode{}, nil))
		if want := f.States[i]; i < l.Encoder.Layers()-1 {
			l.Near("states", gnntest.Read(t, h), f.rows(want), 1e-11)
		}
	}
	l.Near("encoded", gnntest.Read(t, h), f.rows(f.Encoded), 1e-11)
	vectors := l.Must(ops.Pool(h, l.Graph, ops.PoolMean))
	output := l.Must(ops.MLP(vectors, []ops.Linear{l.head}, ops.Mode{}))
	l.Near("output", gnntest.Read(t, output), slices.Concat(f.Output...), 1e-11)

	n := len(f.Output)
	weights, err := ops.New(gnntest.Ramp(n), []int64{int64(n), 1}, ops.CPU)
	l.Must(weights, err)
	product := l.Must(output.Mul(weights, false))
	loss := l.Must(product.Sum(product.DType(), false))
	l.Near("loss", gnntest.Read(t, loss), []float64{f.Loss}, 1e-11)
	if err := ops.Backward(loss); err != nil {
		t.Fatal(err)
	}
	for _, p := range l.Set.Trained() {
		got, err := ops.Gradient(p.Tensor)
		if err != nil {
			t.Fatal(err)
		}
		want := matValues(t, f.Gradients, p.Name)
		largest := 0.0
		for _, v := range want {
			largest = max(largest, v, -v)
		}
		worst := 0.0
		for i := range want {
			worst = max(worst, got[i]-want[i], want[i]-got[i])
		}
		// A gradient that is 0 up to rounding has only the 12 decimals of the file.
		if tolerance := max(1e-9*largest, 1e-12); !(worst <= tolerance) {
			t.Errorf("gradient of %s: %.2g apart, tolerance %.2g of %.3g", p.Name, worst, tolerance, largest)
		}
	}
}

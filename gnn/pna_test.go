package gnn

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/gnn/params"
	"pacia/ops"
)

// pnaLab is the fixture's model and molecules.
type pnaLab struct {
	testing.TB
	fixture *pnaFixture
	set     *params.Set
	encoder Encoder
	readout *Readout
	graph   *ops.Graph
	made    []*ts.Tensor
}

func newPNALab(t testing.TB, double bool) *pnaLab {
	t.Helper()
	runtime.LockOSThread()
	f := readPNAFixture(t)
	l := &pnaLab{TB: t, fixture: f, set: &params.Set{Device: ops.CPU, Float64: double}}
	t.Cleanup(func() {
		ops.Drop(l.made...)
		l.set.Drop()
		runtime.UnlockOSThread()
	})
	c := f.Config
	e, err := New(l.set, Config{Name: "pna", Layers: c.NumLayers, Width: c.HiddenDim,
		PNA: PNAConfig{c.NumHeads, c.PerHeadDim, c.IntermediateDim}})
	if err != nil {
		t.Fatal(err)
	}
	r := FSMolReadout
	r.Heads, r.HeadWidth, r.Out = f.Readout.NumHeads, f.Readout.HeadDim, f.Readout.OutputDim
	l.encoder = e
	if l.readout, err = NewReadout(l.set, r, e.Layers(), e.Width()); err != nil {
		t.Fatal(err)
	}
	l.load()
	if l.graph, err = ops.NewFeatureGraph(f.graph(t), ops.CPU); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.graph.Drop)
	return l
}

// graph is the fixture's molecules.
func (f *pnaFixture) graph(t testing.TB) ops.FeatureGraph {
	t.Helper()
	h := ops.FeatureGraph{Features: slices.Concat(f.Features...), MolPtr: []int32{0}}
	for v, m := range f.Molecule {
		if int(m) == len(h.MolPtr) {
			h.MolPtr = append(h.MolPtr, int32(v))
		}
	}
	h.MolPtr = append(h.MolPtr, int32(len(f.Molecule)))
	if err := h.Join(f.Adjacency...); err != nil {
		t.Fatal(err)
	}
	return h
}

// load gives every parameter the fixture's values.
func (l *pnaLab) load() {
	l.Helper()
	values, filled := map[string][]float64{}, map[string]int{}
	for _, p := range l.set.Trained() {
		values[p.Name] = make([]float64, p.Size())
	}
	for _, p := range l.fixture.Parameters {
		name, from := placeOf(l.TB, p, category.KekuleTypes)
		if name == "" {
			continue
		}
		v := p.Values(l.TB)
		if len(values[name]) < from+len(v) {
			l.Fatalf("%s does not fit into %d values of %q", p.Name, len(values[name]), name)
		}
		copy(values[name][from:], v)
		filled[name] += len(v)
	}
	for _, p := range l.set.Trained() {
		if filled[p.Name] != p.Size() {
			l.Errorf("%s: the fixture gives %d of %d values", p.Name, filled[p.Name], p.Size())
		}
		if err := writeAs(l.set, p.Tensor, values[p.Name]); err != nil {
			l.Fatal(err)
		}
	}
}

func writeAs(s *params.Set, t *ts.Tensor, values []float64) error {
	if s.Float64 {
		return ops.Write(t, values)
	}
	single := make([]float32, len(values))
	for i, v := range values {
		single[i] = float32(v)
	}
	return ops.Write(t, single)
}

func (l *pnaLab) must(x *ts.Tensor, err error) *ts.Tensor {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
	l.made = append(l.made, x)
	return x
}

// near compares numbers with those of the fixture, each within tolerance of the
// largest wanted or of 1.
func (l *pnaLab) near(what string, got, want []float64, tolerance float64) {
	l.Helper()
	if len(got) != len(want) {
		l.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	scale, worst := 1.0, 0.0
	for i := range want {
		scale = max(scale, math.Abs(want[i]))
		worst = max(worst, math.Abs(got[i]-want[i]))
	}
	if !(worst <= tolerance*scale) {
		l.Errorf("%s: %.2g apart, tolerance %.0e of %.3g", what, worst, tolerance, scale)
	}
	l.Logf("%s: %.2g apart", what, worst)
}

// TestPNAParity compares every node state, every embedding and every gradient's
// norm with what FS-Mol's own code computes. The fixture rounds to nine decimals
// and takes a logarithm in float32, to 1e-7; float32 has 1e-7 a number and sums
// hundreds.
func TestPNAParity(t *testing.T) {
	for _, way := range []struct {
		name     string
		emulated bool
	}{{"loops", false}, {"plain, as on a GPU", true}} {
		for _, p := range []struct {
			name      string
			double    bool
			tolerance float64
		}{{"float64", true, 1e-6}, {"float32", false, 1e-4}} {
			t.Run(way.name+"/"+p.name, func(t *testing.T) {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				ops.Emulate(way.emulated)
				defer ops.Emulate(false)
				newPNALab(t, p.double).compare(p.tolerance)
			})
		}
	}
}

func (l *pnaLab) compare(tolerance float64) {
	l.Helper()
	f := l.fixture
	states := l.states()
	for i, h := range states {
		l.near(fmt.Sprintf("node states %d", i), read(l.TB, h), slices.Concat(f.States[i]...), tolerance)
	}
	y := l.must(l.readout.Molecules(states, l.graph))
	l.near("embeddings", read(l.TB, y), slices.Concat(f.Embedding...), tolerance)
	loss := l.loss(y)
	l.near("loss", read(l.TB, loss), []float64{f.Loss}, tolerance)
	if err := ops.Backward(loss); err != nil {
		l.Fatal(err)
	}
	l.gradients()
}

// states are h⁰ … h^L.
func (l *pnaLab) states() []*ts.Tensor {
	l.Helper()
	states := []*ts.Tensor{l.must(l.encoder.Embed(l.graph, ops.Mode{}))}
	for i := range l.encoder.Layers() {
		states = append(states, l.must(l.encoder.Layer(i, states[i], l.graph, ops.Mode{Training: true}, nil)))
	}
	return states
}

// loss is the sum of the embeddings times a ramp from −1 to 1 over them.
func (l *pnaLab) loss(y *ts.Tensor) *ts.Tensor {
	l.Helper()
	shape, err := y.Size()
	if err != nil {
		l.Fatal(err)
	}
	ramp := make([]float64, shape[0]*shape[1])
	for i := range ramp {
		ramp[i] = -1 + 2*float64(i)/float64(len(ramp)-1)
	}
	weights := l.must(y.ZerosLike(false))
	if err := writeAs(l.set, weights, ramp); err != nil {
		l.Fatal(err)
	}
	product := l.must(y.Mul(weights, false))
	return l.must(product.Sum(product.DType(), false))
}

func (l *pnaLab) gradients() {
	l.Helper()
	ours := map[string]*ts.Tensor{}
	for _, p := range l.set.Trained() {
		ours[p.Name] = p.Tensor
	}
	for _, p := range l.fixture.Parameters {
		name, from := placeOf(l.TB, p, category.KekuleTypes)
		want := l.fixture.GradientNorms[p.Name]
		if (name == "") != (want == nil) {
			l.Fatalf("%s: our %q and the fixture differ in whether anything uses it", p.Name, name)
		}
		if want == nil {
			continue
		}
		g, err := ops.Gradient(ours[name])
		if err != nil || g == nil {
			l.Fatalf("%s: gradient %v, error %v", name, g, err)
		}
		sum := 0.0
		for _, v := range g[from : from+len(p.Values(l.TB))] {
			sum += v * v
		}
		// A bias that a softmax follows has a gradient of rounding errors.
		if got := math.Sqrt(sum); !(math.Abs(got-*want) <= 1e-3**want+1e-6) {
			l.Errorf("gradient of %s: norm %.10g, want %.10g", p.Name, got, *want)
		}
	}
}

// TestPNAWithoutFeatures: MoleculeNet's graphs have categories.
func TestPNAWithoutFeatures(t *testing.T) {
	_, e, g := laid(t, Config{Name: "pna", Layers: 1, Width: 8})
	_, err := e.Embed(g, ops.Mode{})
	if err == nil || !strings.Contains(err.Error(), "without the atoms' features") {
		t.Errorf("error %v", err)
	}
}

func TestPNAWidth(t *testing.T) {
	_, err := New(&params.Set{Device: ops.CPU}, Config{Name: "pna", Layers: 1, Width: 30})
	if err == nil || !strings.Contains(err.Error(), "model.width: 30 cannot be cut into 4 towers") {
		t.Errorf("error %v", err)
	}
}

// TestPNASize counts the benchmark's own model: 10 blocks of width 128.
func TestPNASize(t *testing.T) {
	s := &params.Set{Device: ops.CPU}
	defer s.Drop()
	e, err := New(s, Config{Name: "pna", Layers: 2, Width: 128})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewReadout(s, FSMolReadout, e.Layers(), e.Width()); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, p := range s.Trained() {
		count += p.Size()
	}
	const d, messages, towers, boom = 128, 4 * 3 * (192*64 + 192), 4*12*64*128 + 128, 128*1024 + 1024 + 1024*128 + 128
	const block, all, joined = messages + towers + boom + 2*d + 1, 12 * 64, 3 * d
	const scores, values = joined*all + all + all*12 + 12, joined*all + all + all*all + all
	if want := 32*d + 2*block + 2*(scores+values+all*512) + joined*512 + 3*512*512; count != want {
		t.Errorf("%d parameters, want %d", count, want)
	}
}

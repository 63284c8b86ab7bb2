package pna

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/harness/gnntest"
	"pacia/ops"
)

// pnaLab is the fixture's model and molecules.
type pnaLab struct {
	*gnntest.Lab
	fixture *pnaFixture
}

func newPNALab(t testing.TB, double bool) *pnaLab {
	t.Helper()
	f := readPNAFixture(t)
	l := &pnaLab{gnntest.NewLab(t, double), f}
	c := f.Config
	e, err := newPNA(l.Set, gnn.Config{Name: "pna", Layers: c.NumLayers, Width: c.HiddenDim,
		PNA: gnn.PNAConfig{Towers: c.NumHeads, PerTower: c.PerHeadDim, Inner: c.IntermediateDim}})
	if err != nil {
		t.Fatal(err)
	}
	r := gnn.FSMolReadout
	r.Heads, r.HeadWidth, r.Out = f.Readout.NumHeads, f.Readout.HeadDim, f.Readout.OutputDim
	l.Encoder = e
	if l.Readout, err = gnn.NewReadout(l.Set, r, e.Layers(), e.Width()); err != nil {
		t.Fatal(err)
	}
	l.load()
	if l.Graph, err = ops.NewGraph(f.graph(t), ops.CPU); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Graph.Drop)
	return l
}

// graph returns the fixture's molecules.
func (f *pnaFixture) graph(t testing.TB) ops.HostGraph {
	t.Helper()
	h := ops.HostGraph{Features: slices.Concat(f.Features...), MolPtr: []int32{0}}
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
	for _, p := range l.Set.Trained() {
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
	for _, p := range l.Set.Trained() {
		if filled[p.Name] != p.Size() {
			l.Errorf("%s: the fixture gives %d of %d values", p.Name, filled[p.Name], p.Size())
		}
		if err := gnntest.WriteAs(l.Set, p.Tensor, values[p.Name]); err != nil {
			l.Fatal(err)
		}
	}
}

// TestPNAParity compares every node state, every embedding and every gradient's norm
// with FS-Mol's own code. The fixture is rounded to nine decimals and takes a
// logarithm in float32, to 1e-7. In float32, hundreds of numbers with an error of 1e-7
// are added.
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
		l.Near(fmt.Sprintf("node states %d", i), gnntest.Read(l.TB, h), slices.Concat(f.States[i]...), tolerance)
	}
	y := l.Must(l.Readout.Molecules(states, l.Graph, ops.Mode{}))
	l.Near("embeddings", gnntest.Read(l.TB, y), slices.Concat(f.Embedding...), tolerance)
	loss := l.Loss(y)
	l.Near("loss", gnntest.Read(l.TB, loss), []float64{f.Loss}, tolerance)
	if err := ops.Backward(loss); err != nil {
		l.Fatal(err)
	}
	l.gradients()
}

// states returns h⁰ … h^L.
func (l *pnaLab) states() []*ts.Tensor {
	l.Helper()
	states := []*ts.Tensor{l.Must(l.Encoder.Embed(l.Graph, ops.Mode{}))}
	for i := range l.Encoder.Layers() {
		states = append(states, l.Must(l.Encoder.Layer(i, states[i], l.Graph, ops.Mode{Training: true}, nil)))
	}
	return states
}

func (l *pnaLab) gradients() {
	l.Helper()
	ours := map[string]*ts.Tensor{}
	for _, p := range l.Set.Trained() {
		ours[p.Name] = p.Tensor
	}
	for _, p := range l.fixture.Parameters {
		name, from := placeOf(l.TB, p, category.KekuleTypes)
		want := l.fixture.GradientNorms[p.Name]
		if (name == "") != (want == nil) {
			l.Fatalf("%s: our %q and the fixture differ in whether it is used", p.Name, name)
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
		// The gradient of a bias before a softmax consists of rounding errors.
		if got := math.Sqrt(sum); !(math.Abs(got-*want) <= 1e-3**want+1e-6) {
			l.Errorf("gradient of %s: norm %.10g, want %.10g", p.Name, got, *want)
		}
	}
}

// TestPNAWithoutFeatures: MoleculeNet's graphs have categories.
func TestPNAWithoutFeatures(t *testing.T) {
	_, e, g := gnntest.Laid(t, newPNA, gnn.Config{Name: "pna", Layers: 1, Width: 8})
	_, err := e.Embed(g, ops.Mode{})
	if err == nil || !strings.Contains(err.Error(), "the molecules have no atom features") {
		t.Errorf("error %v", err)
	}
}

func TestPNAWidth(t *testing.T) {
	_, err := newPNA(&params.Set{Device: ops.CPU}, gnn.Config{Name: "pna", Layers: 1, Width: 30})
	if err == nil || !strings.Contains(err.Error(), "model.width: 30 is not a multiple of the 4 towers") {
		t.Errorf("error %v", err)
	}
}

// TestPNASize counts the benchmark's own model: 10 blocks of width 128.
func TestPNASize(t *testing.T) {
	s := &params.Set{Device: ops.CPU}
	defer s.Drop()
	e, err := newPNA(s, gnn.Config{Name: "pna", Layers: 2, Width: 128})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gnn.NewReadout(s, gnn.FSMolReadout, e.Layers(), e.Width()); err != nil {
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

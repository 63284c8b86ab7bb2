package encoders_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/encoders"
	"pacia/harness/gnntest"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/pacia"
	"pacia/ops"
)

// The contract of every encoder in the table.

const width, layers = 8, 2

// trial is an encoder in double precision, on molecules that it reads.
type trial struct {
	*gnntest.Lab
	spec gnn.Spec
}

func newTrial(t testing.TB, spec gnn.Spec, seed uint64) *trial {
	t.Helper()
	l := &trial{gnntest.NewLab(t, true), spec}
	l.Set.Seed = seed
	c := gnn.Config{Name: spec.Name, Layers: layers, Width: width, Counts: molecule.FingerprintLength, FiLM: gnn.FiLMConfig{Norm: true}}
	if spec.Heads > 0 {
		c.Heads = 2
	}
	var err error
	if l.Encoder, err = spec.New(l.Set, c); err == nil {
		l.Readout, err = gnn.NewReadout(l.Set, gnn.ReadoutConfig{Jump: "last", Pool: "mean"}, layers, width)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func forEach(t *testing.T, check func(t *testing.T, l *trial)) {
	for _, spec := range encoders.All {
		t.Run(spec.Name, func(t *testing.T) { check(t, newTrial(t, spec, 1)) })
	}
}

// batch assembles molecules of a store, as the encoder reads them.
func (l *trial) batch(s molecule.List, rows ...int32) *data.Batch {
	l.Helper()
	h, err := data.AssembleQueries(s, rows)
	if err != nil {
		l.Fatal(err)
	}
	return modeltest.ReadableBy(l.spec.Reads, h)
}

func (l *trial) graph(h *data.Batch) *ops.Graph {
	l.Helper()
	f, n := h.Fingerprints, int32(len(h.MolPtr)-1)
	g, err := l.spec.Graph(gnn.Input{Batch: h, Bits: molecule.FingerprintLength,
		Counts: ops.Counts{Ptr: f.Ptr, Bit: f.Bit, Count: f.Count, Group: []int32{0, 0, n}}}, ops.CPU)
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(g.Drop)
	return g
}

// states are h⁰ … h^L, each after a change, which may be nil.
func (l *trial) states(g *ops.Graph, m ops.Mode, change func(*ts.Tensor) *ts.Tensor) []*ts.Tensor {
	l.Helper()
	if change == nil {
		change = func(h *ts.Tensor) *ts.Tensor { return h }
	}
	h := l.Must(l.Encoder.Embed(g, m))
	all := []*ts.Tensor{h}
	for i := range layers {
		if r, ok := l.Encoder.(gnn.Residual); ok && r.Back(i) > 0 {
			h = l.Must(ops.Middle(h, all[i-r.Back(i)]))
		}
		h = change(l.Must(l.Encoder.Layer(i, h, g, m, nil)))
		all = append(all, h)
	}
	return all
}

// vectors [n, d] are those of the batch's molecules, one after the other.
func (l *trial) vectors(h *data.Batch, m ops.Mode) []float64 {
	l.Helper()
	g := l.graph(h)
	return gnntest.Read(l, l.Must(l.Readout.Molecules(l.states(g, m, nil), g, m)))
}

// near compares what one calculation gives in two ways, in float64.
func near(t testing.TB, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-9*max(1, math.Abs(want[i]))) {
			t.Fatalf("%s: number %d is %.12g, want %.12g", what, i, got[i], want[i])
		}
	}
}

// TestAlone: a molecule has the same vector alone as in a batch, in any order of molecules.
func TestAlone(t *testing.T) {
	forEach(t, func(t *testing.T, l *trial) {
		s := modeltest.RandomStore(5, 6)
		all := l.vectors(l.batch(s, 0, 1, 2, 3, 4, 5), ops.Mode{})
		turned := l.vectors(l.batch(s, 5, 4, 3, 2, 1, 0), ops.Mode{})
		distinct := false
		for i := range 6 {
			one := all[i*width : (i+1)*width]
			near(t, fmt.Sprintf("molecule %d alone", i), l.vectors(l.batch(s, int32(i)), ops.Mode{}), one)
			near(t, fmt.Sprintf("molecule %d in another order", i), turned[(5-i)*width:(6-i)*width], one)
			distinct = distinct || !slices.Equal(one, all[:width])
		}
		if !distinct {
			t.Error("all molecules have one vector")
		}
	})
}

// TestOrderOfAtoms: a molecule has the same vector however its atoms are numbered.
func TestOrderOfAtoms(t *testing.T) {
	forEach(t, func(t *testing.T, l *trial) {
		s := modeltest.RandomStore(6, 4)
		graphs := make([]molecule.Graph, 4)
		for i := range graphs {
			graphs[i] = renumbered(s.Graph(i))
		}
		other := molecule.NewStore(graphs)
		for i := range graphs {
			bits, counts := s.Fingerprints().At(i)
			other.Fingerprints().Add(bits, counts)
		}
		near(t, "vectors", l.vectors(l.batch(other, 0, 1, 2, 3), ops.Mode{}), l.vectors(l.batch(s, 0, 1, 2, 3), ops.Mode{}))
	})
}

// renumbered is the graph with its atoms in the opposite order.
func renumbered(g molecule.Graph) molecule.Graph {
	n := g.Len()
	r := molecule.Graph{RowPtr: []int32{0}}
	for v := n - 1; v >= 0; v-- {
		r.Atoms = append(r.Atoms, g.Atoms[2*v:2*v+2]...)
		for e := g.RowPtr[v]; e < g.RowPtr[v+1]; e++ {
			r.Col, r.Bond = append(r.Col, uint16(n-1)-g.Col[e]), append(r.Bond, g.Bond[2*e:2*e+2]...)
		}
		r.RowPtr = append(r.RowPtr, int32(len(r.Col)))
	}
	return r
}

// TestKernels: kernels compute what loops do.
func TestKernels(t *testing.T) {
	forEach(t, func(t *testing.T, l *trial) {
		h := l.batch(modeltest.RandomStore(7, 5), 0, 1, 2, 3, 4)
		for _, m := range []ops.Mode{{}, {Training: true}} {
			loops := l.vectors(h, m)
			ops.Emulate(true)
			kernels := l.vectors(h, m)
			ops.Emulate(false)
			near(t, fmt.Sprintf("training %v", m.Training), kernels, loops)
		}
	})
}

// TestSlopes: gradients are the slopes of the loss, in training. It follows the steepest value of
// some twenty parameters.
func TestSlopes(t *testing.T) {
	forEach(t, func(t *testing.T, l *trial) {
		defer ops.SetThreads(ops.Threads())
		ops.SetThreads(1) // more threads do not help with five molecules
		g := l.graph(l.batch(modeltest.RandomStore(8, 5), 0, 1, 2, 3, 4))
		loss := func() *ts.Tensor {
			return l.Loss(l.Must(l.Readout.Molecules(l.states(g, ops.Mode{Training: true}, nil), g, ops.Mode{Training: true})))
		}
		if err := ops.Backward(loss()); err != nil {
			t.Fatal(err)
		}
		parameters, checked := l.Set.Trained(), 20
		if testing.Short() {
			checked = 4
		}
		for k := 0; k < len(parameters); k += 1 + len(parameters)/checked {
			p := parameters[k]
			values := gnntest.Read(t, p.Tensor)
			slopes := gnntest.Read(t, l.Must(p.Tensor.Grad(false)))
			at := steepest(slopes)
			const step = 1e-6
			move := func(by float64) {
				moved := slices.Clone(values)
				moved[at] += by
				if err := ops.Write(p.Tensor, moved); err != nil {
					t.Fatal(err)
				}
			}
			side := func(by float64) float64 {
				move(by)
				return gnntest.Read(t, loss())[0]
			}
			slope := (side(step) - side(-step)) / (2 * step)
			move(0)
			if !(math.Abs(slope-slopes[at]) <= 1e-5*max(1, math.Abs(slope))) {
				t.Errorf("%s: the gradient of value %d is %.9g, the slope %.9g", p.Name, at, slopes[at], slope)
			}
		}
	})
}

func steepest(slopes []float64) (at int) {
	for i, v := range slopes {
		if math.Abs(v) > math.Abs(slopes[at]) {
			at = i
		}
	}
	return at
}

// TestBetweenLayers: a change of the states between two layers affects the last states.
func TestBetweenLayers(t *testing.T) {
	forEach(t, func(t *testing.T, l *trial) {
		g := l.graph(l.batch(modeltest.RandomStore(9, 3), 0, 1, 2))
		plain := l.states(g, ops.Mode{}, nil)
		// With a bias, since encoders that normalise a state do not see its length.
		w, b := l.Must(ops.New(ramp(2), []int64{1, width}, ops.CPU)), l.Must(ops.New(ramp(-1), []int64{1, width}, ops.CPU))
		changed := l.states(g, ops.Mode{}, func(h *ts.Tensor) *ts.Tensor { return l.Must(l.Must(h.Mul(w, false)).Add(b, false)) })
		size, err := plain[layers].Size()
		if err != nil || len(size) != 2 || size[1] != width {
			t.Fatalf("states %v, error %v", size, err)
		}
		want := gnntest.Read(t, l.Must(l.Must(plain[layers].Mul(w, false)).Add(b, false)))
		if slices.Equal(gnntest.Read(t, changed[layers]), want) {
			t.Error("the last states do not depend on a change of those before")
		}
	})
}

func ramp(top float64) []float64 {
	values := make([]float64, width)
	for i := range values {
		values[i] = 1 + (top-1)*float64(i)/(width-1)
	}
	return values
}

// TestSeed: parameters depend on the seed and their names alone, so that a run resumes.
func TestSeed(t *testing.T) {
	for _, spec := range encoders.All {
		a, b, c := newTrial(t, spec, 3), newTrial(t, spec, 3), newTrial(t, spec, 4)
		other := false
		for i, p := range a.Set.Trained() {
			same := b.Set.Trained()[i]
			if p.Name != same.Name || p.Part != "encoder" || !slices.Equal(gnntest.Read(t, p.Tensor), gnntest.Read(t, same.Tensor)) {
				t.Errorf("%s: %s of part %s is %s the second time, or has other values", spec.Name, p.Name, p.Part, same.Name)
			}
			other = other || !slices.Equal(gnntest.Read(t, p.Tensor), gnntest.Read(t, c.Set.Trained()[i].Tensor))
		}
		if !other {
			t.Errorf("%s: the seed changes nothing", spec.Name)
		}
		if spec.Source == "" || (spec.Mark != "" && spec.LocalName == nil) {
			t.Errorf("%s: its source, or the names of the weights that its mark is of, are missing", spec.Name)
		}
	}
}

// TestOwnInput: a model of the paper's method takes the encoder of walks_test.go, which has an
// input of its own, by its name.
func TestOwnInput(t *testing.T) {
	x := modeltest.NewExercise(t, pacia.Spec)
	c := modeltest.Small(t, pacia.Spec, model.Paper)
	x.Deep = func(int32) bool { return true }
	c.Encoder = "walks"
	x.Run(t, "walks", c)
}

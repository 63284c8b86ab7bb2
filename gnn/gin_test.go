package gnn

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/ops"
)

// ethanol is C-C-O twice: support and query of one task.
var ethanol = ops.HostGraph{
	Atoms:  []uint8{5, 0, 5, 0, 7, 0, 5, 0, 5, 0, 7, 0},
	RowPtr: []int32{0, 1, 3, 4, 5, 7, 8},
	Col:    []int32{1, 0, 2, 1, 4, 3, 5, 4},
	Bond:   make([]uint8, 16),
	MolPtr: []int32{0, 3, 6},
	Group:  []int32{0, 3, 6},
}

// laid makes an encoder and ethanol's graph, both dropped at the end.
func laid(t *testing.T, c Config) (*params.Set, Encoder, *ops.Graph) {
	t.Helper()
	runtime.LockOSThread()
	s := &params.Set{Device: ops.CPU, Seed: 1}
	e, err := New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	g, err := ops.NewGraph(ethanol, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Drop(); s.Drop(); runtime.UnlockOSThread() })
	return s, e, g
}

// TestSize counts a layer: two linear layers of d and 2d, nine rows of bond
// embeddings and two vectors of batch norm; and the atoms' 123 rows.
func TestSize(t *testing.T) {
	const layers, d = 3, 8
	s, e, _ := laid(t, Config{Name: "gin", Layers: layers, Width: d})
	if e.Layers() != layers || e.Width() != d {
		t.Errorf("%d layers of width %d", e.Layers(), e.Width())
	}
	count, names := 0, map[string]bool{}
	for _, p := range s.Trained() {
		count += p.Size()
		if names[p.Name] || p.Part != "encoder" {
			t.Errorf("parameter %s of part %s is there twice or in the wrong part", p.Name, p.Part)
		}
		names[p.Name] = true
	}
	if want := 123*d + layers*(2*d*d+2*d+2*d*d+d+9*d+2*d); count != want {
		t.Errorf("%d parameters, want %d", count, want)
	}
	if n := len(s.Buffers()); n != 2*layers {
		t.Errorf("%d buffers, want a mean and a variance for each layer", n)
	}
}

func TestUnknownEncoder(t *testing.T) {
	_, err := New(&params.Set{Device: ops.CPU}, Config{Name: "gine", Layers: 1, Width: 2})
	if err == nil || !strings.Contains(err.Error(), `model.encoder: "gine" is not known`) {
		t.Errorf("error %v", err)
	}
}

// states runs all layers and returns what each gives.
func states(t *testing.T, e Encoder, g *ops.Graph, m ops.Mode) (all [][]float64) {
	t.Helper()
	keep := func(x *ts.Tensor, err error) *ts.Tensor {
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ops.Drop(x) })
		v, err := ops.ReadAs[float64](x)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
		return x
	}
	h := keep(e.Embed(g, ops.Mode{}))
	for l := range e.Layers() {
		h = keep(e.Layer(l, h, g, m.Site(uint64(l)), nil))
	}
	return all
}

func negative(v float64) bool { return v < 0 }
func zero(v float64) bool     { return v == 0 }

// TestReLUButLast: a ReLU follows every layer but the last.
func TestReLUButLast(t *testing.T) {
	_, e, g := laid(t, Config{Name: "gin", Layers: 3, Width: 16})
	for l, h := range states(t, e, g, ops.Mode{Training: true}) {
		// State 0 is the embedding, 3 the last layer's.
		if between := l == 1 || l == 2; slices.ContainsFunc(h, negative) == between {
			t.Errorf("state %d has negative entries: %v", l, !between)
		}
	}
}

// TestDropoutOfSettings: the rate comes from the settings, not from the mode,
// and only training drops.
func TestDropoutOfSettings(t *testing.T) {
	for _, c := range []struct {
		rate     float64
		training bool
		dropped  bool
	}{{0.5, true, true}, {0.5, false, false}, {0, true, false}} {
		_, e, g := laid(t, Config{Name: "gin", Layers: 1, Width: 64, Dropout: c.rate})
		all := states(t, e, g, ops.Mode{Training: c.training, Dropout: 0.9})
		if got := slices.ContainsFunc(all[1], zero); got != c.dropped {
			t.Errorf("rate %v, training %v: entries dropped is %v", c.rate, c.training, got)
		}
	}
}

package encoders

import (
	"slices"
	"strings"
	"testing"

	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/harness/gnntest"
	"pacia/ops"
)

func laid(t *testing.T, c gnn.Config) (*params.Set, gnn.Encoder, *ops.Graph) {
	t.Helper()
	return gnntest.Laid(t, New, c)
}

// TestSize counts a layer: two linear layers of d and 2d, nine rows of bond
// embeddings and two vectors of batch norm; and the atoms' 123 rows.
func TestSize(t *testing.T) {
	const layers, d = 3, 8
	s, e, _ := laid(t, gnn.Config{Name: "gin", Layers: layers, Width: d})
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
	_, err := New(&params.Set{Device: ops.CPU}, gnn.Config{Name: "gine", Layers: 1, Width: 2})
	if err == nil || !strings.Contains(err.Error(), `model.encoder: "gine" is not one of gin, gcn`) {
		t.Errorf("error %v", err)
	}
}

func negative(v float64) bool { return v < 0 }
func zero(v float64) bool     { return v == 0 }

// TestReLUButLast: a ReLU follows every layer but the last.
func TestReLUButLast(t *testing.T) {
	_, e, g := laid(t, gnn.Config{Name: "gin", Layers: 3, Width: 16})
	for l, h := range gnntest.States(t, e, g, ops.Mode{Training: true}) {
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
		_, e, g := laid(t, gnn.Config{Name: "gin", Layers: 1, Width: 64, Dropout: c.rate})
		all := gnntest.States(t, e, g, ops.Mode{Training: c.training, Dropout: 0.9})
		if got := slices.ContainsFunc(all[1], zero); got != c.dropped {
			t.Errorf("rate %v, training %v: entries dropped is %v", c.rate, c.training, got)
		}
	}
}

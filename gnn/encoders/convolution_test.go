package encoders

import (
	"slices"
	"testing"

	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/harness/gnntest"
	"pacia/ops"
)

// TestConvolutionSize counts parameters as those of the public weights, whose
// names TestPublishedWeights compares.
func TestConvolutionSize(t *testing.T) {
	const layers, d = 3, 8
	for name, layer := range map[string]int{
		"gcn":       d*d + d + 9*d + 2*d,
		"graphsage": d*d + d + 9*d + 2*d,
		"gat":       2*d*d + 2*d + 4*d + d + 2*9*d + 2*d,
	} {
		s, e, _ := laid(t, gnn.Config{Name: name, Layers: layers, Width: d})
		if e.Layers() != layers || e.Width() != d {
			t.Errorf("%s: %d layers of width %d", name, e.Layers(), e.Width())
		}
		count := 0
		for _, p := range s.Trained() {
			count += p.Size()
			if p.Part != "encoder" {
				t.Errorf("%s: %s is counted under %s", name, p.Name, p.Part)
			}
		}
		if want := 123*d + layers*layer; count != want {
			t.Errorf("%s: %d parameters, want %d", name, count, want)
		}
		if n := len(s.Buffers()); n != 2*layers {
			t.Errorf("%s: %d buffers, want a mean and a variance for each layer", name, n)
		}
	}
}

// TestConvolutionsAreLikeGIN: as in GIN, a ReLU follows every layer except the last,
// the rate of dropout is that of the settings, and a support set does not change the
// running averages.
func TestConvolutionsAreLikeGIN(t *testing.T) {
	for _, name := range []string{"gcn", "graphsage", "gat"} {
		_, e, g := laid(t, gnn.Config{Name: name, Layers: 3, Width: 16})
		for l, h := range gnntest.States(t, e, g, ops.Mode{Training: true, Dropout: 0.9}) {
			if between := l == 1 || l == 2; slices.ContainsFunc(h, negative) == between {
				t.Errorf("%s: state %d has negative entries: %v", name, l, !between)
			}
		}
		s, e, g := laid(t, gnn.Config{Name: name, Layers: 1, Width: 64, Dropout: 0.5})
		all := gnntest.States(t, e, g, ops.Mode{Training: true})
		if !slices.ContainsFunc(all[1], zero) {
			t.Errorf("%s: nothing was dropped", name)
		}
		before := buffers(t, s.Buffers())
		h, err := e.Embed(g, ops.Mode{})
		if err != nil {
			t.Fatal(err)
		}
		next, stats, err := e.Support(0, h, g)
		if err != nil {
			t.Fatal(err)
		}
		again, err := e.Layer(0, h, g, ops.Mode{}, stats)
		if err != nil {
			t.Fatal(err)
		}
		own, err := e.Layer(0, h, g, ops.Mode{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(gnntest.Read(t, again), gnntest.Read(t, own)) {
			t.Errorf("%s: the statistics of a support set change nothing", name)
		}
		if !slices.Equal(buffers(t, s.Buffers()), before) {
			t.Errorf("%s: a support set moved the running averages", name)
		}
		ops.Drop(h, next, again, own)
		stats.Drop()
	}
}

func buffers(t *testing.T, list []params.Parameter) (all []float64) {
	t.Helper()
	for _, p := range list {
		all = append(all, gnntest.Read(t, p.Tensor)...)
	}
	return all
}

package gnnfilm

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/harness/gnntest"
	"pacia/ops"
)

// qm9 are the settings published for QM9.
var qm9 = gnn.FiLMConfig{Activation: gnn.ActivationELU, Norm: true, Residual: 2, Dense: 32}

// TestGNNFiLMSize counts the published network for QM9: 8 layers of width 128. The
// first alone ends in a dense layer.
func TestGNNFiLMSize(t *testing.T) {
	s := &params.Set{Device: ops.CPU}
	defer s.Drop()
	if _, err := newGNNFiLM(s, gnn.Config{Name: "film", Layers: 8, Width: 128, FiLM: qm9}); err != nil {
		t.Fatal(err)
	}
	const d, kinds = 128, 4
	if want := 32*d + 8*(kinds*3*d*d+4*d) + d*d; s.Size() != want {
		t.Errorf("%d parameters, want %d", s.Size(), want)
	}
	for _, p := range s.Trained() {
		if p.Part != "encoder" {
			t.Errorf("%s is counted under %s", p.Name, p.Part)
		}
	}
}

// TestGNNFiLMBack: with residual connections every two layers, layers 2, 4, … read the
// mean of two states.
func TestGNNFiLMBack(t *testing.T) {
	for _, c := range []struct {
		residual int
		want     []int
	}{{0, []int{0, 0, 0, 0, 0}}, {1, []int{0, 1, 1, 1, 1}}, {2, []int{0, 0, 2, 0, 2}}, {3, []int{0, 0, 0, 3, 0}}} {
		s := &params.Set{Device: ops.CPU}
		e, err := newGNNFiLM(s, gnn.Config{Name: "film", Layers: 5, Width: 2, FiLM: gnn.FiLMConfig{Residual: c.residual}})
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for l := range 5 {
			got = append(got, e.(gnn.Residual).Back(l))
		}
		if s.Drop(); !slices.Equal(got, c.want) {
			t.Errorf("every %d layers: %v, want %v", c.residual, got, c.want)
		}
	}
}

// TestGNNFiLMDropout: dropout applies to the inputs of layers and not to the output of the
// last one. Equal keys draw equal masks.
func TestGNNFiLMDropout(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := &params.Set{Device: ops.CPU, Seed: 1}
	defer s.Drop()
	e, err := newGNNFiLM(s, gnn.Config{Name: "film", Layers: 2, Width: 64, Dropout: 0.5, FiLM: qm9})
	if err != nil {
		t.Fatal(err)
	}
	h := ops.HostGraph{Features: make([]float32, 3*32), MolPtr: []int32{0, 3}}
	for i := range h.Features {
		h.Features[i] = float32(i%7) - 3
	}
	if err := h.Join([][2]int32{{0, 1}}, [][2]int32{{1, 2}}); err != nil {
		t.Fatal(err)
	}
	g, err := ops.NewGraph(h, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Drop()
	first, err := e.Embed(g, ops.Mode{Training: true, Key: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(first)
	all := gnntest.States(t, e, g, ops.Mode{Training: true, Key: 3}) // its h⁰ is that of an evaluation
	for l, h := range [][]float64{gnntest.Read(t, first), all[1], all[2]} {
		if dropped := slices.Contains(h, 0); dropped == (l == 2) {
			t.Errorf("h^%d has zeros: %v", l, dropped)
		}
	}
	for l, h := range gnntest.States(t, e, g, ops.Mode{Training: true, Key: 3}) {
		if !slices.Equal(h, all[l]) {
			t.Errorf("h^%d is another one with the same key", l)
		}
	}
	if other := gnntest.States(t, e, g, ops.Mode{Training: true, Key: 4}); slices.Equal(other[2], all[2]) {
		t.Error("another key draws the same masks")
	}
}

// TestGNNFiLMWithoutFeatures: MoleculeNet's graphs have categories.
func TestGNNFiLMWithoutFeatures(t *testing.T) {
	_, e, g := gnntest.Laid(t, newGNNFiLM, gnn.Config{Name: "film", Layers: 1, Width: 8})
	_, err := e.Embed(g, ops.Mode{})
	if err == nil || !strings.Contains(err.Error(), "the molecules have no atom features") {
		t.Errorf("error %v", err)
	}
}

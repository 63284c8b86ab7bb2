package mat

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/harness/gnntest"
	"pacia/ops"
)

// twoInSpace returns ethanol and methane, without hydrogens, with simple coordinates.
func twoInSpace() Space {
	s := Space{
		Places: []float32{0, 0, 0, 3, 4, 0, 3, 4, 12, 7, 7, 7},
		RowPtr: []int32{0, 1, 3, 4, 4}, Col: []int32{1, 0, 2, 1},
		MolPtr: []int32{0, 3, 4}, Group: []int32{0, 3, 4},
	}
	for v := range 4 {
		features := make([]float32, 27)
		features[v], features[26] = 1, 1
		s.Features = append(s.Features, features...)
	}
	return s
}

// TestSpace: each molecule begins with a dummy node, which has its own feature, no bonds and
// a large distance to all nodes. Atoms are bonded to themselves.
func TestSpace(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := twoInSpace()
	got := s.appendFixed(nil, 0, 3)
	bond := func(n int) float64 { return 0.34 / (float64(n) + 1e-6) }
	distance := func(d float64) float64 { return 0.33 * math.Exp(-d) }
	want := []float64{
		0, 0, 0, 0,
		0, 0.33 + bond(2), distance(5) + bond(2), distance(13),
		0, distance(5) + bond(3), 0.33 + bond(3), distance(12) + bond(3),
		0, distance(13), distance(12) + bond(2), 0.33 + bond(2),
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-15 {
			t.Errorf("nodes %d and %d: %v, want %v", i/4, i%4, got[i], want[i])
		}
	}

	set := &params.Set{Device: ops.CPU, Float64: true}
	defer set.Drop()
	e, err := newMAT(set, gnn.Config{Name: "mat", Layers: 1, Width: 32, Heads: 4})
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Graph(ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Drop()
	h, err := e.Embed(g, ops.Mode{})
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(h)
	states, w, b := gnntest.Read(t, h), gnntest.Read(t, set.Trained()[0].Tensor), gnntest.Read(t, set.Trained()[1].Tensor)
	if len(states) != 6*32 {
		t.Fatalf("%d numbers of four atoms and two dummies, want %d", len(states), 6*32)
	}
	for node, atom := range []int{-1, 0, 1, 2, -1, 3} {
		for i := range b {
			want := b[i] + w[28*i]
			if atom >= 0 {
				want = b[i] + w[28*i+1+atom] + w[28*i+27]
			}
			if math.Abs(states[32*node+i]-want) > 1e-12 {
				t.Fatalf("node %d: %v, want %v", node, states[32*node+i], want)
			}
		}
	}
}

// TestMATSize counts the parameters: at the published size 42,048,512, and 1,025 of a head.
func TestMATSize(t *testing.T) {
	for _, c := range []struct{ layers, width, heads int }{{2, 32, 0}, {3, 12, 4}} {
		set := &params.Set{Device: ops.CPU}
		if _, err := newMAT(set, gnn.Config{Name: "mat", Layers: c.layers, Width: c.width, Heads: c.heads}); err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, p := range set.Trained() {
			got += p.Size()
		}
		d := c.width
		if want := 29*d + c.layers*(5*(d*d+d)+4*d) + 2*d; got != want {
			t.Errorf("%+v: %d parameters, want %d", c, got, want)
		}
		set.Drop()
	}
	if d, layers := 1024, 8; 29*d+layers*(5*(d*d+d)+4*d)+2*d+d+1 != 42_049_537 {
		t.Error("the formula does not give the published number")
	}
	_, err := newMAT(&params.Set{Device: ops.CPU}, gnn.Config{Name: "mat", Layers: 1, Width: 30})
	if err == nil || !strings.Contains(err.Error(), "30 is not a multiple of the 16 heads") {
		t.Errorf("error %v", err)
	}
}

// TestDummyCounts: the mean of a molecule is also over its dummy, and a turned and moved
// molecule has the same vector.
func TestDummyCounts(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	set := &params.Set{Device: ops.CPU, Float64: true}
	defer set.Drop()
	e, err := newMAT(set, gnn.Config{Name: "mat", Layers: 2, Width: 8, Heads: 2})
	if err != nil {
		t.Fatal(err)
	}
	vectors := func(s Space) (states, vectors []float64) {
		g, err := s.Graph(ops.CPU)
		if err != nil {
			t.Fatal(err)
		}
		defer g.Drop()
		h, err := e.Embed(g, ops.Mode{})
		for l := 0; err == nil && l < e.Layers(); l++ {
			before := h
			h, err = e.Layer(l, h, g, ops.Mode{Training: true, Dropout: 0.5, Key: 1}, nil)
			ops.Drop(before)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer ops.Drop(h)
		x, err := ops.Pool(h, g, ops.PoolMean)
		if err != nil {
			t.Fatal(err)
		}
		defer ops.Drop(x)
		return gnntest.Read(t, h), gnntest.Read(t, x)
	}
	states, got := vectors(twoInSpace())
	for i := range 8 {
		want := (states[i] + states[8+i] + states[16+i] + states[24+i]) / 4
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("entry %d of the first molecule: %v, the mean of four nodes is %v", i, got[i], want)
		}
	}
	turned := twoInSpace()
	for v := range 4 {
		p := turned.Places[3*v : 3*v+3]
		p[0], p[1], p[2] = 1-p[1], 2+p[0], p[2]-5
	}
	_, again := vectors(turned)
	for i := range got {
		if math.Abs(got[i]-again[i]) > 1e-12 {
			t.Errorf("entry %d: %v after a turn, before %v", i, again[i], got[i])
		}
	}
}

func TestErrorsOfSpace(t *testing.T) {
	for words, spoil := range map[string]func(s *Space){
		"81 features and 12 coordinates do not go with 4 atoms": func(s *Space) { s.Features = s.Features[27:] },
		"108 features and 9 coordinates do not":                 func(s *Space) { s.Places = s.Places[3:] },
		"MolPtr does not ascend from 0 to 4":                    func(s *Space) { s.MolPtr = []int32{0, 3} },
		"RowPtr does not ascend from 0 to 3":                    func(s *Space) { s.Col = s.Col[1:] },
		"Group does not ascend from 0 to 6":                     func(s *Space) { s.Group = []int32{0, 1, 1} },
		"molecule 1, atoms 3 to 3, is bonded to atom 0":         func(s *Space) { s.RowPtr[3] = 3; s.Col[3] = 0 },
	} {
		s := twoInSpace()
		s.RowPtr, s.Col = slices.Clone(s.RowPtr), slices.Clone(s.Col)
		spoil(&s)
		if g, err := s.Graph(ops.CPU); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("the error %v does not contain %q", err, words)
			if err == nil {
				g.Drop()
			}
		}
	}
}

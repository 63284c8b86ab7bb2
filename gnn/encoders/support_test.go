package encoders

import (
	"math"
	"slices"
	"testing"

	"pacia/gnn"
	"pacia/harness/gnntest"
	"pacia/ops"
)

// TestSupportStatistics: a task's support set and its queries are normalised by the
// mean and variance of the support set. The running averages do not change.
func TestSupportStatistics(t *testing.T) {
	s, e, _ := laid(t, gnn.Config{Name: "gin", Layers: 1, Width: 8, Dropout: 0.5})
	alone := gnntest.Ethanol
	alone.Group = []int32{0, 6, 6} // both molecules are support
	g, err := ops.NewGraph(alone, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Drop()
	h, err := e.Embed(g, ops.Mode{})
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(h)
	support, stats, err := e.Support(0, h, g)
	if err != nil {
		t.Fatal(err)
	}
	defer stats.Drop()
	defer ops.Drop(support)
	again, err := e.Layer(0, h, g, ops.Mode{}, stats)
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(again)
	a, b := gnntest.Read(t, support), gnntest.Read(t, again)
	// As in PyTorch, a group is normalised by the variance over n and leaves
	// the one over n−1; 1e-5 is added to either.
	const n, eps = 6, 1e-5
	variance := gnntest.Read(t, stats.Var)
	for i := range a {
		v := variance[i%8]
		want := a[i] * math.Sqrt((v*(n-1)/n+eps)/(v+eps))
		if math.Abs(b[i]-want) > 1e-5 {
			t.Errorf("entry %d: %.6f by the support's statistics, want %.6f", i, b[i], want)
		}
	}
	for c := range 8 {
		sum := 0.0
		for r := range n {
			sum += a[r*8+c]
		}
		if math.Abs(sum/n) > 1e-5 {
			t.Errorf("column %d of the support has mean %g, want 0", c, sum/n)
		}
	}
	for _, p := range s.Buffers() {
		if v := gnntest.Read(t, p.Tensor); slices.Max(v) != slices.Min(v) {
			t.Errorf("%s moved: %v", p.Name, v)
		}
	}
}

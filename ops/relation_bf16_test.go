package ops_test

import (
	"math"
	"testing"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestRelationInBF16: with factors rounded to bf16, nodes are those of float32 to the accuracy of bf16, with as many
// graphs as anchors need on a unit for matrices, and with one graph fewer. All neighbours are kept, as rounding may
// change their order.
func TestRelationInBF16(t *testing.T) {
	if !ops.HasBF16() {
		t.Skip("this processor has no unit for bf16")
	}
	opstest.Locked(t, 2)
	for _, queries := range []int{23, 24} {
		c := relationCase{queries: []int{queries}, n: 6, k: 10, d: 32, hidden: [2]int{64, 40}, bias: true, node: []int{16}, apart: 0.05}
		nodes := func(p ops.Precision) []float64 {
			ops.SetPrecision(p)
			defer ops.SetPrecision(ops.Float32)
			l := opstest.New(t, 1, false)
			defer l.Drop()
			return l.Read(c.run(l))
		}
		want, got := nodes(ops.Float32), nodes(ops.BF16)
		size, apart := 0.0, 0.0
		for i := range want {
			size, apart = max(size, math.Abs(want[i])), max(apart, math.Abs(got[i]-want[i]))
		}
		if apart > 0.02*size || apart == 0 {
			t.Errorf("%d graphs: nodes of up to %v differ by %v from those of float32, want more than 0 and at most 2 %%", queries, size, apart)
		}
	}
}

package ops_test

import (
	"math"
	"testing"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestExponential reads exp(−|x|) from a relation layer whose pair network returns its input:
// for two nodes at distance x, a = sigmoid(exp(−|x|)). The polynomial in float32 has an error
// of 3e-8. The rounding of a, 6e-8, is divided by the slope of the sigmoid, about a fifth,
// when it is inverted. That gives 3e-7, and the tolerance is twice as large.
func TestExponential(t *testing.T) {
	opstest.Locked(t, 2)
	var apart []float64
	for x := 0.0; x < 120; x = x*1.01 + 0.001 {
		apart = append(apart, x, -x)
	}
	for _, p := range []opstest.Precision{{Name: "float64", Double: true, Tolerance: 1e-14}, {Name: "float32", Double: false,
		Tolerance: 6e-7}} {
		l := opstest.New(t, 1, p.Double)
		nodes := make([]float64, 0, 2*len(apart))
		for _, x := range apart {
			nodes = append(nodes, 0, x)
		}
		one := func() ops.Linear { return ops.Linear{W: l.Tensor([]float64{1}, false, 1, 1)} }
		layer := ops.Relation{Similarity: [3]ops.Linear{one(), one(), one()}, Node: []ops.Linear{{W: l.Tensor([]float64{1, 0}, false, 1, 2)}}}
		x := ops.Nodes{Graphs: l.Tensor(nodes, false, int64(len(apart)), 2, 1)}
		y, adjacency, err := layer.Layer(x, 1, 1, true)
		l.Must(y, err)
		var got, want []float64
		for q, row := range opstest.Rows(l.Read(l.Must(adjacency, err)), 4) {
			a := row[1]
			got, want = append(got, math.Log(a/(1-a))), append(want, math.Exp(-math.Abs(apart[q])))
		}
		opstest.Near(t, p.Name+": exp(−|x|)", got, want, p.Tolerance)
		l.Drop()
	}
}

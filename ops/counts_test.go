package ops_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// fingerprinted returns a graph of n molecules with random counts of bits; the molecule
// empty, if given, has none.
func fingerprinted(l *opstest.Lab, n, bits int, empty ...int) *ops.Graph {
	c := ops.Counts{Ptr: []int32{0}, Group: []int32{0, int32(n / 2), int32(n)}}
	for m := range n {
		for bit := l.Rand.IntN(3); bit < bits && (len(empty) == 0 || m != empty[0]); bit += 1 + l.Rand.IntN(4) {
			c.Bit, c.Count = append(c.Bit, uint16(bit)), append(c.Count, uint16(1+l.Rand.IntN(9)))
		}
		c.Ptr = append(c.Ptr, int32(len(c.Bit)))
	}
	g, err := ops.NewCountGraph(c, bits, opstest.Device)
	if err != nil {
		l.Fatal(err)
	}
	l.Graphs = append(l.Graphs, g)
	return g
}

// countCases are a small case, with a molecule without entries, and one that is large
// enough for several threads.
func countCases() map[string]opstest.Calculation {
	return map[string]opstest.Calculation{
		"small": func(l *opstest.Lab) *ts.Tensor {
			return l.Must(ops.EmbedCounts(fingerprinted(l, 5, 12, 2), l.Leaf("W", 0, 1, 12, 3), l.Leaf("b", 0, 1, 3), ops.Mode{}))
		},
		"many": func(l *opstest.Lab) *ts.Tensor {
			return l.Must(ops.EmbedCounts(fingerprinted(l, 300, 200), l.Leaf("W", 0, 1, 200, 70), l.Leaf("b", 0, 1, 70), ops.Mode{Training: true,
				Dropout: 0.4, Key: 3}))
		},
	}
}

// denseCases are cases with and without batch norm and dropout, and two that are large
// enough for several threads.
func denseCases() map[string]opstest.Calculation {
	cases := map[string]opstest.Calculation{"many": denseCase(500, 40, 30, true, 0.3), "many and wide": denseCase(1100, 700, 45, false, 0.5)}
	for _, normed := range []bool{false, true} {
		for _, rate := range []float64{0, 0.4} {
			cases[fmt.Sprintf("norm %t, dropout %v", normed, rate)] = denseCase(11, 5, 4, normed, rate)
		}
	}
	return cases
}

func denseCase(n, in, out int, normed bool, rate float64) opstest.Calculation {
	return func(l *opstest.Lab) *ts.Tensor {
		linear, width := l.Linear("linear", in, out, true, 0), int64(in)
		d := ops.Dense{W: linear.W, B: linear.B}
		if normed {
			d.Gamma, d.Beta = l.Leaf("γ", 1, 0.3, width), l.Leaf("β", 0, 0.3, width)
			d.Mean, d.Var = l.Tensor(l.Draw(in), false, width), l.Tensor(slices.Repeat([]float64{1.5}, in), false, width)
			l.Extra["running mean"], l.Extra["running variance"] = d.Mean, d.Var
		}
		return l.Must(d.Layer(l.Leaf("h", 0, 1, int64(n), width), fingerprinted(l, n, 9).Level(0), ops.Mode{Training: true, Dropout: rate,
			Key: 5}))
	}
}

// TestCountsByHand: h⁰ is b plus the logarithms of the counts times their rows.
func TestCountsByHand(t *testing.T) {
	opstest.Locked(t, 1)
	g, err := ops.NewCountGraph(ops.Counts{Ptr: []int32{0, 2, 2}, Bit: []uint16{0, 2}, Count: []uint16{1, 3}, Group: []int32{0, 1, 2}}, 3,
		opstest.Device)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Drop()
	l := opstest.New(t, 1, true)
	defer l.Drop()
	w, b := l.Tensor([]float64{1, 10, 2, 20, 3, 30}, false, 3, 2), l.Tensor([]float64{0.5, 0}, false, 2)
	one, three := math.Log(2), math.Log(4)
	opstest.Near(t, "h⁰", l.Read(l.Must(ops.EmbedCounts(g, w, b, ops.Mode{}))), []float64{0.5 + one + 3*three, 10*one + 30*three, 0.5, 0},
		1e-6) // logarithms are float32
}

// TestValuesByHand: given values are the inputs, without a logarithm.
func TestValuesByHand(t *testing.T) {
	opstest.Locked(t, 1)
	g, err := ops.NewCountGraph(ops.Counts{Ptr: []int32{0, 2, 3}, Bit: []uint16{0, 2, 1}, Value: []float32{0.5, -0.25, 2}, Group: []int32{0,
		1, 2}}, 3, opstest.Device)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Drop()
	l := opstest.New(t, 1, true)
	defer l.Drop()
	w, b := l.Tensor([]float64{1, 10, 2, 20, 3, 30}, false, 3, 2), l.Tensor([]float64{0.5, 0}, false, 2)
	opstest.Near(t, "h⁰", l.Read(l.Must(ops.EmbedCounts(g, w, b, ops.Mode{}))), []float64{0.5 + 0.5 - 0.75, 5 - 7.5, 0.5 + 4, 40}, 0)
}

func TestCountErrors(t *testing.T) {
	opstest.Locked(t, 1)
	for want, c := range map[string]ops.Counts{
		"a batch without any":                        {},
		"2 bits with 1 counts":                       {Ptr: []int32{0, 1}, Bit: []uint16{0, 1}, Count: []uint16{1}},
		"2 bits with 1 values":                       {Ptr: []int32{0, 2}, Bit: []uint16{0, 1}, Count: []uint16{1, 1}, Value: []float32{1}},
		"bit 3 of entry 0 is out of range of 0 to 2": {Ptr: []int32{0, 1}, Bit: []uint16{3}, Count: []uint16{1}},
	} {
		_, err := ops.NewCountGraph(c, 3, opstest.Device)
		opstest.Fails(t, err, "fingerprints: "+want)
	}
}

package ops

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// fingerprinted returns a graph of n molecules with random counts of bits; the molecule
// empty, if given, has none.
func (l *lab) fingerprinted(n, bits int, empty ...int) *Graph {
	c := Counts{Ptr: []int32{0}, Group: []int32{0, int32(n / 2), int32(n)}}
	for m := range n {
		for bit := l.r.IntN(3); bit < bits && (len(empty) == 0 || m != empty[0]); bit += 1 + l.r.IntN(4) {
			c.Bit, c.Count = append(c.Bit, uint16(bit)), append(c.Count, uint16(1+l.r.IntN(9)))
		}
		c.Ptr = append(c.Ptr, int32(len(c.Bit)))
	}
	g, err := NewCountGraph(c, bits, where)
	if err != nil {
		l.Fatal(err)
	}
	l.made = append(l.made, g.owned...)
	return g
}

// countCases are a small case, with a molecule without entries, and one that is large
// enough for several threads.
func countCases() map[string]calculation {
	return map[string]calculation{
		"small": func(l *lab) *ts.Tensor {
			return l.must(EmbedCounts(l.fingerprinted(5, 12, 2), l.leaf("W", 0, 1, 12, 3), l.leaf("b", 0, 1, 3), Mode{}))
		},
		"many": func(l *lab) *ts.Tensor {
			return l.must(EmbedCounts(l.fingerprinted(300, 200), l.leaf("W", 0, 1, 200, 70), l.leaf("b", 0, 1, 70), Mode{Training: true, Dropout: 0.4, Key: 3}))
		},
	}
}

// denseCases are cases with and without batch norm and dropout, and two that are large
// enough for several threads.
func denseCases() map[string]calculation {
	cases := map[string]calculation{"many": denseCase(500, 40, 30, true, 0.3), "many and wide": denseCase(1100, 700, 45, false, 0.5)}
	for _, normed := range []bool{false, true} {
		for _, rate := range []float64{0, 0.4} {
			cases[fmt.Sprintf("norm %t, dropout %v", normed, rate)] = denseCase(11, 5, 4, normed, rate)
		}
	}
	return cases
}

func denseCase(n, in, out int, normed bool, rate float64) calculation {
	return func(l *lab) *ts.Tensor {
		linear, width := l.linear("linear", in, out, true, 0), int64(in)
		d := Dense{W: linear.W, B: linear.B}
		if normed {
			d.Gamma, d.Beta = l.leaf("γ", 1, 0.3, width), l.leaf("β", 0, 0.3, width)
			d.Mean, d.Var = l.tensor(l.draw(in), false, width), l.tensor(slices.Repeat([]float64{1.5}, in), false, width)
			l.extra["running mean"], l.extra["running variance"] = d.Mean, d.Var
		}
		return l.must(d.Layer(l.leaf("h", 0, 1, int64(n), width), l.fingerprinted(n, 9).Level(0), Mode{Training: true, Dropout: rate, Key: 5}))
	}
}

// TestCountsByHand: h⁰ is b plus the logarithms of the counts times their rows.
func TestCountsByHand(t *testing.T) {
	locked(t, 1)
	g, err := NewCountGraph(Counts{Ptr: []int32{0, 2, 2}, Bit: []uint16{0, 2}, Count: []uint16{1, 3}, Group: []int32{0, 1, 2}}, 3, where)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Drop()
	l := newLab(t, 1, true)
	defer l.drop()
	w, b := l.tensor([]float64{1, 10, 2, 20, 3, 30}, false, 3, 2), l.tensor([]float64{0.5, 0}, false, 2)
	one, three := math.Log(2), math.Log(4)
	near(t, "h⁰", l.read(l.must(EmbedCounts(g, w, b, Mode{}))), []float64{0.5 + one + 3*three, 10*one + 30*three, 0.5, 0}, 1e-6) // logarithms are float32
}

// TestValuesByHand: given values are the inputs, without a logarithm.
func TestValuesByHand(t *testing.T) {
	locked(t, 1)
	g, err := NewCountGraph(Counts{Ptr: []int32{0, 2, 3}, Bit: []uint16{0, 2, 1}, Value: []float32{0.5, -0.25, 2}, Group: []int32{0, 1, 2}}, 3, where)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Drop()
	l := newLab(t, 1, true)
	defer l.drop()
	w, b := l.tensor([]float64{1, 10, 2, 20, 3, 30}, false, 3, 2), l.tensor([]float64{0.5, 0}, false, 2)
	near(t, "h⁰", l.read(l.must(EmbedCounts(g, w, b, Mode{}))), []float64{0.5 + 0.5 - 0.75, 5 - 7.5, 0.5 + 4, 40}, 0)
}

func TestCountErrors(t *testing.T) {
	locked(t, 1)
	for want, c := range map[string]Counts{
		"a batch without any":                        {},
		"2 bits with 1 counts":                       {Ptr: []int32{0, 1}, Bit: []uint16{0, 1}, Count: []uint16{1}},
		"2 bits with 1 values":                       {Ptr: []int32{0, 2}, Bit: []uint16{0, 1}, Count: []uint16{1, 1}, Value: []float32{1}},
		"bit 3 of entry 0 is out of range of 0 to 2": {Ptr: []int32{0, 1}, Bit: []uint16{3}, Count: []uint16{1}},
	} {
		_, err := NewCountGraph(c, 3, where)
		fails(t, err, "fingerprints: "+want)
	}
}

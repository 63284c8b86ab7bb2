package ops

import (
	"testing"

	"github.com/sugarme/gotch/ts"
)

// sameOnKernels compares a calculation on the kernels with the same one on the loops,
// forward and backward, in both precisions.
func sameOnKernels(t *testing.T, name string, seed uint64, f calculation) {
	t.Helper()
	run(t, name+", kernels", func(t *testing.T) {
		t.Cleanup(func() { onKernels(t, false) })
		emulating := func(on bool) calculation {
			return func(l *lab) *ts.Tensor {
				onKernels(t, on)
				return f(l)
			}
		}
		sameOutcomes(t, seed, emulating(true), emulating(false))
	})
}

// TestLinearOfManyRows: if one block does not have enough threads, sums over rows consist of
// several parts, and the last part may not be full.
func TestLinearOfManyRows(t *testing.T) {
	mode := Mode{Training: true, Dropout: 0.3, Key: 77}
	for name, s := range map[string]stack{
		"LeakyReLU, residual, dropout": {[]int{5, 33, 33, 1}, []Follow{Leaky, Leaky | Residual | Dropout, 0}, true},
		"residual alone":               {[]int{40, 40}, []Follow{Residual}, true},
		"dropout alone":                {[]int{3, 4}, []Follow{Dropout}, true},
		"residual, no bias":            {[]int{40, 40, 40}, []Follow{Residual, Leaky | Residual | Dropout}, false},
	} {
		for _, rows := range []int64{256, 257, 600} {
			sameOnKernels(t, name, uint64(rows), func(l *lab) *ts.Tensor {
				return l.must(MLP(l.leaf("x", 0, 1, rows, int64(s.widths[0])), s.layers(l, "mlp"), mode))
			})
		}
	}
}

// TestFiLMOfNoLength: vectors that are too short to be divided by their length are divided
// by the least length instead, and so are the gradients.
func TestFiLMOfNoLength(t *testing.T) {
	for name, length := range map[string]float64{"none": 0, "less than the least": 1e-14, "more than the least": 1e-11} {
		for _, joint := range []bool{false, true} {
			sameOnKernels(t, name, 1, func(l *lab) *ts.Tensor {
				h := l.leaf("h", 0, 1, 2, 3, 40)
				if joint {
					return l.must(FiLMNodes(h, l.leaf("γ", 0, length, 2, 81), nil, FilmUnit))
				}
				return l.must(FiLMNodes(h, l.leaf("w", 0, length, 2, 40), l.leaf("b", 0, 1, 2, 40), FilmUnit))
			})
		}
	}
}

// TestLabelsOnKernels compares results of hypernetworks and of the classifier that depend on
// labels, for widths that blocks do not divide evenly.
func TestLabelsOnKernels(t *testing.T) {
	for name, c := range hyperCases {
		sameOnKernels(t, "hypernetwork, "+name, 1, c.run)
	}
	for name, c := range classifierCases {
		sameOnKernels(t, "classifier, "+name, 1, c.run)
	}
	const d, n = 45, 7
	labels := []uint8{0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0}
	sameOnKernels(t, "hypernetwork on nodes, without the query", 1, func(l *lab) *ts.Tensor {
		h := Hypernetwork{Molecule: []Linear{l.linear("molecule", d+2, d, true, Leaky)}, Last: []Linear{l.linear("last", 2*d, 3, true, 0)}}
		return l.must(h.Nodes(l.leaf("x", 0, 1, 3, n+1, d), l.bytes(labels...), l.ints(1, 0, 1), n, Mode{}))
	})
	for _, sets := range []int{1, 2} {
		c := classifierCase{labels, []int32{1, 0, 1}, n, d, 3, sets}
		sameOnKernels(t, "wide classifier", uint64(sets), c.run)
	}
}

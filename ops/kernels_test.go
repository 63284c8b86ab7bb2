package ops_test

import (
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// sameOnKernels compares a calculation on the kernels with the same one on the loops,
// forward and backward, in both precisions.
func sameOnKernels(t *testing.T, name string, seed uint64, f opstest.Calculation) {
	t.Helper()
	opstest.Run(t, name+", kernels", func(t *testing.T) {
		t.Cleanup(func() { opstest.OnKernels(t, false) })
		emulating := func(on bool) opstest.Calculation {
			return func(l *opstest.Lab) *ts.Tensor {
				opstest.OnKernels(t, on)
				return f(l)
			}
		}
		opstest.SameOutcomes(t, seed, emulating(true), emulating(false))
	})
}

// TestLinearOfManyRows: if one block does not have enough threads, sums over rows consist of
// several parts, and the last part may not be full.
func TestLinearOfManyRows(t *testing.T) {
	mode := ops.Mode{Training: true, Dropout: 0.3, Key: 77}
	for name, s := range map[string]stack{
		"LeakyReLU, residual, dropout": {[]int{5, 33, 33, 1}, []ops.Follow{ops.Leaky, ops.Leaky | ops.Residual | ops.Dropout, 0}, true},
		"residual alone":               {[]int{40, 40}, []ops.Follow{ops.Residual}, true},
		"dropout alone":                {[]int{3, 4}, []ops.Follow{ops.Dropout}, true},
		"residual, no bias":            {[]int{40, 40, 40}, []ops.Follow{ops.Residual, ops.Leaky | ops.Residual | ops.Dropout}, false},
	} {
		for _, rows := range []int64{256, 257, 600} {
			sameOnKernels(t, name, uint64(rows), func(l *opstest.Lab) *ts.Tensor {
				return l.Must(ops.MLP(l.Leaf("x", 0, 1, rows, int64(s.widths[0])), s.layers(l, "mlp"), mode))
			})
		}
	}
}

// TestFiLMOfNoLength: vectors that are too short to be divided by their length are divided
// by the least length instead, and so are the gradients.
func TestFiLMOfNoLength(t *testing.T) {
	for name, length := range map[string]float64{"none": 0, "less than the least": 1e-14, "more than the least": 1e-11} {
		for _, joint := range []bool{false, true} {
			sameOnKernels(t, name, 1, func(l *opstest.Lab) *ts.Tensor {
				h := l.Leaf("h", 0, 1, 2, 3, 40)
				if joint {
					return l.Must(ops.FiLMNodes(h, l.Leaf("γ", 0, length, 2, 81), nil, ops.FilmUnit))
				}
				return l.Must(ops.FiLMNodes(h, l.Leaf("w", 0, length, 2, 40), l.Leaf("b", 0, 1, 2, 40), ops.FilmUnit))
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
	sameOnKernels(t, "hypernetwork on nodes, without the query", 1, func(l *opstest.Lab) *ts.Tensor {
		h := ops.Hypernetwork{Molecule: []ops.Linear{l.Linear("molecule", d+2, d, true, ops.Leaky)}, Last: []ops.Linear{l.Linear("last", 2*d, 3,
			true, 0)}}
		return l.Must(h.Nodes(l.Leaf("x", 0, 1, 3, n+1, d), l.Bytes(labels...), l.Ints(1, 0, 1), n, ops.Mode{}))
	})
	for _, sets := range []int{1, 2} {
		c := classifierCase{labels, []int32{1, 0, 1}, n, d, 3, sets}
		sameOnKernels(t, "wide classifier", uint64(sets), c.run)
	}
}

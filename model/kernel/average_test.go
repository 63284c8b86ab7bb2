package kernel

import (
	"math"
	"testing"
)

// TestAverage compares the odds of the whole kernel, and the weights of scores, with a calculation by hand for
// two support molecules. Without vectors, the odds do not depend on the scale of the whole kernel.
func TestAverage(t *testing.T) {
	labels := []uint8{1, 0}
	for _, c := range []struct {
		whole, alone, scale float64
		alike               bool
	}{{0, 0, 1, false}, {0.8, 0, 1, false}, {0, 0.8, 1, false}, {-0.5, 0.9, 1, false}, {0.8, 0.1, 1.9, false}, {0.8, 0.1, 1.9, true}} {
		k := func(between, scale float64) [][]float64 {
			return [][]float64{{scale, scale * between}, {scale * between, scale}}
		}
		// s K + I has the eigenvalues 1 + s ± s k, and y is √2 times the second eigenvector.
		evidence := func(between, s float64) float64 {
			return -(2/(1+s-s*between) + math.Log((1+s-s*between)*(1+s+s*between))) / 2
		}
		scale := 1.0
		if c.alike {
			scale = c.scale
		}
		want := 1 / (1 + math.Exp(-2-4*(evidence(c.whole, scale)-evidence(c.alone, 1))))
		var got regressions
		if err := got.learn(k(c.whole, c.scale), k(c.alone, 1), []float64{0, 0}, labels, 1, c.alike); err != nil {
			t.Fatal(err)
		}
		for what, pair := range map[string][2]float64{
			"share": {got.share, want}, "coefficient": {got.coefficient, want * math.Tanh(1.5)},
			"α": {got.alpha[0], want / (1 + c.scale - c.scale*c.whole)}, "β": {got.beta[1], -(1 - want) / (2 - c.alone)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("kernels with %v and %v beside the diagonal: %s is %v, want %v", c.whole, c.alone, what, pair[0], pair[1])
			}
		}
	}
}

package kernel

import (
	"math"
	"testing"
)

// TestAverage compares the odds of the whole kernel, and the weights of scores, with a calculation by hand for
// two support molecules. Without vectors, the odds do not depend on the scale of the whole kernel.
func TestAverage(t *testing.T) {
	targets := []float64{1, -1}
	for _, c := range []struct {
		whole, alone, scale float64
		vectors             []float32
	}{{0, 0, 1, nil}, {0.8, 0, 1, nil}, {0, 0.8, 1, nil}, {-0.5, 0.9, 1, nil}, {0.8, 0.1, 1.9, nil}, {0.8, 0.1, 1.9, []float32{1, 2}}} {
		k := func(between, scale float64) [][]float64 {
			return [][]float64{{scale, scale * between}, {scale * between, scale}}
		}
		// s K + I has the eigenvalues 1 + s ± s k, and y is √2 times the second eigenvector.
		evidence := func(between, s float64) float64 {
			return -(2/(1+s-s*between) + math.Log((1+s-s*between)*(1+s+s*between))) / 2
		}
		scale := 1.0
		if c.vectors != nil {
			scale = c.scale
		}
		want := 1 / (1 + math.Exp(-2-4*(evidence(c.whole, scale)-evidence(c.alone, 1))))
		tk := &task{kernel: &kernel{Settings: Settings{Noise: 1}}, coefficient: 0.5, support: molecules{vectors: c.vectors}}
		var err error
		tk.alpha, tk.factor, err = regression(k(c.whole, c.scale), targets, 1)
		if err == nil {
			err = tk.average(k(c.whole, c.scale), k(c.alone, 1), targets)
		}
		if err != nil {
			t.Fatal(err)
		}
		for what, pair := range map[string][2]float64{
			"share": {tk.share, want}, "coefficient": {tk.coefficient, want / 2},
			"α": {tk.alpha[0], want / (1 + c.scale - c.scale*c.whole)}, "β": {tk.beta[1], -(1 - want) / (2 - c.alone)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("kernels with %v and %v beside the diagonal: %s is %v, want %v", c.whole, c.alone, what, pair[0], pair[1])
			}
		}
	}
}

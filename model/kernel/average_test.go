package kernel

import (
	"math"
	"testing"
)

// TestAverage compares the odds of the whole kernel, and the weights of scores, with a calculation by hand for
// two support molecules.
func TestAverage(t *testing.T) {
	targets := []float64{1, -1}
	for _, c := range []struct{ whole, alone float64 }{{0, 0}, {0.8, 0}, {0, 0.8}, {-0.5, 0.9}} {
		k := func(between float64) [][]float64 { return [][]float64{{1, between}, {between, 1}} }
		// K + I has the eigenvalues 2 ± k, and y is √2 times the second eigenvector.
		evidence := func(between float64) float64 {
			return -(2/(2-between) + math.Log((2-between)*(2+between))) / 2
		}
		want := 1 / (1 + math.Exp(-2-4*(evidence(c.whole)-evidence(c.alone))))
		tk := &task{kernel: &kernel{Settings: Settings{Noise: 1}}, coefficient: 0.5}
		var err error
		tk.alpha, tk.factor, err = regression(k(c.whole), targets, 1)
		if err == nil {
			err = tk.average(k(c.alone), targets)
		}
		if err != nil {
			t.Fatal(err)
		}
		for what, pair := range map[string][2]float64{
			"share": {tk.share, want}, "coefficient": {tk.coefficient, want / 2},
			"α": {tk.alpha[0], want / (2 - c.whole)}, "β": {tk.beta[1], -(1 - want) / (2 - c.alone)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("kernels with %v and %v beside the diagonal: %s is %v, want %v", c.whole, c.alone, what, pair[0], pair[1])
			}
		}
	}
}

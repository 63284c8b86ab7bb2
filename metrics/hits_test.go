package metrics

import (
	"math"
	"testing"
)

// TestPoissonBinomial compares with three molecules computed by hand, and with the binomial
// distribution for equal probabilities.
func TestPoissonBinomial(t *testing.T) {
	near := func(what string, got, want []float64) {
		t.Helper()
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", what, got, want)
				return
			}
		}
	}
	near("0.5, 0.2, 1", poissonBinomial([]float64{0.5, 0.2, 1}, 0), []float64{0, 0.4, 0.5, 0.1})
	near("four of 0.5", poissonBinomial([]float64{0.5, 0.5, 0.5, 0.5}, 0), []float64{1. / 16, 4. / 16, 6. / 16, 4. / 16, 1. / 16})
	near("odds of 1, tripled", poissonBinomial([]float64{0.5}, math.Log(3)), []float64{0.25, 0.75})
}

// TestExpectHits checks that the expectation is the sum of probabilities. The interval has length 0
// for certain molecules. Otherwise it is around the expectation, and wider than for independent
// molecules, 21 to 29.
func TestExpectHits(t *testing.T) {
	if got := ExpectHits([]float64{1, 1, 0}); got != (ExpectedHits{3, 2, 2, 2}) {
		t.Errorf("certain: %+v", got)
	}
	p := make([]float64, 50)
	for i := range p {
		p[i] = 0.5
	}
	got := ExpectHits(p)
	if got.Expected != 25 || got.Low >= 21 || got.High <= 29 || got.Low < 10 || got.Low+got.High != 50 {
		t.Errorf("fifty of 0.5: %+v", got)
	}
}

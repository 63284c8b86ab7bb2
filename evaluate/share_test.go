package evaluate

import (
	"math"
	"testing"
)

// TestShareIsBayesRule compares with counts of molecules in a support set and a library that
// differ only in the share of actives.
func TestShareIsBayesRule(t *testing.T) {
	// Of the actives 60 in 100 look promising, of the inactives 20.
	const active, inactive = 0.6, 0.2
	promising := func(share float64) float64 {
		return share * active / (share*active + (1-share)*inactive)
	}
	for _, c := range []struct{ support, library float64 }{{0.5, 0.02}, {0.25, 0.5}, {0.5, 0.5}, {0.9, 0.001}} {
		got := ShareOf(c.support, c.library).Probability(float32(promising(c.support)))
		// The input is float32 with a relative rounding error of 6e-8.
		if want := promising(c.library); math.Abs(got-want) > 1e-6*want {
			t.Errorf("from a share of %v to %v: %v, want %v", c.support, c.library, got, want)
		}
	}
}

// TestShareKeepsOrder covers probabilities from 0 to 1. Both ends keep their values.
func TestShareKeepsOrder(t *testing.T) {
	s, last := ShareOf(0.5, 0.02), -1.0
	for i := range 1001 {
		p := s.Probability(float32(i) / 1000)
		if p <= last {
			t.Fatalf("%d/1000 becomes %v, and the one before %v", i, p, last)
		}
		last = p
	}
	if first := s.Probability(0); first != 0 || last != 1 {
		t.Errorf("0 becomes %v and 1 becomes %v", first, last)
	}
}

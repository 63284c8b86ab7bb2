package metrics

import (
	"math"
	"slices"
	"testing"
)

// TestSignedRank compares with scipy 1.17.1, wilcoxon(x, method="asymptotic").
func TestSignedRank(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{0.1, 0.2, -0.05, 0.3, 0.15, -0.1, 0.25, 0.4, 0.05, -0.2, 0.35, 0.12}, 0.037412507243511806},
		{[]float64{0.1, 0.1, -0.1, 0.2, 0, 0.3, -0.2, 0.1, 0.4, 0.5, 0.1, -0.1, 0.2}, 0.05592657575225171},
	} {
		if got := SignedRank(c.x); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.x, got, c.want)
		}
		for i := range c.x {
			c.x[i] *= -1
		}
		if got := SignedRank(c.x); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("negated: %v, want %v", got, c.want)
		}
	}
	if got := SignedRank([]float64{0, 0}); !math.IsNaN(got) {
		t.Errorf("of zeros alone: %v", got)
	}
}

func TestHolm(t *testing.T) {
	if got, want := Holm([]float64{0.01, 0.04, 0.03, 0.5, 0.02}), []float64{0.05, 0.09, 0.09, 0.5, 0.08}; !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Holm([]float64{0.9, 0.8}); !slices.Equal(got, []float64{1, 1}) {
		t.Errorf("%v, want no more than 1", got)
	}
}

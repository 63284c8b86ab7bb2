package metrics

import (
	"math"
	"testing"
)

// TestSpearman checks an order, its reverse, and ties by hand: ranks 0, 1.5, 1.5, 3 and 0, 1, 2, 3
// have the covariance 4.5 and the sums of squares 4.5 and 5.
func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3, 10}, []float64{-1, 0, 5, 6}, 1},
		{[]float64{1, 2, 3}, []float64{9, 4, 1}, -1},
		{[]float64{1, 2, 2, 3}, []float64{1, 2, 3, 4}, 4.5 / math.Sqrt(4.5*5)},
	} {
		if got := Spearman(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("Spearman(%v, %v) is %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if got := Spearman([]float64{1, 1}, []float64{1, 2}); !math.IsNaN(got) {
		t.Errorf("without an order ρ is %v, want NaN", got)
	}
	if got := Spearman([]float64{1, math.NaN(), 3}, []float64{1, 2, 3}); !math.IsNaN(got) {
		t.Errorf("with a value that is not a number ρ is %v, want NaN", got)
	}
}

// TestR2 checks that the true values have 1, and the mean of the support set 0.
func TestR2(t *testing.T) {
	v := []float64{1, 2, 4}
	for _, c := range []struct {
		predicted []float64
		want      float64
	}{{v, 1}, {[]float64{3, 3, 3}, 0}, {[]float64{4, 3, 3}, 1 - 11.0/6}} {
		if got := R2(v, c.predicted, 3); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("R2 of %v is %v, want %v", c.predicted, got, c.want)
		}
	}
}

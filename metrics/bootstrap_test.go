package metrics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pacia/metrics"
)

// Means of two draws from {0, 1} are 0, 1/2 and 1 with probabilities of 1/4, 1/2 and 1/4.
// The interval of 95 % is [0, 1], and that of 40 % is [1/2, 1/2].
func TestBootstrapOfTwo(t *testing.T) {
	if low, high := metrics.Bootstrap([]float64{0, 1}, 0.95); low != 0 || high != 1 {
		t.Errorf("95 %%: [%v, %v]", low, high)
	}
	if low, high := metrics.Bootstrap([]float64{0, 1}, 0.4); low != 0.5 || high != 0.5 {
		t.Errorf("40 %%: [%v, %v]", low, high)
	}
}

// With many values the interval agrees with the central limit theorem, mean ± 1.96
// standard errors, up to the noise of 10,000 resamples.
func TestBootstrapOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	values, mean, squares := make([]float64, 400), 0.0, 0.0
	for i := range values {
		values[i] = r.Float64()
		mean += values[i] / 400
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	half := 1.96 * math.Sqrt(squares/400/400)
	low, high := metrics.Bootstrap(values, 0.95)
	if math.Abs(low-(mean-half)) > 0.05*half || math.Abs(high-(mean+half)) > 0.05*half {
		t.Errorf("[%v, %v], want [%v, %v] to 5 %% of half its length", low, high, mean-half, mean+half)
	}
	if again, _ := metrics.Bootstrap(values, 0.95); again != low {
		t.Errorf("%v, then %v: it is not seeded", low, again)
	}
}

// An interval lies within the range of its values: that of ROC-AUCs near 1 does not exceed
// 1, unlike mean ± 1.96 standard errors.
func TestBootstrapStaysInTheRange(t *testing.T) {
	for _, values := range [][]float64{{0.99, 1, 1}, {0.1, 0.1, 0.1}, {0.02, 0, 0, 0.9}, {-1, 1}} {
		low, high := metrics.Bootstrap(values, 0.95)
		if low < slices.Min(values) || high > slices.Max(values) || low > high {
			t.Errorf("%v: [%v, %v]", values, low, high)
		}
	}
	for _, values := range [][]float64{nil, {0.5}, {0.5, math.NaN()}} {
		if low, high := metrics.Bootstrap(values, 0.95); !math.IsNaN(low) || !math.IsNaN(high) {
			t.Errorf("%v has [%v, %v], want none", values, low, high)
		}
	}
}

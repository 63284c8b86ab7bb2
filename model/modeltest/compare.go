package modeltest

import (
	"math"
	"strings"
	"testing"
)

// Two tolerances. In float64 the same sums in another order agree to 1e-15 an
// addition; ten layers of some hundred additions stay far below 1e-10. P(active)
// comes as float32: 1e-6.
const (
	Rounding   = 1e-10
	Float32ULP = 1e-6
)

// Close compares what a stage gave, each entry within a tolerance relative to the
// largest entry of the stage; single entries may be 0.
func Close(t testing.TB, stage string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", stage, len(got), len(want))
		return
	}
	scale, worst, at := 0.0, 0.0, 0
	for i := range want {
		scale = max(scale, math.Abs(want[i]))
		if d := math.Abs(got[i] - want[i]); !(d <= worst) {
			worst, at = d, i
		}
	}
	if !(worst <= tolerance*scale) {
		t.Errorf("%s: entry %d is %.10g, want %.10g; the stage's largest is %.3g, tolerance %.0e of it",
			stage, at, got[at], want[at], scale, tolerance)
	}
}

// Near compares values, each within a tolerance of one more than its size.
func Near(t testing.TB, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*(1+math.Abs(want[i]))) {
			t.Errorf("%s: entry %d of %d is %v, want %v", what, i, len(want), got[i], want[i])
			return
		}
	}
}

// Norm is the Euclidean norm.
func Norm(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x * x
	}
	return math.Sqrt(s)
}

// Fails checks that err is there and says every one of the words.
func Fails(t testing.TB, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("the error %v does not say %q", err, w)
		}
	}
}

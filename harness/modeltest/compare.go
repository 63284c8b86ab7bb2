package modeltest

import (
	"math"
	"strings"
	"testing"
)

// Two tolerances. In float64 the order of a sum changes each addition by 1e-15. Ten
// layers of some hundred additions stay far below 1e-10. P(active) is float32: 1e-6.
const (
	Rounding   = 1e-10
	Float32ULP = 1e-6
)

// Close compares the output of a stage. The tolerance of each entry is relative to the
// largest entry of the stage, since single entries may be 0.
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

// Near compares values. The tolerance of each value v is tolerance·(1 + |v|).
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

// Fails checks that err is not nil and contains all of the words.
func Fails(t testing.TB, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("the error %v does not contain %q", err, w)
		}
	}
}

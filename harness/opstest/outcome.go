package opstest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Precision is the type in which a test calculates, and the tolerance between two ways to
// calculate the same number, relative to the largest of the numbers compared.
type Precision struct {
	Name      string
	Double    bool
	Tolerance float64
}

// Two ways to sum the same terms differ by the rounding of a few hundred additions, 2e-16 or
// 6e-8 each, which cancellation increases. 1e-11 and 2e-4 leave two to three orders of
// magnitude for cancellation and are far below the effect of any wrong formula.
var Precisions = []Precision{{"float64", true, 1e-11}, {"float32", false, 2e-4}}

// Project returns Σ y·c for fixed random c: one number that depends on every entry
// of y.
func (l *Lab) Project(y *ts.Tensor) *ts.Tensor {
	l.Helper()
	shape, err := y.Size()
	if err != nil {
		l.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, uint64(Size(shape))))
	v := make([]float64, Size(shape))
	for i := range v {
		v[i] = r.NormFloat64()
	}
	kind := gotch.Float
	if l.Double {
		kind = gotch.Double
	}
	return l.Must(l.Must(y.Mul(l.Tensor(v, false, shape...), false)).Sum(kind, false))
}

// Outcome is the result of one calculation: its output, the gradients of its
// leaves, and anything else that the calculation put into Lab.Extra.
type Outcome struct {
	Names  []string
	Stages map[string][]float64
}

// Calculation builds leaves and an output from a lab.
type Calculation func(l *Lab) *ts.Tensor

// Computed runs f forward and backward.
func Computed(t *testing.T, seed uint64, double bool, f Calculation) Outcome {
	t.Helper()
	l := New(t, seed, double)
	defer l.Drop()
	y := f(l)
	if err := ops.Backward(l.Project(y)); err != nil {
		t.Fatal(err)
	}
	o := Outcome{[]string{"output"}, map[string][]float64{"output": l.Read(y)}}
	for name, x := range l.Extra {
		o.Names, o.Stages[name] = append(o.Names, name), l.Read(x)
	}
	for _, name := range l.Names {
		g, err := ops.Gradient(l.Leaves[name])
		if err != nil {
			t.Fatal(err)
		}
		o.Names, o.Stages["gradient of "+name] = append(o.Names, "gradient of "+name), g
	}
	return o
}

// SameOutcome compares a calculation made by an operation with that by its
// plain form, in both precisions.
func SameOutcome(t *testing.T, seed uint64, f Calculation) {
	t.Helper()
	SameOutcomes(t, seed, f, By(ops.Plain, f))
}

// SameOutcomes compares two calculations in both precisions.
func SameOutcomes(t *testing.T, seed uint64, f, reference Calculation) {
	t.Helper()
	for _, p := range Precisions {
		got := Computed(t, seed, p.Double, f)
		want := Computed(t, seed, p.Double, reference)
		for _, name := range want.Names {
			Near(t, fmt.Sprintf("seed %d, %s: %s", seed, p.Name, name), got.Stages[name], want.Stages[name], p.Tolerance)
		}
	}
}

// By returns the calculation f with its operations run in the form p.
func By(p ops.Form, f Calculation) Calculation {
	return func(l *Lab) *ts.Tensor {
		defer ops.RequestForm(ops.RequestForm(p))
		return f(l)
	}
}

// Near compares numbers. The tolerance is relative to the largest of those wanted, or to 1
// if that is larger, because rounding then comes from intermediate values of about 1.
func Near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	scale, worst, at := 1.0, 0.0, 0
	for i := range want {
		scale = max(scale, math.Abs(want[i]))
		if d := math.Abs(got[i] - want[i]); !(d <= worst) {
			worst, at = d, i
		}
	}
	if !(worst <= tolerance*scale) {
		t.Errorf("%s: entry %d of %d is %.10g, want %.10g; tolerance %.0e of %.3g",
			what, at, len(want), got[at], want[at], tolerance, scale)
	}
}

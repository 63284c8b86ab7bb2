package ops

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// precision is the type in which a test calculates, and the tolerance between two ways to
// calculate the same number, relative to the largest of the numbers compared.
type precision struct {
	name      string
	double    bool
	tolerance float64
}

// Two ways to sum the same terms differ by the rounding of a few hundred additions, 2e-16 or
// 6e-8 each, which cancellation increases. 1e-11 and 2e-4 leave two to three orders of
// magnitude for cancellation and are far below the effect of any wrong formula.
var precisions = []precision{{"float64", true, 1e-11}, {"float32", false, 2e-4}}

// project returns Σ y·c for fixed random c: one number that depends on every entry
// of y.
func (l *lab) project(y *ts.Tensor) *ts.Tensor {
	l.Helper()
	shape, err := y.Size()
	if err != nil {
		l.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, uint64(size(shape))))
	v := make([]float64, size(shape))
	for i := range v {
		v[i] = r.NormFloat64()
	}
	kind := gotch.Float
	if l.double {
		kind = gotch.Double
	}
	return l.must(l.must(y.Mul(l.tensor(v, false, shape...), false)).Sum(kind, false))
}

// outcome is the result of one calculation: its output, the gradients of its
// leaves, and anything else that the calculation put into lab.extra.
type outcome struct {
	names  []string
	stages map[string][]float64
}

// calculation builds leaves and an output from a lab.
type calculation func(l *lab) *ts.Tensor

// outcomeOf runs f forward and backward.
func outcomeOf(t *testing.T, seed uint64, double bool, f calculation) outcome {
	t.Helper()
	l := newLab(t, seed, double)
	defer l.drop()
	y := f(l)
	if err := Backward(l.project(y)); err != nil {
		t.Fatal(err)
	}
	o := outcome{[]string{"output"}, map[string][]float64{"output": l.read(y)}}
	for name, x := range l.extra {
		o.names, o.stages[name] = append(o.names, name), l.read(x)
	}
	for _, name := range l.names {
		g, err := Gradient(l.leaves[name])
		if err != nil {
			t.Fatal(err)
		}
		o.names, o.stages["gradient of "+name] = append(o.names, "gradient of "+name), g
	}
	return o
}

// sameOutcome compares a calculation made by an operation with that by its
// plain form, in both precisions.
func sameOutcome(t *testing.T, seed uint64, f calculation) {
	t.Helper()
	sameOutcomes(t, seed, f, by(plain, f))
}

// sameOutcomes compares two calculations in both precisions.
func sameOutcomes(t *testing.T, seed uint64, f, reference calculation) {
	t.Helper()
	for _, p := range precisions {
		got := outcomeOf(t, seed, p.double, f)
		want := outcomeOf(t, seed, p.double, reference)
		for _, name := range want.names {
			near(t, fmt.Sprintf("seed %d, %s: %s", seed, p.name, name), got.stages[name], want.stages[name], p.tolerance)
		}
	}
}

// by returns the calculation f with its operations run on the path p.
func by(p path, f calculation) calculation {
	return func(l *lab) *ts.Tensor {
		before := requested
		requested = p
		defer func() { requested = before }()
		return f(l)
	}
}

// near compares numbers. The tolerance is relative to the largest of those wanted, or to 1
// if that is larger, because rounding then comes from intermediate values of about 1.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
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

package opstest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// checkTwice compares the second derivative of the projected output along two
// random directions u and v of all leaves, uᵀHv, with central differences of the
// first. Methods with gradients that are differentiated again, such as those with
// inner steps, run the plain form. Steps and tolerances are those of
// checkGradients.
func checkTwice(t *testing.T, seed uint64, f Calculation) {
	t.Helper()
	const step, tolerance = 1e-5, 1e-6
	base := New(t, seed, true)
	defer base.Drop()
	slope := slopeAlong(base, f, seed)
	at := base.Read(slope)[0]
	var got float64
	if slope.MustRequiresGrad() { // the slope of a linear function is constant
		if err := ops.Backward(slope); err != nil {
			t.Fatal(err)
		}
		for _, name := range base.Names {
			second, err := ops.Gradient(base.Leaves[name])
			if err != nil {
				t.Fatal(err)
			}
			if second != nil {
				got += Dot(second, Direction(seed, 2, name, len(second)))
			}
		}
	}
	moved := func(by float64) float64 {
		l := New(t, seed, true)
		defer l.Drop()
		l.Edit = func(name string, v []float64) { copy(v, Sum(v, Times(by, Direction(seed, 2, name, len(v))))) }
		return slopeOf(l, f, seed)
	}
	up, down := moved(step), moved(-step)
	want := (up - down) / (2 * step)
	if bend := math.Abs(up - 2*at + down); bend/step > 1e-3*(1+math.Abs(want)) {
		t.Errorf("seed %d: the step crosses a kink; choose another seed", seed)
		return
	}
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("seed %d: the second derivative is %.10g, by differences %.10g", seed, got, want)
	}
}

// slopeOf returns the value of slopeAlong.
func slopeOf(l *Lab, f Calculation, seed uint64) (slope float64) {
	l.Helper()
	if err := ops.Backward(l.Project(f(l))); err != nil {
		l.Fatal(err)
	}
	for _, name := range l.Names {
		g, err := ops.Gradient(l.Leaves[name])
		if err != nil {
			l.Fatal(name, ": ", err)
		}
		slope += Dot(g, Direction(seed, 1, name, len(g)))
	}
	return slope
}

// slopeAlong returns the slope of the projected output along a direction, to be differentiated again.
func slopeAlong(l *Lab, f Calculation, seed uint64) *ts.Tensor {
	l.Helper()
	output := l.Project(f(l))
	slope := l.Tensor([]float64{0}, false, 1)
	for _, name := range l.Names {
		leaf := l.Leaves[name]
		// gotch takes the gradients of one tensor at a time.
		g, err := ts.RunBackward([]*ts.Tensor{output}, []*ts.Tensor{leaf}, true, true)
		if err != nil {
			l.Fatal(name, ": ", err)
		}
		v := l.Tensor(Direction(seed, 1, name, Size(leaf.MustSize())), false, leaf.MustSize()...)
		product := l.Must(l.Must(g[0], nil).Mul(v, false))
		slope = l.Must(slope.Add(l.Must(product.Sum(product.DType(), false)), false))
	}
	return slope
}

// Direction returns a random direction of a leaf, of length 1 for each leaf.
func Direction(seed, which uint64, name string, n int) []float64 {
	key := which
	for _, c := range name {
		key = 31*key + uint64(c)
	}
	r := rand.New(rand.NewPCG(seed, key))
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return Times(1/math.Sqrt(Dot(v, v)), v)
}

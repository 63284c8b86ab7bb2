package ops

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// checkTwice compares the second derivative of the projected output along two
// random directions u and v of all leaves, uᵀHv, with central differences of the
// first. Methods with gradients that are differentiated again, such as those with
// inner steps, run the plain form. Steps and tolerances are those of
// checkGradients.
func checkTwice(t *testing.T, seed uint64, f calculation) {
	t.Helper()
	const step, tolerance = 1e-5, 1e-6
	base := newLab(t, seed, true)
	defer base.drop()
	slope := slopeAlong(base, f, seed)
	at := base.read(slope)[0]
	var got float64
	if slope.MustRequiresGrad() { // the slope of a linear function is constant
		if err := Backward(slope); err != nil {
			t.Fatal(err)
		}
		for _, name := range base.names {
			second, err := Gradient(base.leaves[name])
			if err != nil {
				t.Fatal(err)
			}
			if second != nil {
				got += dot(second, direction(seed, 2, name, len(second)))
			}
		}
	}
	moved := func(by float64) float64 {
		l := newLab(t, seed, true)
		defer l.drop()
		l.edit = func(name string, v []float64) { copy(v, sum(v, times(by, direction(seed, 2, name, len(v))))) }
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
func slopeOf(l *lab, f calculation, seed uint64) (slope float64) {
	l.Helper()
	if err := Backward(l.project(f(l))); err != nil {
		l.Fatal(err)
	}
	for _, name := range l.names {
		g, err := Gradient(l.leaves[name])
		if err != nil {
			l.Fatal(name, ": ", err)
		}
		slope += dot(g, direction(seed, 1, name, len(g)))
	}
	return slope
}

// slopeAlong returns the slope of the projected output along a direction, to be differentiated again.
func slopeAlong(l *lab, f calculation, seed uint64) *ts.Tensor {
	l.Helper()
	output := l.project(f(l))
	slope := l.tensor([]float64{0}, false, 1)
	for _, name := range l.names {
		leaf := l.leaves[name]
		// gotch takes the gradients of one tensor at a time.
		g, err := ts.RunBackward([]*ts.Tensor{output}, []*ts.Tensor{leaf}, true, true)
		if err != nil {
			l.Fatal(name, ": ", err)
		}
		v := l.tensor(direction(seed, 1, name, size(leaf.MustSize())), false, leaf.MustSize()...)
		product := l.must(l.must(g[0], nil).Mul(v, false))
		slope = l.must(slope.Add(l.must(product.Sum(product.DType(), false)), false))
	}
	return slope
}

// direction returns a random direction of a leaf, of length 1 for each leaf.
func direction(seed, which uint64, name string, n int) []float64 {
	key := which
	for _, c := range name {
		key = 31*key + uint64(c)
	}
	r := rand.New(rand.NewPCG(seed, key))
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return times(1/math.Sqrt(dot(v, v)), v)
}

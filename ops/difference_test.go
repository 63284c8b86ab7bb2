package ops

import (
	"math"
	"testing"
)

// checkGradients compares, for every leaf of f, the gradient with central
// differences of the projected output along directions: two random ones, and
// the gradient's own, along which the difference is its norm.
//
// With a step of 1e-5 and values of about 1, the rounding of the output changes the
// difference by 1e-16/1e-5 = 1e-11, and the third derivative by 1e-10. The tolerance of
// 1e-6 also allows for large derivatives. LeakyReLU, ReLU and the K largest have kinks. If
// the two one-sided differences disagree by more than curvature explains, the step crossed a
// kink and is skipped. At most a tenth of all directions may be skipped.
func checkGradients(t *testing.T, seed uint64, f calculation) {
	t.Helper()
	const step, tolerance = 1e-5, 1e-6
	base := newLab(t, seed, true)
	defer base.drop()
	loss := base.project(f(base))
	if err := Backward(loss); err != nil {
		t.Fatal(err)
	}
	at := base.read(loss)[0]
	tried, skipped := 0, 0
	for _, name := range base.names {
		g, err := Gradient(base.leaves[name])
		if err != nil {
			t.Fatal(err)
		}
		if g == nil {
			t.Errorf("seed %d: %s has no gradient", seed, name)
			continue
		}
		directions := matrix{base.draw(len(g)), base.draw(len(g))}
		if norm := math.Sqrt(dot(g, g)); norm > 1e-6 {
			directions = append(directions, g)
		}
		for k, u := range directions {
			u = times(1/math.Sqrt(dot(u, u)), u)
			up, down := valueAt(t, seed, f, name, times(step, u)), valueAt(t, seed, f, name, times(-step, u))
			tried++
			got, want := dot(g, u), (up-down)/(2*step)
			if bend := math.Abs(up - 2*at + down); bend/step > 1e-3*(1+math.Abs(want)) {
				skipped++
				continue
			}
			if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
				t.Errorf("seed %d: gradient of %s along direction %d is %.10g, by differences %.10g", seed, name, k, got, want)
			}
		}
	}
	if 10*skipped > tried {
		t.Errorf("seed %d: %d of %d directions cross a kink; choose another seed", seed, skipped, tried)
	}
}

// valueAt returns the projected output with one leaf shifted.
func valueAt(t *testing.T, seed uint64, f calculation, name string, shift []float64) float64 {
	t.Helper()
	l := newLab(t, seed, true)
	defer l.drop()
	l.edit = func(leaf string, v []float64) {
		if leaf == name {
			copy(v, sum(v, shift))
		}
	}
	var v float64
	err := WithoutGrad(func() (err error) {
		v, err = Number(l.project(f(l)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// checkAgainst compares the output of a calculation with one by hand from the values of
// the same leaves.
func checkAgainst(t *testing.T, seed uint64, f calculation, byHand func(l *lab) []float64) {
	t.Helper()
	for _, p := range precisions {
		l := newLab(t, seed, p.double)
		got := l.read(f(l))
		near(t, p.name+": by hand", got, byHand(l), p.tolerance)
		l.drop()
	}
}

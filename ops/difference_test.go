package ops

import (
	"math"
	"testing"
)

// checkGradients compares, for every leaf of f, the gradient with central
// differences of the projected output along directions: two random ones, and
// the gradient's own, along which the difference is its norm.
//
// With a step of 1e-5 and values of about 1, the difference is off by the
// rounding of the output, 1e-16/1e-5 = 1e-11, and by the third derivative,
// 1e-10: the tolerance of 1e-6 leaves room for large ones. LeakyReLU, ReLU
// and the K largest have kinks. Where the two one-sided differences disagree
// by more than curvature explains, the step met one and is skipped, but of
// all directions at most a tenth.
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
		t.Errorf("seed %d: %d of %d directions meet a kink; choose another seed", seed, skipped, tried)
	}
}

// valueAt is the projected output with one leaf shifted.
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

// checkAgainst compares a calculation's output with one by hand, from the
// values of the same leaves.
func checkAgainst(t *testing.T, seed uint64, f calculation, byHand func(l *lab) []float64) {
	t.Helper()
	for _, p := range precisions {
		l := newLab(t, seed, p.double)
		got := l.read(f(l))
		near(t, p.name+": by hand", got, byHand(l), p.tolerance)
		l.drop()
	}
}

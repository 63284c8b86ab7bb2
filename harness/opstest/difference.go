package opstest

import (
	"math"
	"testing"

	"pacia/ops"
)

// CheckGradients compares, for every leaf of f, the gradient with central
// differences of the projected output along directions: two random ones, and
// the gradient's own, along which the difference is its norm.
//
// With a step of 1e-5 and values of about 1, the rounding of the output changes the
// difference by 1e-16/1e-5 = 1e-11, and the third derivative by 1e-10. The tolerance of
// 1e-6 also allows for large derivatives. LeakyReLU, ReLU and the K largest have kinks. If
// the two one-sided differences disagree by more than curvature explains, the step crossed a
// kink and is skipped. At most a tenth of all directions may be skipped.
func CheckGradients(t *testing.T, seed uint64, f Calculation) {
	t.Helper()
	const step, tolerance = 1e-5, 1e-6
	base := New(t, seed, true)
	defer base.Drop()
	loss := base.Project(f(base))
	if err := ops.Backward(loss); err != nil {
		t.Fatal(err)
	}
	at := base.Read(loss)[0]
	tried, skipped := 0, 0
	for _, name := range base.Names {
		g, err := ops.Gradient(base.Leaves[name])
		if err != nil {
			t.Fatal(err)
		}
		if g == nil {
			t.Errorf("seed %d: %s has no gradient", seed, name)
			continue
		}
		directions := Matrix{base.Draw(len(g)), base.Draw(len(g))}
		if norm := math.Sqrt(Dot(g, g)); norm > 1e-6 {
			directions = append(directions, g)
		}
		for k, u := range directions {
			u = Times(1/math.Sqrt(Dot(u, u)), u)
			up, down := valueAt(t, seed, f, name, Times(step, u)), valueAt(t, seed, f, name, Times(-step, u))
			tried++
			got, want := Dot(g, u), (up-down)/(2*step)
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
func valueAt(t *testing.T, seed uint64, f Calculation, name string, shift []float64) float64 {
	t.Helper()
	l := New(t, seed, true)
	defer l.Drop()
	l.Edit = func(leaf string, v []float64) {
		if leaf == name {
			copy(v, Sum(v, shift))
		}
	}
	var v float64
	err := ops.WithoutGrad(func() (err error) {
		v, err = ops.Number(l.Project(f(l)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// CheckAgainst compares the output of a calculation with one by hand from the values of
// the same leaves.
func CheckAgainst(t *testing.T, seed uint64, f Calculation, byHand func(l *Lab) []float64) {
	t.Helper()
	for _, p := range Precisions {
		l := New(t, seed, p.Double)
		got := l.Read(f(l))
		Near(t, p.Name+": by hand", got, byHand(l), p.Tolerance)
		l.Drop()
	}
}

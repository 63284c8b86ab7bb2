package ops_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestAdamClearsGradients: a step removes the gradients or, on a device, sets them to 0, so
// that the next backward pass starts from 0. A parameter without a gradient still has none.
func TestAdamClearsGradients(t *testing.T) {
	opstest.RunBoth(t, "step", testAdamClearsGradients)
}

func testAdamClearsGradients(t *testing.T) {
	x := newTrainee(t, false, optimisers["AdamW, clip"])
	before := x.Read(x.params[1])
	x.backward(1, 1)
	if _, err := x.adam.Step(); err != nil {
		t.Fatal(err)
	}
	for i, p := range x.params {
		g, err := ops.Gradient(p)
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 && g != nil {
			t.Error("the parameter without a gradient has one")
		}
		if k := slices.IndexFunc(g, func(v float64) bool { return v != 0 }); k >= 0 {
			t.Errorf("parameter %d: entry %d of the gradient is %v after the step", i, k, g[k])
		}
	}
	if !slices.Equal(before, x.Read(x.params[1])) {
		t.Error("the parameter without a gradient changed")
	}
}

// TestAdamNotFinite: a gradient with an entry that is not finite, in any place, changes
// neither parameters nor moments nor the count of steps.
func TestAdamNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e30} {
		opstest.RunBoth(t, fmt.Sprint(bad), func(t *testing.T) {
			double := bad == 1e30 // squared it is beyond float32 and not beyond float64
			x := newTrainee(t, double, optimisers["AdamW, clip"])
			x.backward(1)
			if _, err := x.adam.Step(); err != nil {
				t.Fatal(err)
			}
			all := func() (s opstest.Matrix) {
				m, v := x.adam.State()
				for _, p := range slices.Concat(x.params, m, v) {
					s = append(s, x.Read(p))
				}
				return s
			}
			before := all()
			x.backward(bad, 1, 2, 3)
			norm, err := x.adam.Step()
			if bad == 1e30 {
				if err != nil || norm < 1e29 {
					t.Errorf("norm %v, error %v of a large gradient that is finite", norm, err)
				}
				return
			}
			if !errors.Is(err, ops.ErrNotFinite) {
				t.Fatalf("norm %v, error %v; want ErrNotFinite", norm, err)
			}
			for i, was := range before {
				if !slices.Equal(was, all()[i]) {
					t.Errorf("tensor %d of parameters, first and second moments changed", i)
				}
			}
			if x.adam.Steps() != 1 {
				t.Errorf("%d steps counted, want 1", x.adam.Steps())
			}
		})
	}
}

// TestAdamResumes: a new Adam with the moments and steps of another continues bit for bit.
func TestAdamResumes(t *testing.T) {
	opstest.RunBoth(t, "steps", testAdamResumes)
}

func testAdamResumes(t *testing.T) {
	o := optimisers["AdamW, clip"]
	one := newTrainee(t, false, o)
	one.backward(1)
	if _, err := one.adam.Step(); err != nil {
		t.Fatal(err)
	}
	two := newTrainee(t, false, o)
	two.backward(1) // so that the random numbers are the same from here
	if _, err := two.adam.Step(); err != nil {
		t.Fatal(err)
	}
	two.adam.Drop()
	var err error
	if two.adam, err = ops.NewAdam(two.params, o); err != nil {
		t.Fatal(err)
	}
	m, v := one.adam.State()
	m2, v2 := two.adam.State()
	for i := range m {
		if err := errors.Join(ops.Write(m2[i], opstest.Singles(one.Read(m[i]))), ops.Write(v2[i], opstest.Singles(one.Read(v[i])))); err != nil {
			t.Fatal(err)
		}
	}
	if err := two.adam.SetSteps(one.adam.Steps()); err != nil {
		t.Fatal(err)
	}
	for _, gradients := range []bool{false, true} { // without a gradient, momentum moves a parameter on
		for _, x := range []*trainee{one, two} {
			if gradients {
				x.backward(1)
			}
			if _, err := x.adam.Step(); err != nil {
				t.Fatal(err)
			}
		}
		for i := range one.params {
			if !slices.Equal(one.Read(one.params[i]), two.Read(two.params[i])) {
				t.Errorf("parameter %d differs after resuming, with gradients: %v", i, gradients)
			}
		}
	}
}

package pintuning

import (
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// TestSinglePrecision: over all parameters, second-order gradients in single precision have the
// direction of those in double precision.
func TestSinglePrecision(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	d := modeltest.Four()
	gradients := func(double bool) map[string][]float64 {
		m := modeltest.New(t, Spec, small(t, nil), model.Options{Float64: double, Seed: 4, Tasks: modeltest.FourTraining})
		if err := m.Remember(d, modeltest.FourTraining); err != nil {
			t.Fatal(err)
		}
		_, g := modeltest.Backward(t, m, pairs(t, d), 1)
		return g
	}
	single, double := gradients(false), gradients(true)
	var apart, all []float64
	for name, g := range double {
		for i := range g {
			apart = append(apart, g[i]-single[name][i])
		}
		all = append(all, g...)
	}
	if far := modeltest.Norm(apart) / modeltest.Norm(all); far > 1e-3 {
		t.Errorf("the gradients in single precision are off by %.2g of their length", far)
	}
}

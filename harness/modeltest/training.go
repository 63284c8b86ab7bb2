package modeltest

import (
	"slices"
	"testing"

	"pacia/data"
	"pacia/model"
	"pacia/ops"
)

// Training holds a model that is trained by a stepper, and the same model trained by
// Backward and Step.
type Training struct {
	testing.TB
	Stepper *model.Stepper
	stepped *model.Model
	plain   *model.Model
	adam    *ops.Adam
}

// NewTraining makes both models, in float64.
func NewTraining(t testing.TB, s model.Spec, c model.Config) *Training {
	t.Helper()
	o := model.Options{Float64: true}
	x := &Training{TB: t, stepped: New(t, s, c, o), plain: New(t, s, c, o)}
	var err error
	if x.Stepper, err = x.stepped.NewStepper(Optimiser(t, x.stepped)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Stepper.Close)
	x.adam = Optimiser(t, x.plain)
	return x
}

func (x *Training) step(b *data.Batch, key uint64) (want ops.StepOutcome) {
	x.Helper()
	b = Readable(x.plain, b)
	if err := x.Stepper.Submit(b, key); err != nil {
		x.Fatal(err)
	}
	var err error
	if want.Loss, err = x.plain.Backward(b, key); err == nil {
		want.Norm, err = x.adam.Step()
	}
	if err != nil {
		x.Fatal(err)
	}
	return want
}

// StepperBatches returns batches of two shapes of a stepper. The first two have the same shape.
func StepperBatches(t testing.TB) []*data.Batch {
	t.Helper()
	store := RandomStore(10, 60)
	return []*data.Batch{
		Joined(t, store, Task(0, 2, 2), Task(20, 2, 4)),
		Joined(t, store, Task(30, 2, 2), Task(20, 2, 4)),
		Joined(t, store, Task(0, 3, 4), Task(20, 3, 5), Task(40, 3, 3)),
	}
}

// Compare makes five steps both ways. Padding changes the shapes of matrix products
// and so their rounding; the tolerance is 1e-9 in float64.
func (x *Training) Compare() {
	x.Helper()
	batches := StepperBatches(x)
	var want []ops.StepOutcome
	for k, i := range []int{0, 1, 2, 0, 2} {
		want = append(want, x.step(batches[i], uint64(100+k)))
	}
	got, err := x.Stepper.Collect()
	if err != nil || len(got) != len(want) {
		x.Fatalf("%d outcomes, error %v; want %d", len(got), err, len(want))
	}
	for k := range want {
		Close(x, "loss", []float64{got[k].Loss}, []float64{want[k].Loss}, 1e-9)
		Close(x, "norm", []float64{got[k].Norm}, []float64{want[k].Norm}, 1e-9)
	}
	for i, p := range slices.Concat(x.stepped.Parameters(), x.stepped.Buffers()) {
		other := slices.Concat(x.plain.Parameters(), x.plain.Buffers())[i]
		Near(x, p.Name, Values(x, p), Values(x, other), 1e-9)
	}
}

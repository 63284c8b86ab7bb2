package model

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/ops"
)

// unable is a recorder that captures nothing.
type unable struct{ asked int }

func (u *unable) record(recording, func() error) (recording, error) {
	u.asked++
	return nil, errors.New("no graphs here")
}

// training is a model under a stepper, and the same model under Backward and
// Step.
type training struct {
	*testing.T
	stepper *Stepper
	stepped *Model
	plain   *Model
	adam    *ops.Adam
}

func newTraining(t *testing.T, c Config) *training {
	t.Helper()
	x := &training{T: t, stepped: newTest(t, c, true), plain: newTest(t, c, true)}
	var err error
	if x.stepper, err = x.stepped.NewStepper(optimiser(t, x.stepped)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.stepper.Close)
	x.adam = optimiser(t, x.plain)
	return x
}

// step makes a step both ways.
func (x *training) step(b *data.Batch, key uint64) (want ops.StepOutcome) {
	x.Helper()
	b = readable(x.plain, b)
	if err := x.stepper.Submit(b, key); err != nil {
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

// stepperBatches are of two shapes, the first two of one.
func stepperBatches(t *testing.T) []*data.Batch {
	t.Helper()
	store := randomStore(10, 60)
	batches := []*data.Batch{
		joined(t, store, task(0, 3, 4), task(20, 3, 6)),
		joined(t, store, task(30, 3, 4), task(20, 3, 6)),
		joined(t, store, task(0, 5, 8), task(20, 5, 10), task(40, 5, 6)),
	}
	if shapeOf(batches[0]) != shapeOf(batches[1]) || shapeOf(batches[0]) == shapeOf(batches[2]) {
		t.Fatal("the batches are not of the shapes that the test is about")
	}
	return batches
}

// compare makes five steps both ways. Padding changes the shapes of products,
// and these their rounding: 1e-9 leaves room for that in float64.
func (x *training) compare() {
	x.Helper()
	batches := stepperBatches(x.T)
	var want []ops.StepOutcome
	for k, i := range []int{0, 1, 2, 0, 2} {
		want = append(want, x.step(batches[i], uint64(100+k)))
	}
	got, err := x.stepper.Collect()
	if err != nil || len(got) != len(want) {
		x.Fatalf("%d outcomes, error %v; want %d", len(got), err, len(want))
	}
	check := comparison{x.T, 1e-9}
	for k := range want {
		check.close("loss", []float64{got[k].Loss}, []float64{want[k].Loss})
		check.close("norm", []float64{got[k].Norm}, []float64{want[k].Norm})
	}
	for i, p := range slices.Concat(x.stepped.Parameters(), x.stepped.Buffers()) {
		other := slices.Concat(x.plain.Parameters(), x.plain.Buffers())[i]
		near(x.T, p.Name, values(x.T, p), values(x.T, other), 1e-9)
	}
}

// TestStepperSteps compares steps from a slab, with padding and keys of dropout
// on the device, with steps of the batch itself, in two shapes of batches that
// alternate.
func TestStepperSteps(t *testing.T) {
	for _, preset := range []string{Paper, Reference} {
		t.Run(preset, func(t *testing.T) {
			emulated(t)
			newTraining(t, trainable(t, preset)).compare()
		})
	}
}

// TestStepperWithoutGraphs: where none can be captured, which is tried once, the
// steps are the same.
func TestStepperWithoutGraphs(t *testing.T) {
	emulated(t)
	x := newTraining(t, trainable(t, Reference))
	var u unable
	x.stepper.recorder = &u
	x.compare()
	if u.asked != 1 {
		t.Errorf("a graph was asked for %d times, want once", u.asked)
	}
}

// TestStepperForgetsPrograms: with room for one program, shapes that alternate
// make it anew every time, and the steps are the same.
func TestStepperForgetsPrograms(t *testing.T) {
	emulated(t)
	x := newTraining(t, trainable(t, Reference))
	x.stepper.most = 1
	x.compare()
	if n := len(x.stepper.programs); n != 1 {
		t.Errorf("%d programs are kept, want 1", n)
	}
}

// TestStepperHalts: a step whose loss is not finite changes nothing, nor do
// those after it that were submitted before anyone looked.
func TestStepperHalts(t *testing.T) {
	emulated(t)
	m := newTest(t, trainable(t, Reference), true)
	s, err := m.NewStepper(optimiser(t, m))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := stepperBatches(t)[0]
	submit := func() {
		t.Helper()
		if err := s.Submit(b, 1); err != nil {
			t.Fatal(err)
		}
	}
	submit()
	if _, err := s.Collect(); err != nil {
		t.Fatal(err)
	}
	last := m.Parameters()[len(m.Parameters())-1]
	good := values(t, last)
	if err := ops.Write(last.Tensor, []float64{math.NaN()}); err != nil {
		t.Fatal(err)
	}
	first := values(t, m.Parameters()[0])
	submit()
	if err := ops.Write(last.Tensor, good); err != nil {
		t.Fatal(err)
	}
	submit()
	submit()
	got, err := s.Collect()
	if err != nil || len(got) != 1 || got[0].Finite() {
		t.Errorf("outcomes %v, error %v; want one, which is not finite", got, err)
	}
	if !slices.Equal(first, values(t, m.Parameters()[0])) {
		t.Error("parameters changed")
	}
}

// near compares values, each within a tolerance.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*(1+math.Abs(want[i]))) {
			t.Errorf("%s: entry %d of %d is %v, want %v", what, i, len(want), got[i], want[i])
			return
		}
	}
}

func values(t *testing.T, p Parameter) []float64 {
	t.Helper()
	v, err := ops.ReadAs[float64](p.Tensor)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

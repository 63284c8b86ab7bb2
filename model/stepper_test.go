package model_test

import (
	"math"
	"slices"
	"testing"

	"pacia/model"
	"pacia/model/modeltest"
	"pacia/ops"
)

// trainable is a preset of moderate size, dropout and all.
func trainable(t *testing.T, preset string) model.Config {
	t.Helper()
	c := small(t, "pacia", preset, "relation.width=24", "hyper.dropout=0.1")
	c.Width, c.Dropout = 40, 0.5
	return c
}

func newTraining(t *testing.T, c model.Config) *modeltest.Training {
	t.Helper()
	return modeltest.NewTraining(t, specOf(t, c.Method), c)
}

// TestShapes: the batches of the tests below are of two shapes.
func TestShapes(t *testing.T) {
	b := modeltest.StepperBatches(t)
	if !model.SameShape(b[0], b[1]) || model.SameShape(b[0], b[2]) {
		t.Error("the batches are not of the shapes that the tests are about")
	}
}

// TestStepperSteps compares steps from a slab, with padding and keys of dropout
// on the device, with steps of the batch itself, in two shapes of batches that
// alternate.
func TestStepperSteps(t *testing.T) {
	for _, preset := range []string{model.Paper, model.Reference} {
		t.Run(preset, func(t *testing.T) {
			modeltest.Emulated(t)
			newTraining(t, trainable(t, preset)).Compare()
		})
	}
}

// TestStepperWithoutGraphs: where none can be captured, which is tried once, the
// steps are the same.
func TestStepperWithoutGraphs(t *testing.T) {
	modeltest.Emulated(t)
	x := newTraining(t, trainable(t, model.Reference))
	asked := x.Stepper.WithoutGraphs()
	x.Compare()
	if n := asked(); n != 1 {
		t.Errorf("a graph was asked for %d times, want once", n)
	}
}

// TestStepperForgetsPrograms: with room for one program, shapes that alternate
// make it anew every time, and the steps are the same.
func TestStepperForgetsPrograms(t *testing.T) {
	modeltest.Emulated(t)
	x := newTraining(t, trainable(t, model.Reference))
	x.Stepper.Keep(1)
	x.Compare()
	if n := x.Stepper.Programs(); n != 1 {
		t.Errorf("%d programs are kept, want 1", n)
	}
}

// TestStepperHalts: a step whose loss is not finite changes nothing, nor do
// those after it that were submitted before anyone looked.
func TestStepperHalts(t *testing.T) {
	modeltest.Emulated(t)
	m := newTest(t, trainable(t, model.Reference), model.Options{Float64: true})
	s, err := m.NewStepper(modeltest.Optimiser(t, m))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := modeltest.StepperBatches(t)[0]
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
	good := modeltest.Values(t, last)
	if err := ops.Write(last.Tensor, []float64{math.NaN()}); err != nil {
		t.Fatal(err)
	}
	first := modeltest.Values(t, m.Parameters()[0])
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
	if !slices.Equal(first, modeltest.Values(t, m.Parameters()[0])) {
		t.Error("parameters changed")
	}
}

package model_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pacia/cuda"
	"pacia/data"
	"pacia/data/category"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// trainable returns a preset of moderate size, with dropout.
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
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, preset := range []string{model.Paper, model.Reference} {
		t.Run(preset, func(t *testing.T) {
			modeltest.Emulated(t)
			newTraining(t, trainable(t, preset)).Compare()
		})
	}
}

// TestStepperWithoutGraphs: if no graph can be captured, the steps are the same. At most
// two attempts are made for each shape, none in its first step.
func TestStepperWithoutGraphs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Emulated(t)
	x := newTraining(t, trainable(t, model.Reference))
	tried := x.Stepper.WithoutGraphs()
	x.Compare()
	if n := tried(); n != 3 {
		t.Errorf("%d captures tried, want two for the three steps of one shape and one for the two of another", n)
	}
}

// submitted submits steps on batches of modeltest.StepperBatches to a stepper that gets its
// graphs from c and keeps the given number of programs. It returns the stepper and its error.
func submitted(t *testing.T, c *model.Captures, programs int, batches ...int) (*model.Stepper, error) {
	t.Helper()
	modeltest.Emulated(t)
	s := newTraining(t, trainable(t, model.Reference)).Stepper
	s.Capture(c)
	s.Keep(programs)
	all := modeltest.StepperBatches(t)
	for _, i := range batches {
		if err := s.Submit(all[i], 1); err != nil {
			return s, err
		}
	}
	return s, nil
}

// TestStepperTriesAgain: after a failed first capture of a shape, the second attempt may succeed.
func TestStepperTriesAgain(t *testing.T) {
	c := &model.Captures{Refused: []error{cuda.Classified(errors.New("CUDA out of memory"))}}
	s, err := submitted(t, c, 9, 0, 0, 1, 0)
	if err != nil || c.Tried != 2 || c.Played != 2 || s.Launches() != 123 {
		t.Errorf("error %v; %d captures tried, %d replays, a graph of %d; want 2, 2 and 123", err, c.Tried, c.Played, s.Launches())
	}
}

// TestStepperGivesUp: after six failed captures and no successful one, no more are tried.
func TestStepperGivesUp(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := &model.Captures{Refused: slices.Repeat([]error{errors.New("no graphs here")}, 100)}
	s, err := submitted(t, c, 1, 0, 0, 0, 0, 2, 2, 2, 0, 0, 0, 2, 2, 2)
	if err != nil || c.Tried != 6 || s.Launches() != 0 {
		t.Errorf("error %v; %d captures tried, want 6", err, c.Tried)
	}
}

// TestStepperReportsALostDevice: after a kernel has broken the device, the next call returns
// an error for a lost device, also if it is a capture or a replay.
func TestStepperReportsALostDevice(t *testing.T) {
	lost := cuda.Classified(errors.New("CUDA error: an illegal memory access was encountered"))
	for name, c := range map[string]*model.Captures{"capture": {Refused: []error{lost}}, "replay": {Replays: lost}} {
		if _, err := submitted(t, c, 9, 0, 0); !errors.Is(err, ops.ErrDeviceLost) {
			t.Errorf("%s: got %v, want that the device is lost", name, err)
		}
	}
}

// TestStepperForgetsPrograms: if only one program is kept, alternating shapes make a new
// one every time, and the steps are the same.
func TestStepperForgetsPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Emulated(t)
	x := newTraining(t, trainable(t, model.Reference))
	x.Stepper.Keep(1)
	x.Compare()
	if n := x.Stepper.Programs(); n != 1 {
		t.Errorf("%d programs are kept, want 1", n)
	}
}

// TestStepperHalts: a step with a loss that is not finite changes nothing, nor do later steps
// that were submitted before Collect.
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

// TestStepperChecksBatches: a batch that would make a kernel access memory out of bounds is
// refused before it is sent, with the errors of [ops.NewGraph].
func TestStepperChecksBatches(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Emulated(t)
	x := newTraining(t, trainable(t, model.Paper))
	x.Compare()
	for want, spoil := range map[string]func(*data.Batch){
		"atomic number": func(b *data.Batch) { b.Atoms = slices.Clone(b.Atoms); b.Atoms[0] = category.AtomicNumbers },
		"RowPtr":        func(b *data.Batch) { b.RowPtr = slices.Clone(b.RowPtr); b.RowPtr[1] = 1 << 20 },
		"bond 0 comes":  func(b *data.Batch) { b.Col = slices.Clone(b.Col); b.Col[0] = -1 },
		"bond 0 has":    func(b *data.Batch) { b.Bond = slices.Clone(b.Bond); b.Bond[0] = category.BondTypes },
	} {
		b := *modeltest.StepperBatches(t)[0]
		spoil(&b)
		modeltest.Fails(t, x.Stepper.Submit(&b, 1), "training step", want)
	}
}

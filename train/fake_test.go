package train

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"pacia/data"
	"pacia/evaluate"
	"pacia/model"
	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
)

const features = 16

// fake is a learner without tensors: logistic regression of the product of a
// molecule's counts of elements with the difference of the class means of its
// task's support, by gradient descent with momentum. Dropout multiplies the
// features. Its state depends on every number of every batch and on their order.
// It makes its steps as late as allowed: when they are collected.
type fake struct {
	w, gradient, momentum []float32 // [features]
	steps                 int64
	nanLossAt, nanNormAt  int64                   // updates before the one that goes wrong; 0: never
	ahead                 int                     // steps before they must be collected
	lost                  func(doing string) bool // reports whether the device is lost; nil: never
	submitted             []step
	atOnce                // makes the steps
}

func newFake(runconfig.Config, []int) (learner, error) { return fakeAhead(1), nil }

// fakeAhead returns a learner that accepts n steps before they are collected.
func fakeAhead(n int) *fake {
	f := &fake{w: make([]float32, features), momentum: make([]float32, features), gradient: make([]float32, features), ahead: n}
	f.atOnce = atOnce{model: f, optimiser: f}
	return f
}

func (f *fake) Ahead() int    { return f.ahead }
func (f *fake) Launches() int { return 0 }
func (f *fake) Close()        {}

func (f *fake) Averaged(g func() error) error { return g() }

func (f *fake) Submit(b *data.Batch, dropout uint64) error {
	f.submitted = append(f.submitted, step{Batch: b, Dropout: dropout})
	if len(f.submitted) > f.ahead {
		return fmt.Errorf("%d steps are submitted, %d are allowed", len(f.submitted), f.ahead)
	}
	return nil
}

func (f *fake) Collect() ([]ops.StepOutcome, error) {
	submitted := f.submitted
	f.submitted = nil
	if err := f.gone("steps"); err != nil {
		return nil, err
	}
	for _, s := range submitted {
		if err := f.atOnce.Submit(s.Batch, s.Dropout); err != nil {
			return nil, err
		}
	}
	return f.atOnce.Collect()
}

// gone returns the error of a lost device, or nil.
func (f *fake) gone(doing string) error {
	if f.lost == nil || !f.lost(doing) {
		return nil
	}
	return fmt.Errorf("CUDA error: unspecified launch failure: %w", ops.ErrDeviceLost)
}

// idle panics if the model is read while steps are under way.
func (f *fake) idle() {
	if len(f.submitted) > 0 {
		panic(fmt.Sprintf("the model is read while %d steps are under way", len(f.submitted)))
	}
}

// counts returns a molecule's share of each element, hashed to [features].
func counts(b *data.Batch, molecule int32) []float32 {
	f := make([]float32, features)
	first, end := b.MolPtr[molecule], b.MolPtr[molecule+1]
	for a := first; a < end; a++ {
		f[int(b.Atoms[2*a])%features] += 1 / float32(end-first)
	}
	return f
}

// contrast returns the mean of the active support molecules of a task minus
// the mean of the inactive ones.
func contrast(b *data.Batch, task int) []float32 {
	c := make([]float32, features)
	for i := task * b.Support; i < (task+1)*b.Support; i++ {
		sign := 2*float32(b.SupportLabel[i]) - 1
		for k, v := range counts(b, b.SupportMol[i]) {
			c[k] += sign * v / float32(b.Shots)
		}
	}
	return c
}

func (f *fake) Prepare(b *data.Batch) { b.Refine(1) }

func (f *fake) Backward(b *data.Batch, dropout uint64) (float64, error) {
	if len(b.Levels) != 2 {
		return 0, errors.New("the batch was not prepared")
	}
	if f.nanLossAt > 0 && f.steps == f.nanLossAt {
		return math.NaN(), nil
	}
	r := rand.New(rand.NewPCG(dropout, 0))
	var loss float64
	for q, molecule := range b.QueryMol {
		x, c := counts(b, molecule), contrast(b, int(b.QueryTask[q]))
		var z float32
		for k := range x {
			x[k] *= c[k] * float32(r.IntN(2))
			z += f.w[k] * x[k]
		}
		p := 1 / (1 + math.Exp(-float64(z)))
		loss -= math.Log(math.Abs(float64(1-b.QueryLabel[q]) - p))
		for k := range x {
			f.gradient[k] += float32(p-float64(b.QueryLabel[q])) * x[k]
		}
	}
	return loss / float64(len(b.QueryMol)), nil
}

func (f *fake) Step() (float64, error) {
	if f.nanNormAt > 0 && f.steps == f.nanNormAt {
		return 0, fmt.Errorf("gradient: %w", ops.ErrNotFinite)
	}
	var square float64
	for k, g := range f.gradient {
		square += float64(g) * float64(g)
		f.momentum[k] = 0.9*f.momentum[k] + g
		f.w[k] -= 0.1 * f.momentum[k]
		f.gradient[k] = 0
	}
	f.steps++
	return math.Sqrt(square), nil
}

func (f *fake) Adapt(b *data.Batch) (evaluate.Adapted, error) {
	f.idle()
	if err := f.gone("evaluation"); err != nil {
		return nil, err
	}
	if b.Tasks != 1 || len(b.QueryMol) != 0 {
		return nil, fmt.Errorf("%d tasks and %d queries in a support batch", b.Tasks, len(b.QueryMol))
	}
	return &fakeAdapted{contrast(b, 0), f.w}, nil
}

type fakeAdapted struct{ contrast, w []float32 }

func (a *fakeAdapted) Support() int { return 2 }

func (a *fakeAdapted) Device() ops.Device { return ops.CPU }

func (a *fakeAdapted) ScoreAll(b *data.Batch) (all model.Scored, err error) {
	for _, molecule := range b.QueryMol {
		var z float32
		for k, v := range counts(b, molecule) {
			z += (1 + a.w[k]) * v * a.contrast[k]
		}
		all = append(all, model.Score{Probability: 1 / (1 + float32(math.Exp(-float64(z))))})
	}
	return all, nil
}

func (a *fakeAdapted) Drop() {}

func (f *fake) State() []checkpoint.Variable {
	f.idle()
	of := func(name string, values []float32) checkpoint.Variable {
		return checkpoint.Variable{
			Name: name, Shape: []int64{features},
			Read:  func() ([]float32, error) { return slices.Clone(values), f.gone("save") },
			Write: func(v []float32) error { copy(values, v); return nil },
		}
	}
	return []checkpoint.Variable{of("w", f.w), of(checkpoint.OptimiserPrefix+"m.w", f.momentum)}
}

func (f *fake) Flush() error           { return nil }
func (f *fake) Complete() error        { return nil }
func (f *fake) StartFrom(string) error { return nil }

func (f *fake) Steps() int64 { return f.steps }
func (f *fake) SetSteps(n int64) error {
	f.steps = n
	return nil
}
func (f *fake) Parts() ([]model.PartCount, int) {
	return []model.PartCount{{Part: "all", Count: features}}, 3
}
func (f *fake) Tensors() int64 { return 0 }

func (f *fake) Drop() {
	if f.gone("drop") != nil {
		panic("tensors of a device that is lost are dropped")
	}
}

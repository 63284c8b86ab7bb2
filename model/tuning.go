package model

import (
	"errors"
	"fmt"
	"slices"

	"pacia/data"
	"pacia/ops"
	"pacia/params"
)

// Tuning is how a model is fine-tuned on a support set: gradient steps of Adam
// on all of its parameters. The yaml names are those of the settings below
// "train.finetune.".
type Tuning struct {
	Steps        int     `yaml:"steps" range:"0 100000" doc:"gradient steps on the support set of a task"`
	LearningRate float64 `yaml:"rate" range:"(0 10]" doc:"learning rate of these steps"`
}

// DefaultTuning is five steps, the most that the paper's comparison of
// adaptations makes.
var DefaultTuning = Tuning{Steps: 5, LearningRate: 1e-3}

// Check reports whether a model with these traits can be fine-tuned so.
func (t Tuning) Check(traits Traits) error {
	if traits.NeedsSteps && t.Steps == 0 {
		return errors.New("train.finetune.steps: 0 steps leave a test task's classifier as it was drawn; write 1 or more for this model.method")
	}
	return nil
}

// Tuner is a Method that adapts by gradient steps of its Loss on a copy of the
// model: so nothing has to be put back, and tasks that are adapted at the same
// time do not meet.
type Tuner interface {
	Method
	// Begin is called on the copy before its first step.
	Begin() error
	// Examples makes of a support set the batch of the steps.
	Examples(support *data.Batch) *data.Batch
}

// Tune says how Adapt fine-tunes from now on. Before the first call it makes no
// steps. Only methods that tune heed it.
func (m *Model) Tune(t Tuning) { m.tuning = t }

// siteTuning is where the keys of fine-tuning begin: its steps take the same
// masks in every task and every process.
const siteTuning = 1 << 20

// tuned makes the steps on a copy, which a owns from then on. Where no steps are
// to be made, the model as it is serves the task.
func (m *Model) tuned(support *data.Batch, a *Adapted) error {
	if !m.spec.Traits.Tunes || m.tuning.Steps == 0 && !m.spec.Traits.NeedsSteps {
		return nil
	}
	if err := m.tuning.Check(m.spec.Traits); err != nil {
		return err
	}
	own, err := m.copy()
	if err != nil {
		return fmt.Errorf("copying the model: %w", err)
	}
	a.model = own
	a.kept.Own(own.Drop)
	tuner := own.method.(Tuner)
	if err := tuner.Begin(); err != nil {
		return err
	}
	return own.descend(tuner.Examples(support), m.tuning)
}

// copy returns a model with the same parameters and running averages, without
// those that only training needs, which is not fine-tuned further.
func (m *Model) copy() (*Model, error) {
	c, err := newModel(m.spec, m.config, &params.Set{Device: m.set.Device, Float64: m.set.Float64, Seed: m.set.Seed}, nil)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(copyAll(c.Parameters(), m.Parameters()), copyAll(c.Buffers(), m.Buffers())); err != nil {
		c.Drop()
		return nil, err
	}
	return c, nil
}

// copyAll copies those of from that to has.
func copyAll(to, from []Parameter) error {
	for _, p := range to {
		i := slices.IndexFunc(from, func(f Parameter) bool { return f.Name == p.Name })
		if i < 0 {
			return fmt.Errorf("the model has no %s", p.Name)
		}
		values, err := ops.ReadAs[float64](from[i].Tensor)
		if err == nil {
			err = ops.Write(p.Tensor, values)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}

// descend makes the steps.
func (m *Model) descend(b *data.Batch, t Tuning) error {
	tensors := params.Tensors(m.Parameters())
	adam, err := ops.NewAdam(tensors, ops.AdamOptions{LR: t.LearningRate})
	if err != nil {
		return err
	}
	defer adam.Drop()
	for i := range t.Steps {
		_, err := m.Backward(b, ops.Mode{Key: m.set.Seed}.Site(siteTuning+uint64(i)).Key)
		if err == nil {
			_, err = adam.Step()
		}
		switch {
		case errors.Is(err, ops.ErrNotFinite):
			return fmt.Errorf("fine-tuning, step %d of %d: %w; write a smaller train.finetune.rate than %v", i+1, t.Steps, err, t.LearningRate)
		case err != nil:
			return fmt.Errorf("fine-tuning, step %d of %d: %w", i+1, t.Steps, err)
		}
	}
	return ops.ForgetGradients(tensors)
}

// AsQueries joins a support set with its own molecules as queries: what an
// episode with such queries would be assembled to.
func AsQueries(s *data.Batch) *data.Batch {
	n, atoms := int32(len(s.MolPtr)-1), s.MolPtr[len(s.MolPtr)-1]
	b := &data.Batch{
		Tasks: 1, Support: s.Support, Shots: s.Shots, TaskNumber: s.TaskNumber,
		Atoms: slices.Concat(s.Atoms, s.Atoms), Features: slices.Concat(s.Features, s.Features), Bond: slices.Concat(s.Bond, s.Bond),
		RowPtr: slices.Concat(s.RowPtr, plus(s.RowPtr[1:], int32(len(s.Col)))),
		Col:    slices.Concat(s.Col, plus(s.Col, atoms)),
		MolPtr: slices.Concat(s.MolPtr, plus(s.MolPtr[1:], atoms)),

		GroupPtr:   []int32{0, atoms, 2 * atoms},
		SupportMol: s.SupportMol, SupportLabel: s.SupportLabel,
		QueryMol: plus(s.SupportMol, n), QueryLabel: s.SupportLabel, QueryTask: make([]int32, s.Support),
	}
	if f := &s.Fingerprints; f.Len() > 0 {
		b.Fingerprints = data.Fingerprints{
			Ptr: slices.Concat(f.Ptr, plus(f.Ptr[1:], int32(len(f.Bit)))),
			Bit: slices.Concat(f.Bit, f.Bit), Count: slices.Concat(f.Count, f.Count),
		}
	}
	b.Descriptors = slices.Concat(s.Descriptors, s.Descriptors)
	return b
}

func plus(x []int32, n int32) []int32 {
	y := make([]int32, len(x))
	for i, v := range x {
		y[i] = v + n
	}
	return y
}

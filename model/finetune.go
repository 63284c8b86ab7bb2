package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/ops"
	"pacia/params"
)

// Tuning is how a model is fine-tuned on a support set, by gradient steps of
// Adam on all of its parameters: the settings below "train.finetune.".
type Tuning struct {
	Steps        int     `yaml:"steps" doc:"gradient steps on the support set" range:"0 100000"`
	LearningRate float64 `yaml:"rate" doc:"step size of Adam" range:"(0 10]"`
}

// DefaultTuning is five steps, the most that the paper's comparison of
// adaptations makes.
var DefaultTuning = Tuning{Steps: 5, LearningRate: 1e-3}

// Check reports whether a model of this method can be fine-tuned so.
func (t Tuning) Check(method string) error {
	if method == Multitask && t.Steps == 0 {
		return errors.New("train.finetune.steps: 0 steps leave a test task's classifier as it was drawn; write 1 or more for model.method=multitask")
	}
	return nil
}

// Tune says how Adapt fine-tunes from now on. Before the first call it makes no
// steps. A model of method pacia is never fine-tuned.
func (m *Model) Tune(t Tuning) { m.tuning = t }

// checkMethod reports settings that do not go with the method.
func (c Config) checkMethod() error {
	if c.Method != PACIA && (c.Adapt != AdaptConfig{"none", "none"}) {
		return fmt.Errorf("model.method: %s has no hypernetworks; write model.adapt.encoder=none and model.adapt.predictor=none", c.Method)
	}
	return nil
}

// siteTuning is where the keys of fine-tuning begin: its steps take the same
// masks in every task and every process.
const siteTuning = 1 << 20

// fineTune adapts by gradient steps. It returns nothing where none are to be
// made and the model as it is serves the task. The steps change a copy of the
// model, which the adapted model owns: so nothing has to be put back, and tasks
// that are adapted at the same time do not meet.
func (m *Model) fineTune(support *data.Batch) (_ *Adapted, err error) {
	if m.config.Method != Multitask && m.tuning.Steps == 0 {
		return nil, nil
	}
	if err := m.tuning.Check(m.config.Method); err != nil {
		return nil, err
	}
	own, err := m.copy()
	if err != nil {
		return nil, fmt.Errorf("adapt: copying the model: %w", err)
	}
	defer func() {
		if err != nil {
			own.Drop()
		}
	}()
	batch, adapt := support, own.Adapt
	if m.config.Method == Multitask {
		if err := own.addHeads(nil, 1); err != nil {
			return nil, fmt.Errorf("adapt: %w", err)
		}
		adapt = own.statistics
	} else {
		batch = asQueries(support)
	}
	if err := own.descend(batch, m.tuning); err != nil {
		return nil, err
	}
	a, err := adapt(support)
	if err != nil {
		return nil, err
	}
	a.own = own
	return a, nil
}

// tuned is the number of parameters that fine-tuning adapts: all, where of the
// classifiers of a multitask model only a test task's own counts.
func (m *Model) tuned() int {
	n := 0
	for _, p := range m.Parameters() {
		if p.Part != partHeads {
			n += p.Size()
		}
	}
	if m.config.Method == Multitask {
		n += 2 * (m.layout.readout.Width() + 1)
	}
	return n
}

// copy returns a model with the same parameters and running averages, without
// the classifiers of training tasks, which is not fine-tuned further.
func (m *Model) copy() (*Model, error) {
	c := *m
	c.set = &params.Set{Device: m.set.Device, Float64: m.set.Float64, Seed: m.set.Seed}
	c.tuning, c.heads = Tuning{}, nil
	var err error
	if c.layout, err = newLayout(c.set, c.config); err == nil {
		err = errors.Join(copyAll(c.Parameters(), m.Parameters()), copyAll(c.Buffers(), m.Buffers()))
	}
	if err != nil {
		c.Drop()
		return nil, err
	}
	return &c, nil
}

// copyAll copies the first of the tensors from.
func copyAll(to, from []Parameter) error {
	for i, p := range to {
		var err error
		if from[i].Name != p.Name {
			return fmt.Errorf("%s in the place of %s", from[i].Name, p.Name)
		}
		if values, failed := ops.ReadAs[float64](from[i].Tensor); failed != nil {
			err = failed
		} else {
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
	var tensors []*ts.Tensor
	for _, p := range m.Parameters() {
		tensors = append(tensors, p.Tensor)
	}
	adam, err := ops.NewAdam(tensors, ops.AdamOptions{LR: t.LearningRate, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8})
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

// asQueries joins a support set with its own molecules as queries: what an
// episode with such queries would be assembled to.
func asQueries(s *data.Batch) *data.Batch {
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
	return b
}

func plus(x []int32, n int32) []int32 {
	y := make([]int32, len(x))
	for i, v := range x {
		y[i] = v + n
	}
	return y
}

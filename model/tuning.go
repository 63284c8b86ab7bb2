package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pacia/data"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/ops"
)

// Tuning holds the settings of fine-tuning on a support set: gradient steps of Adam
// on all parameters. The yaml names are those of the settings below
// "train.finetune.".
type Tuning struct {
	Steps        int     `yaml:"steps" range:"0 100000" doc:"gradient steps on the support set of a task"`
	LearningRate float64 `yaml:"rate" range:"(0 10]" doc:"learning rate of these steps"`
	WarmUp       int     `yaml:"warm_up" range:"0 100000" zero:"none" doc:"steps over which that rate rises from 0"`
	ClipNorm     float64 `yaml:"clip_norm" range:"0 1e9" zero:"no limit" doc:"largest norm of the gradient; larger ones are scaled down"`
	Held         float64 `yaml:"held" range:"[0 0.5]" doc:"share of the support set, stratified, held out to choose the best step; 0, or a class of one molecule: the last step"`
	Patience     int     `yaml:"patience" range:"0 100000" zero:"never" doc:"steps without a lower loss on the held-out share before stopping"`
}

// Rate returns the learning rate of step i, counted from 0. The first step of a warm-up
// has rate 0 and changes only the moments, as in FS-Mol's benchmark.
func (t Tuning) Rate(i int) float64 {
	if i < t.WarmUp {
		return t.LearningRate * float64(i) / float64(t.WarmUp)
	}
	return t.LearningRate
}

// DefaultTuning has five steps, the largest number in the paper's comparison of
// adaptations.
var DefaultTuning = Tuning{Steps: 5, LearningRate: 1e-3}

// Check returns an error if a model with these traits cannot be fine-tuned in this way.
func (t Tuning) Check(traits Traits) error {
	if t.Patience > 0 && t.Held == 0 {
		return errors.New("train.finetune.patience: nothing is held out to measure; write train.finetune.held=0.2, or 0")
	}
	if traits.NeedsSteps && t.Steps == 0 {
		return errors.New("train.finetune.steps: 0 steps leave a test task's classifier as it was drawn; write 1 or more for this model.method")
	}
	return nil
}

// Optimiser makes gradient steps on parameters, with the gradients stored in the parameters.
type Optimiser interface {
	// Rate sets the learning rate of later steps.
	Rate(float64)
	// Step changes the parameters and clears their gradients. It returns the norm of
	// the gradients before clipping.
	Step() (norm float64, err error)
	Drop()
}

// Tune sets how Adapt fine-tunes. Before the first call it makes no steps. Tune affects
// only methods that tune.
func (m *Model) Tune(t Tuning) { m.tuning = t }

// siteTuning is the first key of fine-tuning. Its steps have the same dropout masks in
// every task and every process.
const siteTuning = 1 << 20

// tuned makes the steps on a copy, which a then owns. Without steps, a keeps the model
// itself.
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
	a.scope.Own(own.Drop)
	tuner := own.method.(Tuner)
	if err := tuner.Begin(); err != nil {
		return err
	}
	return own.descend(support, m.tuning)
}

// copy returns a model with the same parameters, running averages and memory, without
// the parts for training only. The copy is not fine-tuned again.
func (m *Model) copy() (*Model, error) { return m.copyIn(m.set.Float64) }

// copyIn is copy in double precision, or in single.
func (m *Model) copyIn(double bool) (*Model, error) {
	c, err := newModel(m.spec, m.config, &params.Set{Device: m.set.Device, Float64: double, Seed: m.set.Seed}, nil)
	if err != nil {
		return nil, err
	}
	shapes := map[string][]int64{}
	for _, b := range m.Buffers() {
		if strings.HasPrefix(b.Name, MemoryPrefix) {
			shapes[b.Name] = b.Shape
		}
	}
	if err = c.Room(shapes); err == nil {
		err = errors.Join(copyAll(c.Parameters(), m.Parameters()), copyAll(c.Buffers(), m.Buffers()))
	}
	if err != nil {
		c.Drop()
		return nil, err
	}
	return c, nil
}

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

// AsQueries returns the batch of an episode with the support molecules also as queries.
func AsQueries(s *data.Batch) *data.Batch {
	n, atoms := int32(len(s.MolPtr)-1), s.MolPtr[len(s.MolPtr)-1]
	b := &data.Batch{
		Tasks: 1, Support: s.Support, Shots: s.Shots, TaskNumber: s.TaskNumber,
		GroupPtr:   []int32{0, atoms, 2 * atoms},
		SupportMol: s.SupportMol, SupportLabel: s.SupportLabel,
		QueryMol: plus(s.SupportMol, n), QueryLabel: s.SupportLabel, QueryTask: make([]int32, s.Support),
	}
	b.Inputs.Reset()
	for m := range 2 * n {
		b.AddFrom(&s.Inputs, m%n)
	}
	return b
}

func plus(x []int32, n int32) []int32 {
	return each.Of(x, func(v int32) int32 { return v + n })
}

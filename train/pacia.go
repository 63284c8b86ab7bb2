package train

import (
	"fmt"
	"runtime"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/model"
	"pacia/ops"
)

// The other numbers of Adam are those of its authors (Kingma and Ba 2015),
// which the paper and the published code keep.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// Pinned runs f with the calling goroutine on one OS thread: libtorch keeps a
// pool of threads for each thread that calls it. threads of 0 are all cores.
// All work on tensors, whose own functions do not do this, belongs in f.
func Pinned(threads int, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if threads == 0 {
		threads = runtime.NumCPU()
	}
	ops.SetThreads(threads)
	return f()
}

// Load reads the model of a checkpoint onto a device, for evaluation and
// prediction. It must be called from within Pinned; the caller drops the model.
// A checkpoint that cannot be used is a *fault.Error.
func Load(path, device string) (*model.Model, Meta, error) {
	c, err := open(path)
	if err != nil {
		return nil, Meta{}, err
	}
	defer c.Close()
	cfg := c.Config.Model
	cfg.Pretrained = "" // its weights are in the checkpoint, as trained since
	m, err := model.New(cfg, c.Config.Seed, device)
	if err != nil {
		return nil, Meta{}, err
	}
	if err := c.restore(modelState(m)); err != nil {
		m.Drop()
		return nil, Meta{}, err
	}
	m.Tune(c.Config.Train.FineTune)
	return m, c.Meta, nil
}

// pacia is the learner of a run.
type pacia struct {
	*model.Model
	*ops.Adam
	stepper
}

// newPacia makes a learner, but for what a multitask one makes in setTasks.

func newPacia(c RunConfig) (learner, error) {
	m, err := model.New(c.Model, c.Seed, c.Device)
	if err != nil {
		return nil, err
	}
	if c.Model.Pretrained != "" {
		if err := startFrom(c.Model.Pretrained, m); err != nil {
			m.Drop()
			return nil, err
		}
	}
	m.Tune(c.Train.FineTune)
	if c.Model.Method == model.Multitask {
		return &multitask{pacia: pacia{Model: m}, config: c}, nil
	}
	p := &pacia{Model: m}
	if err := p.optimise(c); err != nil {
		p.Drop()
		return nil, err
	}
	return p, nil
}

// optimise makes the optimiser of the model's parameters, and what makes its
// steps.
func (p *pacia) optimise(c RunConfig) error {
	var params []*ts.Tensor
	for _, p := range p.Parameters() {
		params = append(params, p.Tensor)
	}
	adam, err := ops.NewAdam(params, ops.AdamOptions{
		LR: c.Train.LearningRate, Beta1: beta1, Beta2: beta2, Eps: epsilon,
		WeightDecay: c.Train.WeightDecay, Decoupled: c.Train.Optimizer == AdamW, ClipNorm: c.Train.ClipNorm,
	})
	if err != nil {
		return err
	}
	p.Adam = adam
	p.stepper, err = newStepper(p.Model, adam, c.Device)
	return err
}

// newStepper returns what makes the steps on the model's device. The steps of a
// multitask model are launched kernel by kernel.
func newStepper(m *model.Model, adam *ops.Adam, device string) (stepper, error) {
	if device == cpu || m.Config().Method == model.Multitask {
		return &atOnce{model: m, optimiser: adam}, nil
	}
	s, err := m.NewStepper(adam)
	if err != nil {
		return nil, err
	}
	return onDevice{s}, nil
}

func (p *pacia) Adapt(support *data.Batch) (adapted, error) { return adapt(p.Model, support) }

// State lists parameters, running averages and the moments of Adam.
func (p *pacia) State() []variable {
	state := modelState(p.Model)
	m, v := p.Adam.State()
	for i, param := range p.Parameters() {
		first, second := param, param
		first.Name, first.Tensor = optimiserPrefix+"m."+param.Name, m[i]
		second.Name, second.Tensor = optimiserPrefix+"v."+param.Name, v[i]
		state = append(state, asVariable(first), asVariable(second))
	}
	return state
}

func (p *pacia) Parts() (parts []PartCount, adaptive int) {
	for _, c := range p.Counts() {
		parts = append(parts, PartCount(c))
	}
	return parts, p.Adaptive()
}

func (p *pacia) Tensors() int64 { return ops.TensorsMade() }

func (p *pacia) Drop() {
	if p.stepper != nil {
		p.Close()
	}
	if p.Adam != nil {
		p.Adam.Drop()
	}
	p.Model.Drop()
}

// modelState lists the parameters and running averages of a model.
func modelState(m *model.Model) []variable {
	var state []variable
	for _, list := range [][]model.Parameter{m.Parameters(), m.Buffers()} {
		for _, p := range list {
			state = append(state, asVariable(p))
		}
	}
	return state
}

func asVariable(p model.Parameter) variable {
	return variable{
		Name: p.Name, Shape: p.Shape,
		Read: func() ([]float32, error) { return ops.Read(p.Tensor) },
		Write: func(values []float32) error {
			if len(values) != p.Size() {
				return fmt.Errorf("%d values for shape %v", len(values), p.Shape)
			}
			return ops.Write(p.Tensor, values)
		},
	}
}

// ranker is a model adapted to one task.
type ranker struct {
	*model.Adapted
	model *model.Model
}

func adapt(m *model.Model, support *data.Batch) (adapted, error) {
	a, err := m.Adapt(support)
	if err != nil {
		return nil, err
	}
	return ranker{a, m}, nil
}

func (r ranker) Device() ops.Device { return r.model.Device() }

func (r ranker) Prepare(queries *data.Batch) { r.model.Prepare(queries) }

func (r ranker) Score(queries *data.Batch) ([]float32, []int32, error) {
	return r.model.Score(r.Adapted, queries)
}

package train

import (
	"fmt"
	"runtime"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/runconfig"
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
	m, err := methods.New(cfg, model.Options{Seed: c.Config.Seed, Device: device})
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

// trainee is the learner of a run: a model and its optimiser.
type trainee struct {
	*model.Model
	*ops.Adam
	stepper
}

// newTrainee makes the learner of these training tasks.
func newTrainee(c runconfig.Config, tasks []int) (learner, error) {
	m, err := methods.New(c.Model, model.Options{Seed: c.Seed, Device: c.Device, Tasks: tasks})
	if err != nil {
		return nil, err
	}
	t := &trainee{Model: m}
	if c.Model.Pretrained != "" {
		err = startFrom(c.Model.Pretrained, m)
	}
	if err == nil {
		m.Tune(c.Train.FineTune)
		err = t.optimise(c)
	}
	if err != nil {
		t.Drop()
		return nil, err
	}
	return t, nil
}

// optimise makes the optimiser of the model's parameters, and what makes its
// steps.
func (t *trainee) optimise(c runconfig.Config) error {
	var params []*ts.Tensor
	for _, p := range t.Parameters() {
		params = append(params, p.Tensor)
	}
	adam, err := ops.NewAdam(params, ops.AdamOptions{
		LR:          c.Train.LearningRate,
		WeightDecay: c.Train.WeightDecay, Decoupled: c.Train.Optimizer == runconfig.AdamW, ClipNorm: c.Train.ClipNorm,
	})
	if err != nil {
		return err
	}
	t.Adam = adam
	if c.Device == runconfig.CPU || t.Traits().ReadsHost {
		t.stepper = &atOnce{model: t.Model, optimiser: adam}
		return nil
	}
	s, err := t.NewStepper(adam)
	if err == nil {
		t.stepper = onDevice{s}
	}
	return err
}

func (t *trainee) Adapt(support *data.Batch) (adapted, error) { return adapt(t.Model, support) }

func adapt(m *model.Model, support *data.Batch) (adapted, error) {
	a, err := m.Adapt(support)
	if err != nil {
		return nil, err // and no interface that holds a nil pointer
	}
	return a, nil
}

// State lists parameters, running averages and the moments of Adam.
func (t *trainee) State() []variable {
	state := modelState(t.Model)
	m, v := t.Adam.State()
	for i, param := range t.Parameters() {
		first, second := param, param
		first.Name, first.Tensor = optimiserPrefix+"m."+param.Name, m[i]
		second.Name, second.Tensor = optimiserPrefix+"v."+param.Name, v[i]
		state = append(state, asVariable(first), asVariable(second))
	}
	return state
}

func (t *trainee) Parts() (parts []model.PartCount, adaptive int) {
	return t.Counts(), t.Adaptive()
}

func (t *trainee) Tensors() int64 { return ops.TensorsMade() }

func (t *trainee) Drop() {
	if t.stepper != nil {
		t.Close()
	}
	if t.Adam != nil {
		t.Adam.Drop()
	}
	t.Model.Drop()
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

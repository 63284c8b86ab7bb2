package train

import (
	"pacia/data"
	"pacia/evaluate"
	"pacia/gnn/params"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
)

// trainee is the learner of a run: a model and its optimiser.
type trainee struct {
	*model.Model
	*ops.Adam
	stepper
	average *average
	behind  bool // steps were made since the last Flush
}

// newTrainee makes a model with random weights, or with those of train.init. The encoder of
// model.pretrained is up to the caller.
func newTrainee(c runconfig.Config, tasks []int) (learner, error) {
	m, err := methods.New(c.Model, model.Options{Seed: c.Seed, Device: c.Device, Tasks: tasks})
	if err != nil {
		return nil, err
	}
	t := &trainee{Model: m}
	if c.Train.Init != "" {
		err = checkpoint.Initialise(c.Train.Init, m)
	}
	if err == nil {
		m.Tune(c.Train.FineTune)
		err = t.optimise(c, len(tasks))
	}
	if err == nil {
		t.average, err = newAverage(m, c.Train.Average)
	}
	if err != nil {
		t.Drop()
		return nil, err
	}
	return t, nil
}

// optimise makes the optimiser of the model's parameters and the stepper, for a run
// on the given number of training tasks.
func (t *trainee) optimise(c runconfig.Config, tasks int) error {
	adam, err := ops.NewAdam(params.Tensors(t.Parameters()), ops.AdamOptions{
		LR:          c.Train.LearningRate,
		WeightDecay: c.Train.WeightDecay, Decoupled: c.Train.Optimizer == runconfig.AdamW, ClipNorm: c.Train.ClipNorm,
		Schedule: c.Train.RateSchedule(tasks),
	})
	if err != nil {
		return err
	}
	t.Adam = adam
	if err := t.ParamGroups(adam); err != nil {
		return err
	}
	if c.Device == runconfig.CPU || t.Traits().ReadsHost {
		t.stepper = &atOnce{model: t.Model, optimiser: adam}
		if c.Device == runconfig.CPU {
			return t.Model.LazyRows(adam)
		}
		return nil
	}
	s, err := t.NewStepper(adam)
	if err == nil {
		t.stepper = s
	}
	return err
}

// StartFrom copies the encoder of a file to the model.
func (t *trainee) StartFrom(path string) error { return checkpoint.StartFrom(path, t.Model) }

// Submit starts a step. Flush is needed before the model is read.
func (t *trainee) Submit(b *data.Batch, dropout uint64) error {
	t.behind = true
	if err := t.stepper.Submit(b, dropout); err != nil {
		return err
	}
	return t.average.countStep(t.Adam)
}

// SetSteps continues after n steps.
func (t *trainee) SetSteps(n int64) error {
	if t.average != nil {
		t.average.steps = n
	}
	return t.Adam.SetSteps(n)
}

// Averaged calls f while the model has the average of its weights, where one is kept.
func (t *trainee) Averaged(f func() error) error {
	if t.average == nil {
		return f()
	}
	if err := t.Flush(); err != nil {
		return err
	}
	// Values that the model derives from its parameters are recomputed for the average, and after it.
	t.behind = true
	defer func() { t.behind = true }()
	return t.average.inPlace(f)
}

// Flush applies deferred updates and recomputes what the model derives from its parameters.
func (t *trainee) Flush() error {
	if !t.behind {
		return nil
	}
	t.behind = false
	if err := t.Adam.Flush(); err != nil {
		return err
	}
	return t.Model.Flush()
}

// Complete brings everything that State lists up to date.
func (t *trainee) Complete() error {
	if err := t.Flush(); err != nil || t.average == nil {
		return err
	}
	return t.average.refresh(t.Model)
}

func (t *trainee) Adapt(support *data.Batch) (evaluate.Adapted, error) {
	if err := t.Flush(); err != nil {
		return nil, err
	}
	return evaluate.AdapterOf(t.Model)(support)
}

// State lists parameters, running averages, the moments of Adam, and the average of the weights.
func (t *trainee) State() []checkpoint.Variable {
	state := checkpoint.VariablesOf(t.Model)
	m, v := t.Adam.State()
	for i, param := range t.Parameters() {
		state = append(state, checkpoint.Moments(param, m[i], v[i])...)
	}
	return append(state, t.average.variables()...)
}

func (t *trainee) Parts() (parts []model.PartCount, adaptive int) { return t.Counts(), t.Adaptive() }

func (t *trainee) Tensors() int64 { return ops.TensorsMade() }

func (t *trainee) Drop() {
	if t.stepper != nil {
		t.Close()
	}
	if t.Adam != nil {
		t.Adam.Drop()
	}
	t.average.drop()
	t.Model.Drop()
}

package pacia

import (
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// config is a model's configuration with typed settings of PACIA.
type config struct {
	model.Config
	Settings
}

// whole returns the model's configuration.
func (c config) whole() model.Config {
	c.Own = c.Settings
	return c.Config
}

// full returns an unchanged preset.
func full(t *testing.T, preset string) config {
	t.Helper()
	c, err := model.ForPreset(preset)
	if err != nil {
		t.Fatal(err)
	}
	c.Method = Spec.Name
	return config{c, ForPreset(preset).(Settings)}
}

// small returns a preset with narrow layers and no dropout.
func small(t *testing.T, preset string) config {
	t.Helper()
	c := config{modeltest.Small(t, Spec, preset), ForPreset(preset).(Settings)}
	c.Hyper.Dropout, c.Relation.Layers, c.Relation.Width = 0, 3, 5
	return c
}

// newTest makes a model that is dropped at the end.
func newTest(t *testing.T, c config, float64s bool) *model.Model {
	t.Helper()
	return modeltest.New(t, Spec, c.whole(), model.Options{Float64: float64s})
}

// probe is a method with access to its internals, for tests.
type probe struct {
	*pacia
	model *model.Model
	mode  *ops.Mode // mode of the passes of Loss; nil: the given one
}

func (p *probe) Loss(b *model.Batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	if p.mode != nil {
		m = *p.mode
	}
	return p.pacia.Loss(b, m, s)
}

// newProbe makes a model that is dropped at the end, and its probe.
func newProbe(t *testing.T, c config, float64s bool) *probe {
	t.Helper()
	p, spec := new(probe), Spec
	spec.New = func(b *model.Body, c model.Config, _ []int) (_ model.Method, err error) {
		p.pacia, err = newPacia(b, c)
		return p, err
	}
	p.model = modeltest.New(t, spec, c.whole(), model.Options{Float64: float64s})
	return p
}

// pass runs forward and backward on a batch, in training or in evaluation mode,
// without dropout's key, and returns the loss and every stage.
func (p *probe) pass(t *testing.T, b *data.Batch, m ops.Mode) (float64, *trace) {
	t.Helper()
	p.mode, p.trace = &m, new(trace)
	defer func() { p.mode, p.trace = nil, nil }()
	loss, err := p.model.Backward(modeltest.Readable(p.model, b), 0)
	if err != nil || p.trace.Err != nil {
		t.Fatal(err, p.trace.Err)
	}
	return loss, p.trace
}

package model

import (
	"github.com/sugarme/gotch/ts"

	"pacia/ops"
	"pacia/params"
)

// Parameter is one named tensor of a model.
type Parameter = params.Parameter

// Model is PACIA with its parameters on one device. It belongs to one locked
// OS thread.
type Model struct {
	config Config
	set    *params.Set
	layout *layout
	// kernels says that operations are kernels of package cuda.
	kernels bool
	tuning  Tuning
	heads   *heads // of the tasks of a multitask model, or nil
}

// New initialises a model from a seed on a device: cpu, cuda or cuda:N.
func New(c Config, seed uint64, device string) (*Model, error) {
	return newModel(c, seed, device, false)
}

func newModel(c Config, seed uint64, device string, float64s bool) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	d, err := ops.ParseDevice(device)
	if err != nil {
		return nil, err
	}
	m := &Model{config: c, set: &params.Set{Device: d, Float64: float64s, Seed: seed}, kernels: d != ops.CPU || ops.Emulating()}
	if m.layout, err = newLayout(m.set, c); err != nil {
		m.Drop()
		return nil, err
	}
	return m, nil
}

// Drop releases the parameters.
func (m *Model) Drop() { m.set.Drop() }

// Config returns the configuration that the model was made from.
func (m *Model) Config() Config { return m.config }

// Parameters returns what is trained, in a fixed order.
func (m *Model) Parameters() []Parameter { return m.set.Trained() }

// Buffers returns what is kept but not trained: the running averages of the
// batch norms.
func (m *Model) Buffers() []Parameter { return m.set.Buffers() }

// PartCount is the number of parameters of one part of the model.
type PartCount struct {
	Part  string `json:"part"`
	Count int    `json:"count"`
}

// Counts returns the parameters by part, in the order of the data's way.
func (m *Model) Counts() []PartCount {
	var counts []PartCount
	for _, p := range m.Parameters() {
		if n := len(counts); n == 0 || counts[n-1].Part != p.Part {
			counts = append(counts, PartCount{Part: p.Part})
		}
		counts[len(counts)-1].Count += p.Size()
	}
	return counts
}

// Adaptive is the number of adaptive parameters of one task: what the
// encoder's hypernetworks give for its L_enc layers. The predictor's come on
// top of them for each query. Fine-tuning adapts all parameters.
func (m *Model) Adaptive() int {
	if m.config.Method != PACIA {
		return m.tuned()
	}
	return m.config.Layers * outputs(m.config.Adapt.Encoder, m.config.Width)
}

// scope collects the tensors of one pass and drops them together.
type scope struct{ tensors []*ts.Tensor }

func (s *scope) drop() {
	ops.Drop(s.tensors...)
	s.tensors = nil
}

// keep hands a tensor to the scope on its way through.
func (s *scope) keep(t *ts.Tensor, err error) (*ts.Tensor, error) {
	if err == nil && t != nil {
		s.tensors = append(s.tensors, t)
	}
	return t, err
}

package model

import (
	"pacia/gnn/params"
	"pacia/model/shared/past"
	"pacia/ops"
)

// Parameter is one named tensor of a model.
type Parameter = params.Parameter

// Model is a method with its parameters on one device. It belongs to one locked
// OS thread.
type Model struct {
	spec   Spec
	config Config
	set    *params.Set
	body   *Body
	method Method
	tuning Tuning
	ranks  *ranks // of descriptors; nil if the encoder reads none

	recalls bool         // past assays of a user; see Recall
	past    *past.Memory // that its file holds; nil: none

	cache soleCache
}

// Options are the options of New.
type Options struct {
	Seed    uint64
	Device  string // cpu, cuda or cuda:N
	Tasks   []int  // numbers of the training tasks; nil if the model will not be trained
	Float64 bool   // for tests; training is in float32

	// Fits is called for each parameter before its memory is allocated. An error of Fits ends
	// New. nil: no check.
	Fits func(name string, shape []int64) error
}

// New initialises a model of the method spec.
func New(spec Spec, c Config, o Options) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	d, err := ops.ParseDevice(o.Device)
	if err != nil {
		return nil, err
	}
	return newModel(spec, c, &params.Set{Device: d, Float64: o.Float64, Seed: o.Seed, Fits: o.Fits}, o.Tasks)
}

func newModel(spec Spec, c Config, set *params.Set, tasks []int) (*Model, error) {
	m := &Model{spec: spec, config: c, set: set}
	m.body = &Body{Set: set, Kernels: set.Device != ops.CPU || ops.Emulating(), config: c, model: m}
	if c.Descriptors && !spec.TraitsOf(c).Fingerprints {
		m.ranks = newRanks(set, c)
	}
	var err error
	if m.method, err = spec.New(m.body, c, tasks); err == nil {
		err = set.Err()
	}
	if err == nil {
		err = spec.checkProtocol(m.method, c.Own)
	}
	if err != nil {
		m.Drop()
		return nil, err
	}
	return m, nil
}

// Drop releases the parameters.
func (m *Model) Drop() {
	m.cache.drop()
	m.set.Drop()
}

// Config returns the configuration that the model was made from.
func (m *Model) Config() Config { return m.config }

// Traits returns the traits of the model's method.
func (m *Model) Traits() Traits {
	t := m.spec.TraitsOf(m.config)
	// For these encoders, offsets and blocks of molecules differ between batches of one shape,
	// and are read from the host.
	e, joined := m.config.EncoderSpec()
	t.ReadsHost = t.ReadsHost || joined || e.Reads.Varies
	return t
}

// Method returns the model's method.
func (m *Model) Method() Method { return m.method }

// Device returns where the model computes.
func (m *Model) Device() ops.Device { return m.set.Device }

// Parameters returns the trained tensors, in a fixed order.
func (m *Model) Parameters() []Parameter { return m.set.Trained() }

// Buffers returns the tensors that are stored but not trained: the running averages of
// batch norms, and a method's memory.
func (m *Model) Buffers() []Parameter { return m.set.Buffers() }

// PartCount is the number of parameters of one part of the model.
type PartCount struct {
	Part  string `json:"part"`
	Count int    `json:"count"`
}

// Counts returns the number of parameters by part, in the order of the data flow.
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

// Adaptive returns the number of parameters that are adapted to a task.
func (m *Model) Adaptive() int { return m.method.Adaptive() }

// SeenInTraining returns a function that reports whether a molecule was in the training tasks, or nil
// if the method does not keep them. See [WithSeenMolecules].
func (m *Model) SeenInTraining() (func(bit, count []uint16) bool, error) {
	if k, ok := m.method.(WithSeenMolecules); ok {
		return k.SeenInTraining()
	}
	return nil, nil
}

// Skeletons returns a function that reports whether a molecule with a skeleton may have been in the training tasks, or
// nil. See [WithSeenMolecules].
func (m *Model) Skeletons() (func(skeleton uint64) bool, error) {
	if k, ok := m.method.(WithSeenMolecules); ok {
		return k.Skeletons()
	}
	return nil, nil
}

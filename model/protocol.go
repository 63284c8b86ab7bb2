package model

import (
	"fmt"

	"pacia/data"
	"pacia/ops"
)

// protocol is all that a method may do beside what [Method] asks for. A method declares it
// by a trait of its [Spec], and does it by an interface of its Method or of its Settings.
var protocol = []struct {
	trait    string
	declared func(Traits) bool
	done     func(Method, Settings) bool
}{
	{"Tunes", func(t Traits) bool { return t.Tunes }, method[Tuner]},
	{"Stages", func(t Traits) bool { return t.Stages }, method[Inspector]},
	{"OwnGradients", func(t Traits) bool { return t.OwnGradients }, method[WithGradients]},
	{"OwnOptimiser", func(t Traits) bool { return t.OwnOptimiser }, method[WithOptimiser]},
	{"LazyRows", func(t Traits) bool { return t.LazyRows }, method[WithLazyRows]},
	{"ParamGroups", func(t Traits) bool { return t.ParamGroups }, method[WithParamGroups]},
	{"Flushes", func(t Traits) bool { return t.Flushes }, method[WithFlush]},
	{"Memory", func(t Traits) bool { return t.Memory }, method[WithMemory]},
	{"SeenMolecules", func(t Traits) bool { return t.SeenMolecules }, method[WithSeenMolecules]},
	{"ChecksBatches", func(t Traits) bool { return t.ChecksBatches }, method[WithCheck]},
	{"Calibrates", func(t Traits) bool { return t.Calibrates }, settings[WithCalibration]},
	{"Approximates", func(t Traits) bool { return t.Approximates }, settings[WithExactGradients]},
}

func method[I any](m Method, _ Settings) bool { _, ok := m.(I); return ok }

func settings[I any](_ Method, s Settings) bool { _, ok := s.(I); return ok }

// checkProtocol refuses a method that does not do what its spec declares, or does more.
func (s Spec) checkProtocol(m Method, own Settings) error {
	for _, p := range protocol {
		if declared, done := p.declared(s.Traits), p.done(m, own); declared != done {
			return fmt.Errorf("model.method=%s: its spec declares %s: %v, and its interfaces say %v", s.Name, p.trait, declared, done)
		}
	}
	return nil
}

// WithOwnTraits is Settings that the traits of the method depend on.
type WithOwnTraits interface {
	// Traits returns them, given those of the table.
	Traits(Config, Traits) Traits
}

// TraitsOf returns the traits of the method with the settings of c.
func (s Spec) TraitsOf(c Config) Traits {
	if own, ok := c.Own.(WithOwnTraits); ok {
		return own.Traits(c, s.Traits)
	}
	return s.Traits
}

// WithGradients is a Method whose training step is not one backward pass of Loss:
// with inner steps, or with gradients of gradients.
type WithGradients interface {
	// Gradients adds to the gradients of the parameters and returns the loss.
	Gradients(b *Batch, m ops.Mode, s *ops.Scope) float64
}

// WithLazyRows is a Method with large matrices. A step needs few of their rows.
type WithLazyRows interface {
	// LazyRows lets the others wait for their updates by adam, see ops.Adam.LazyRows.
	LazyRows(adam *ops.Adam) error
}

// WithParamGroups is a Method with parameters that have a learning rate of their own.
type WithParamGroups interface {
	// ParamGroups gives them their share of that of adam, see ops.Adam.Share.
	ParamGroups(adam *ops.Adam) error
}

// WithFlush is a Method that keeps something about its parameters for tasks to come.
type WithFlush interface {
	// Flush brings it up to date, with parameters that do not lag.
	Flush(s *ops.Scope)
}

// UncertaintyScorer is a Task that can tell how uncertain it is of a query: as a part, 0 to 1, of
// how uncertain it was before it saw the support set.
type UncertaintyScorer interface {
	Task
	// EnableUncertainty makes scores from now on tell it. The scope lives as long as the task.
	EnableUncertainty(s *ops.Scope)
}

// WithSeenMolecules is a Method that can tell which molecules its training has shown it.
type WithSeenMolecules interface {
	// SeenInTraining returns a function that reports, by its fingerprint, whether a molecule was
	// learnt from; nil where the model does not know. Several goroutines may call it.
	SeenInTraining() (func(bit, count []uint16) bool, error)
}

// WithCheck is a Method whose training step needs something else of a batch than
// labelled support and queries.
type WithCheck interface {
	// Check says what a batch lacks for a training step.
	Check(h *data.Batch) error
}

// WithMemory is a Method that keeps labels or molecules of the training tasks, to compare
// molecules by them: as buffers whose names begin with [MemoryPrefix].
type WithMemory interface {
	// Remember keeps those of the tasks with these numbers.
	Remember(d *data.Dataset, tasks []int) error
	// Room makes room for what was kept, by the shapes of the buffers.
	Room(shapes map[string][]int64) error
}

// WithOptimiser is a Tuner whose steps are not Adam's.
type WithOptimiser interface {
	// Optimiser is of the method's parameters.
	Optimiser(t Tuning) (Optimiser, error)
}

// Inspector is a Method with a relation graph that can be looked into.
type Inspector interface {
	// Inspect shows the support set and queries of one task to the model as Adapt
	// and Score do, and returns every stage, or, where depths is set, the readings
	// alone.
	Inspect(support, queries *Batch, depths bool, s *ops.Scope) *Inspection
}

// WithCalibration is the settings of a method whose scores a slope and an offset make
// log-odds.
type WithCalibration interface {
	// Calibrated returns the settings with which the log-odds, less those of the
	// support set, are slope times what they are now, plus offset.
	Calibrated(slope, offset float64) Settings
}

// WithExactGradients is the settings of a method whose gradients need not be the slope of its
// loss, since it was published with gradients that leave a part of that out.
type WithExactGradients interface {
	// Exact returns the settings with which they are.
	Exact() Settings
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

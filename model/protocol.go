package model

import (
	"fmt"

	"pacia/data"
	"pacia/model/shared/past"
	"pacia/ops"
)

// protocol lists the optional interfaces of methods. A method declares each by a trait of its
// [Spec], and implements it with its Method or its Settings.
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
	{"History", func(t Traits) bool { return t.History }, method[WithHistory]},
	{"SeenMolecules", func(t Traits) bool { return t.SeenMolecules }, method[WithSeenMolecules]},
	{"ChecksBatches", func(t Traits) bool { return t.ChecksBatches }, method[WithCheck]},
	{"Calibrates", func(t Traits) bool { return t.Calibrates }, settings[WithCalibration]},
	{"Approximates", func(t Traits) bool { return t.Approximates }, settings[WithExactGradients]},
}

func method[I any](m Method, _ Settings) bool { _, ok := m.(I); return ok }

func settings[I any](_ Method, s Settings) bool { _, ok := s.(I); return ok }

// checkProtocol returns an error if the interfaces of a method differ from the traits of its spec.
func (s Spec) checkProtocol(m Method, own Settings) error {
	for _, p := range protocol {
		if declared, done := p.declared(s.Traits), p.done(m, own); declared != done {
			return fmt.Errorf("model.method=%s: its spec declares %s: %v, and it implements the interface: %v", s.Name, p.trait, declared, done)
		}
	}
	return nil
}

// WithOwnTraits is Settings on which the traits of the method depend.
type WithOwnTraits interface {
	// Traits returns the traits, given those of the table.
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
	// LazyRows makes adam defer the updates of the other rows, see ops.Adam.LazyRows.
	LazyRows(adam *ops.Adam) error
}

// WithParamGroups is a Method with parameters that have their own learning rate.
type WithParamGroups interface {
	// ParamGroups sets their share of adam's learning rate, see ops.Adam.Share.
	ParamGroups(adam *ops.Adam) error
}

// WithFlush is a Method that derives values from its parameters, for tasks.
type WithFlush interface {
	// Flush recomputes these values. The parameters must have all their updates.
	Flush(s *ops.Scope)
}

// UncertaintyScorer is a Task that can estimate the uncertainty of each query, from 0 to 1, relative
// to the uncertainty without a support set.
type UncertaintyScorer interface {
	Task
	// EnableUncertainty adds uncertainties to later scores. The scope lives as long as the task.
	EnableUncertainty(s *ops.Scope)
}

// WithSeenMolecules is a Method that can report whether a molecule was in its training tasks.
type WithSeenMolecules interface {
	// SeenInTraining returns a function that reports, given its fingerprint, whether a molecule was
	// in the training tasks. Several goroutines may call it. It is nil if the model keeps no molecules.
	SeenInTraining() (func(bit, count []uint16) bool, error)
	// Skeletons returns a function that reports whether a molecule with a skeleton (tautomer.Skeleton) may be among
	// these molecules: one of ten thousand answers is a mistaken yes. It is nil if the model keeps no skeletons.
	Skeletons() (func(skeleton uint64) bool, error)
}

// WithCheck is a Method whose training step needs other data than labelled support and
// queries.
type WithCheck interface {
	// Check returns an error if a batch lacks data for a training step.
	Check(h *data.Batch) error
}

// WithMemory is a Method that keeps labels or molecules of the training tasks, and compares
// molecules with them. They are buffers with names that begin with [MemoryPrefix].
type WithMemory interface {
	// Remember keeps the labels or molecules of the tasks with these numbers.
	Remember(d *data.Dataset, tasks []int) error
	// Room allocates buffers of these shapes, which a stored model has.
	Room(shapes map[string][]int64) error
}

// History holds a user's past assays.
type History struct {
	Parts    []past.Part
	Assays   []*past.Assay // that count, in the order of their numbers
	Weights  past.Weights  // of the method, if zero
	Specific bool          // how often a molecule was active at all does not count
}

// PastPart is a part of what past assays give a method.
type PastPart int

// The parts, each alone.
const (
	NoPast  PastPart = iota // the method without past assays
	Hits                    // how often a molecule was active
	Profile                 // how much a molecule's labels are like those of the support molecules
)

// WithHistory is a Method that can compare molecules also by labels in past assays of a user.
type WithHistory interface {
	// Recall returns the method with these assays. It has the same parameters.
	Recall(h History) Method
	// Part returns the method with a part of what these assays give it.
	Part(part PastPart) Method
	// Judge returns the scores [weights, Q] of the queries of a trial, whose molecules have these keys [n], by these assays with
	// each weights.
	Judge(t *Trial, keys []uint64, weights []past.Weights) ([][]float64, error)
}

// WithOptimiser is a Tuner with an optimiser other than Adam.
type WithOptimiser interface {
	// Optimiser returns the optimiser of the method's parameters.
	Optimiser(t Tuning) (Optimiser, error)
}

// Inspector is a Method with a relation graph that can be inspected.
type Inspector interface {
	// Inspect runs the model on the support set and queries of one task as Adapt
	// and Score do. It returns all intermediate results or, if depths is set, the
	// readings alone.
	Inspect(support, queries *Batch, depths bool, s *ops.Scope) *Inspection
}

// WithCalibration is the Settings of a method with scores that a slope and an offset turn
// into log-odds.
type WithCalibration interface {
	// Calibrated returns settings with which the log-odds, minus those of the support
	// set, are slope times their current value, plus offset.
	Calibrated(slope, offset float64) Settings
}

// WithExactGradients is the Settings of a method whose gradients need not be the slope of its
// loss, because it was published with gradients that omit a part of the slope.
type WithExactGradients interface {
	// Exact returns settings with which the gradients are the slope of the loss.
	Exact() Settings
}

// Tuner is a Method that adapts by gradient steps of its Loss on a copy of the
// model. So nothing has to be restored, and tasks can be adapted at the same time.
type Tuner interface {
	Method
	// Begin is called on the copy before its first step.
	Begin() error
	// Examples returns the batch of the steps for a support set.
	Examples(support *data.Batch) *data.Batch
}

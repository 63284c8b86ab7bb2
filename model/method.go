package model

import (
	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: Q queries, L layers of a relation graph.

// Spec is a method's line in the table of package methods.
type Spec struct {
	Name   string // model.method
	Title  string // in tables and figures
	Source string // the publication, or another description
	Traits Traits
	Tuning Tuning // default of train.finetune, for a method that tunes; 0 steps: DefaultTuning
	// Settings returns the defaults of the method's own settings for a preset.
	Settings func(preset string) Settings
	// New lays out the parameters and returns the method. tasks are the numbers of
	// the training tasks, nil for a model that will not be trained.
	New func(b *Body, c Config, tasks []int) (Method, error)
}

// Traits are the properties of a method that the trainer, the commands and the reports use
// in place of its name. The table in protocol.go lists the interfaces of some of them.
type Traits struct {
	Tunes        bool // adapts by gradient steps on a copy (train.finetune); see Tuner
	NeedsSteps   bool // and cannot score without these steps
	Untrained    bool // has nothing to train: runs have no episodes
	Stages       bool // has a relation graph that can be inspected; see Inspector
	Depth        bool // may choose a depth for each query (Eq. 13)
	NoEncoder    bool // lays out no encoder
	Fingerprints bool // reads only the fingerprints of molecules, in Batch.Host
	Compares     bool // reads fingerprints in Batch.Host, beside the inputs of its encoder
	CachesStates bool // scoring encodes each batch once with unchanged parameters, so that states of atoms can be cached (Model.keeps)
	Twice        bool // a training step has two episodes of each of its tasks
	FixedClasses bool // trains a classifier for each training task, whose classes must keep their meaning
	ReadsHost    bool // Loss reads the content of Batch.Host, so that steps on a GPU cannot be recorded

	OwnGradients  bool // a training step is not one backward pass of Loss
	OwnOptimiser  bool // fine-tunes with an optimiser other than Adam
	LazyRows      bool // a step needs few rows of some matrices
	ParamGroups   bool // some parameters have their own learning rate
	Flushes       bool // derives values from its parameters, for tasks
	History       bool // can compare molecules by labels in past assays of a user
	Memory        bool // keeps labels or molecules of the training tasks
	SeenMolecules bool // can report whether a molecule was in its training tasks
	ChecksBatches bool // a training step needs other data than labelled support and queries
	Uncertainty   bool // its Task is an UncertaintyScorer
	Explains      bool // its Task is an Explainer
	Measures      bool // learns the values of a support set, if it has values, in place of its labels (Batch.SupportValue)
	Calibrates    bool // a slope and an offset make its scores log-odds
	Approximates  bool // was published with gradients that omit a part of the slope

	TrainingOnly string // prefix of the names of parameters that prediction does not need
}

// Method learns from episodes and adapts to a task. All its tensors belong to the given
// scope. An error ends the pass through the scope.
type Method interface {
	// Loss returns the mean loss of a batch's tasks, one number. It reads nothing
	// back from the device, so that steps on a GPU can be recorded.
	Loss(b *Batch, m ops.Mode, s *ops.Scope) *ts.Tensor
	// Adapt adapts to the support set of one task. The scope lives as long as the
	// task.
	Adapt(support *Batch, s *ops.Scope) Task
	// Adaptive returns the number of parameters that are adapted to a task.
	Adaptive() int
}

// Task is a model adapted to one task.
type Task interface {
	Score(queries *Batch, s *ops.Scope) Scores
}

// Scores holds the scores of the queries of a task.
type Scores struct {
	Logits *ts.Tensor // [Q, 1, 2] inactive, active
	P      *ts.Tensor // [Q, L] plausibility of each depth; nil: the last depth is read
	Layers int        // L; 1 for a method without depth

	Uncertainty []float32 // [Q] if enabled on an UncertaintyScorer; else nil
	Potency     []Potency // [Q] if measured values were learnt; else nil
}

// Potency is a predicted value on the scale of [data.Measured], with an interval for 80 % of
// measurements. An end beyond the range of an assay is infinite.
type Potency struct{ Value, Low, High float32 }

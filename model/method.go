package model

import (
	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: Q queries, L layers of a relation graph.

// Spec is a method's line in the table of package methods.
type Spec struct {
	Name   string // model.method
	Title  string // as tables and figures call it
	Source string // the publication, or what else says how it is computed
	Traits Traits
	Tuning Tuning // what train.finetune is by default of one that tunes; without steps: DefaultTuning
	// Settings returns the defaults of the method's own settings for a preset.
	Settings func(preset string) Settings
	// New lays out the parameters and returns the method. tasks are the numbers of
	// the training tasks, nil for a model that is not going to be trained.
	New func(b *Body, c Config, tasks []int) (Method, error)
}

// Traits are what the trainer, the commands and the reports ask of a method in
// place of its name. The table in protocol.go says which of them go with an interface.
type Traits struct {
	Tunes        bool // adapts by gradient steps on a copy (train.finetune); see Tuner
	NeedsSteps   bool // and can score nothing before the first of them
	Untrained    bool // has nothing to train: runs have no episodes
	Stages       bool // has a relation graph that can be looked into; see Inspector
	Depth        bool // may choose a depth for each query (Eq. 13)
	Fingerprints bool // reads nothing of molecules but their fingerprints, in Batch.Host
	Compares     bool // reads fingerprints in Batch.Host beside what its encoder reads
	CachesStates bool // Score of a Task passes queries through the encoder once, which is the task's own from then on
	Twice        bool // a training step has two episodes of each of its tasks
	ReadsHost    bool // Loss looks at Batch.Host beyond its sizes, so that a GPU's steps cannot be recorded

	OwnGradients  bool // a training step is not one backward pass of Loss
	OwnOptimiser  bool // fine-tunes by other steps than Adam's
	LazyRows      bool // a step needs few rows of some matrices
	ParamGroups   bool // some parameters have a learning rate of their own
	Flushes       bool // keeps something about its parameters for tasks to come
	Memory        bool // keeps labels or molecules of the training tasks
	SeenMolecules bool // can tell which molecules its training has shown it
	ChecksBatches bool // a training step needs something else than labelled support and queries
	Uncertainty   bool // its Task is an UncertaintyScorer
	Explains      bool // its Task is an Explainer
	Measures      bool // learns the values of a support set that has them, in place of its labels (Batch.SupportValue)
	Calibrates    bool // a slope and an offset make its scores log-odds
	Approximates  bool // was published with gradients that leave out a part of the slope

	TrainingOnly string // how the names of the parameters begin that prediction does without
}

// Method is a way of learning from episodes and of adapting to a task. All its
// tensors live in the scope that it is given; errors end the pass there.
type Method interface {
	// Loss returns the mean loss of a batch's tasks, one number. It reads nothing
	// back from the device, so that a GPU's steps can be recorded.
	Loss(b *Batch, m ops.Mode, s *ops.Scope) *ts.Tensor
	// Adapt takes in the support set of one task. The scope lives as long as the
	// task.
	Adapt(support *Batch, s *ops.Scope) Task
	// Adaptive is the number of parameters that are adapted to a task.
	Adaptive() int
}

// Task is a model adapted to one task.
type Task interface {
	Score(queries *Batch, s *ops.Scope) Scores
}

// Scores are of the queries of a task.
type Scores struct {
	Logits *ts.Tensor // [Q, 1, 2] inactive, active
	P      *ts.Tensor // [Q, L] plausibility of each depth; nil: all are read at the last
	Layers int        // L; 1 for a method without depth

	Uncertainty []float32 // [Q] of an UncertaintyScorer that was asked; else nil
	Potency     []Potency // [Q] where measured values were learnt; else nil
}

// Potency is a predicted value, on the scale of [data.Measured], and the interval that holds
// four of five measurements. An end beyond what an assay measures is infinite.
type Potency struct{ Value, Low, High float32 }

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
// place of its name.
type Traits struct {
	Tunes        bool   // adapts by gradient steps on a copy (train.finetune); its Method is a Tuner
	NeedsSteps   bool   // and can score nothing before the first of them
	Untrained    bool   // has nothing to train: runs have no episodes
	Stages       bool   // has a relation graph that can be looked into; its Method is an Inspector
	Depth        bool   // may choose a depth for each query (Eq. 13)
	Fingerprints bool   // reads nothing of molecules but their fingerprints, in Batch.Host
	Compares     bool   // reads fingerprints in Batch.Host beside what its encoder reads
	Recalls      bool   // Score of a Task passes queries through the encoder once, which is the task's own from then on
	Twice        bool   // a training step has two episodes of each of its tasks
	ReadsHost    bool   // Loss looks at Batch.Host beyond its sizes, so that a GPU's steps cannot be recorded
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

// Traiter is a Method of which it depends on its settings what its traits are.
type Traiter interface {
	// Traits returns them, given those of the table.
	Traits(Traits) Traits
}

// Gradienter is a Method whose training step is not one backward pass of Loss:
// with inner steps, or with gradients of gradients.
type Gradienter interface {
	// Gradients adds to the gradients of the parameters and returns the loss.
	Gradients(b *Batch, m ops.Mode, s *ops.Scope) float64
}

// Laggard is a Method with matrices of which a step needs few rows.
type Laggard interface {
	// Lag lets the others wait for their updates by adam, see ops.Adam.Lag.
	Lag(adam *ops.Adam) error
}

// Paced is a Method with parameters that have a learning rate of their own.
type Paced interface {
	// Pace gives them their share of that of adam, see ops.Adam.Share.
	Pace(adam *ops.Adam) error
}

// Settler is a Method that keeps something about its parameters for tasks to come.
type Settler interface {
	// Settle brings it up to date, with parameters that do not lag.
	Settle(s *ops.Scope)
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

	Uncertainty []float32 // [Q] of a Teller that was asked; else nil
}

// Teller is a Task that can tell how uncertain it is of a query: as a part, 0 to 1, of
// how uncertain it was before it saw the support set.
type Teller interface {
	Task
	// Tell makes scores from now on tell it. The scope lives as long as the task.
	Tell(s *ops.Scope)
}

// Knower is a Method that can tell which molecules its training has shown it.
type Knower interface {
	// Knows returns what says of a molecule, by its fingerprint, whether it was learnt
	// from; nil where the model cannot tell. Several goroutines may ask.
	Knows() (func(bit, count []uint16) bool, error)
}

package multitask

import (
	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/model"
	"pacia/model/classifiers"
	"pacia/ops"
)

// Legend: Q queries.

// Spec is multi-task learning's line in the table of methods.
var Spec = model.Spec{
	Name: "multitask", Title: "Multi-task learning",
	Source:   "the GNN-MT of FS-Mol's benchmark (Stanley et al. 2021), as docs/baselines.md has it",
	Traits:   model.Traits{Tunes: true, NeedsSteps: true, ReadsHost: true, TrainingOnly: classifiers.Prefix},
	Settings: func(string) model.Settings { return model.NoSettings{} },
	New:      func(b *model.Body, _ model.Config, tasks []int) (model.Method, error) { return newMultitask(b, tasks) },
}

// multitask is the method with its parameters: the encoder, and the classifiers of
// the training tasks, an output for each class, or on a copy that is tuned that of a test task.
type multitask struct {
	*model.Body
	*classifiers.Classifiers
	outputs int // of the classifiers
}

func newMultitask(b *model.Body, tasks []int) (*multitask, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	m := &multitask{Body: b}
	if tasks != nil {
		m.Classifiers, m.outputs = classifiers.Pairs(b, b.Readout.Width(), tasks), 2*len(tasks)
	}
	return m, b.Set.Err()
}

// Lag lets the classifiers of tasks that a batch does not have lag.
func (m *multitask) Lag(adam *ops.Adam) error { return m.Classifiers.Lag(adam) }

// Begin adds the classifier of a test task.
func (m *multitask) Begin() error {
	m.Classifiers, m.outputs = classifiers.Pair(m.Body, m.Readout.Width()), 2
	return m.Set.Err()
}

// Examples are the support molecules.
func (m *multitask) Examples(support *data.Batch) *data.Batch { return support }

// Adaptive is all parameters, where of the classifiers only a test task's own counts.
func (m *multitask) Adaptive() int {
	return m.Set.Size() + (2-m.outputs)*(m.Readout.Width()+1)
}

// Loss is the mean cross entropy of all labelled molecules of the batch, by the
// classifiers of their tasks.
func (m *multitask) Loss(b *model.Batch, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	read, _ := m.Encode(b, mode, nil, s)
	return m.Classifiers.Loss(b, func(which *ts.Tensor) *ts.Tensor { return read.Of(which, s) }, s)
}

// task is what an encoder alone takes of a support set: with model.norm=support,
// the statistics that the task's queries are normalised by.
type task struct {
	*multitask
	stats []*gnn.Stats
}

func (m *multitask) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	_, stats := m.Encode(support, ops.Mode{}, nil, s)
	return &task{m, stats}
}

// Score returns the logits [Q, 1, 2] of the task's own classifier.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.Encode(queries, ops.Mode{}, t.stats, s)
	return model.Scores{Logits: t.Logits(read.Of(queries.QueryMol, s), queries.QueryTask, s), Layers: 1}
}

package multitask

import (
	"errors"
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/model"
	"pacia/ops"
)

// Legend: T tasks, n labelled molecules of a batch, Q queries, d width of a
// molecule's vector.

// Spec is multi-task learning's line in the table of methods.
var Spec = model.Spec{
	Name: "multitask", Title: "Multi-task learning",
	Source:   "the GNN-MT of FS-Mol's benchmark (Stanley et al. 2021), as docs/baselines.md has it",
	Traits:   model.Traits{Tunes: true, NeedsSteps: true, ReadsHost: true, TrainingOnly: prefix},
	Settings: func(string) model.Settings { return model.NoSettings{} },
	New:      func(b *model.Body, _ model.Config, tasks []int) (model.Method, error) { return newMultitask(b, tasks) },
}

// prefix starts the names of the training tasks' classifiers, which prediction
// does not need: a test task gets one of its own.
const prefix = "multitask."

// multitask is the method with its parameters: the linear classifier of a
// molecule's vector x (model.readout) of each task t, whose logit for "active" is
// ⟨x, W_t⟩ + b_t.
type multitask struct {
	*model.Body
	all   ops.Linear    // [T, d], [T]
	place map[int32]int // of a task by its number; nil: there is one, for any
	tasks int           // T
}

func newMultitask(b *model.Body, tasks []int) (*multitask, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	m := &multitask{Body: b}
	if tasks == nil {
		return m, nil
	}
	m.place = make(map[int32]int, len(tasks))
	for i, number := range tasks {
		m.place[int32(number)] = i
	}
	m.addClassifiers(len(tasks))
	return m, b.Set.Err()
}

func (m *multitask) addClassifiers(tasks int) {
	m.Set.Part("classifiers of tasks")
	m.all, m.tasks = m.Set.Linear(prefix+"classifiers", m.Readout.Width(), tasks, true, 0), tasks
}

// Begin adds the classifier of a test task.
func (m *multitask) Begin() error {
	m.addClassifiers(1)
	return m.Set.Err()
}

// Examples are the support molecules.
func (m *multitask) Examples(support *data.Batch) *data.Batch { return support }

// Adaptive is all parameters, where of the classifiers only a test task's own counts.
func (m *multitask) Adaptive() int {
	return m.Set.Size() + (1-m.tasks)*(m.Readout.Width()+1)
}

// Check says what a batch lacks for a training step.
func (m *multitask) Check(h *data.Batch) error {
	n := len(h.SupportMol) + len(h.QueryMol)
	switch {
	case m.tasks == 0:
		return errors.New("training step: the tasks have no classifiers")
	case h.Support == 0 || len(h.MolPtr) != n+1 || len(h.SupportLabel)+len(h.QueryLabel) != n ||
		len(h.QueryTask) != len(h.QueryMol) || len(h.TaskNumber) != h.Tasks:
		return fmt.Errorf("training step: %d tasks with %d numbers, %d molecules, of which %d are in a support set of %d or queries, %d labels; all molecules are to have one",
			h.Tasks, len(h.TaskNumber), len(h.MolPtr)-1, n, h.Support, len(h.SupportLabel)+len(h.QueryLabel))
	}
	return nil
}

// examples are the labelled molecules of a batch, support and queries alike, in
// the order of the batch. Each counts the same.
type examples struct {
	which, label, task *ts.Tensor // [n]
	weight             *ts.Tensor // [n] 1/n
}

// examples puts them on the device.
func (m *multitask) examples(h *data.Batch, s *ops.Scope) examples {
	n := len(h.SupportMol) + len(h.QueryMol)
	which, tasks := make([]int32, n), make([]int32, n)
	labels, weights := make([]uint8, n), make([]float64, n)
	put := func(molecule, task int, label uint8) {
		at, known := m.place[h.TaskNumber[task]]
		if m.place != nil && !known {
			s.Check(fmt.Errorf("training step: task %d has no classifier", h.TaskNumber[task]))
		}
		which[molecule], tasks[molecule] = int32(molecule), int32(at)
		labels[molecule], weights[molecule] = label, 1/float64(n)
	}
	for i, molecule := range h.SupportMol {
		put(int(molecule), i/h.Support, h.SupportLabel[i])
	}
	for i, molecule := range h.QueryMol {
		put(int(molecule), int(h.QueryTask[i]), h.QueryLabel[i])
	}
	d := m.Set.Device
	return examples{
		which: s.Keep(ops.Vector(which, d)), label: s.Keep(ops.Vector(labels, d)), task: s.Keep(ops.Vector(tasks, d)),
		weight: m.Vector(weights, s),
	}
}

// Loss is the mean cross entropy of all labelled molecules of the batch, by the
// classifiers of their tasks.
func (m *multitask) Loss(b *model.Batch, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	e := m.examples(b.Host, s)
	read, _ := m.Encode(b, mode, nil, s)
	logits := m.classify(read, e.which, e.task, s)
	return s.KeepLoss(ops.Loss(logits, e.label, e.weight, nil, ops.LossLast, b.Host.Tasks)).Loss
}

// classify returns the logits [m, 1, 2] of the molecules which [m] by the classifiers
// of their tasks [m].
func (m *multitask) classify(read *model.Molecules, which, tasks *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return s.Keep(ops.TaskLogits(read.Of(which, s), m.all.W, m.all.B, tasks))
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
	return model.Scores{Logits: t.classify(read, queries.QueryMol, queries.QueryTask, s), Layers: 1}
}

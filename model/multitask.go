package model

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/cuda"
	"pacia/data"
	"pacia/ops"
)

// Legend: T tasks, n labelled molecules of a batch, m of them asked for, d width
// of a molecule's vector.

// HeadsPrefix starts the names of the training tasks' classifiers, which
// prediction does not need: a test task gets one of its own.
const HeadsPrefix = "multitask."

// heads are linear binary classifiers of a molecule's vector x (model.readout),
// one for each task t: the logits of its two classes are W_t·x + b_t. All of
// them are one product.
type heads struct {
	all   ops.Linear    // [2T, d], [2T]
	place map[int32]int // of a task by its number; nil: there is one, for any
	tasks int           // T
}

// AddHeads gives a multitask model a classifier for each of these tasks of its
// data set. They are parameters of the model from then on.
func (m *Model) AddHeads(tasks []int) error {
	place := make(map[int32]int, len(tasks))
	for i, number := range tasks {
		place[int32(number)] = i
	}
	return m.addHeads(place, len(tasks))
}

func (m *Model) addHeads(place map[int32]int, tasks int) error {
	if m.config.Method != Multitask || m.heads != nil {
		return errors.New("classifiers of tasks: the model is not of model.method=multitask, or has them already")
	}
	m.set.Part(partHeads)
	all := m.set.Linear(HeadsPrefix+"classifiers", m.layout.readout.Width(), 2*tasks, true, 0)
	m.heads = &heads{all, place, tasks}
	return m.set.Err()
}

// logits returns [m, 1, 2] for the molecules which [m] of a batch. rows [m] tell each one's task, see ops.Pick; nil where
// there is one task.
func (t *heads) logits(r *molecules, b *batch, which, rows *ts.Tensor, s *scope) (*ts.Tensor, error) {
	x, err := s.keep(r.of(which, b))
	if err != nil {
		return nil, err
	}
	z, err := s.keep(ops.MLP(x, []ops.Linear{t.all}, ops.Mode{}))
	if err != nil || rows == nil {
		return z, err
	}
	return s.keep(ops.Pick(z, rows))
}

// examples are the labelled molecules of a batch, support and queries alike, in
// the order of the batch. Each counts the same.
type examples struct {
	which, label, row *ts.Tensor // [n]
	weight            *ts.Tensor // [n] 1/n
}

// examples puts them on the device. The rows tell each molecule's task.
func (m *Model) examples(h *data.Batch, s *scope) (e examples, err error) {
	n := len(h.SupportMol) + len(h.QueryMol)
	which, rows := make([]int32, n), make([]int64, n)
	labels, weights := make([]uint8, n), make([]float64, n)
	put := func(molecule, task int, label uint8) error {
		at, known := 0, m.heads.place == nil
		if !known {
			at, known = m.heads.place[h.TaskNumber[task]]
		}
		if !known {
			return fmt.Errorf("task %d has no classifier", h.TaskNumber[task])
		}
		which[molecule], rows[molecule] = int32(molecule), int64(molecule*m.heads.tasks+at)
		labels[molecule], weights[molecule] = label, 1/float64(n)
		return nil
	}
	for i, molecule := range h.SupportMol {
		err = cmp.Or(err, put(int(molecule), i/h.Support, h.SupportLabel[i]))
	}
	for i, molecule := range h.QueryMol {
		err = cmp.Or(err, put(int(molecule), int(h.QueryTask[i]), h.QueryLabel[i]))
	}
	if err != nil {
		return e, err
	}
	d := m.set.Device
	keep := func(t *ts.Tensor, failed error) *ts.Tensor {
		t, failed = s.keep(t, failed)
		err = cmp.Or(err, failed)
		return t
	}
	e.which, e.label, e.row = keep(ops.Vector(which, d)), keep(ops.Vector(labels, d)), keep(ops.Vector(rows, d))
	e.weight = keep(vector(weights, m.set))
	return e, err
}

// checkExamples says what a batch lacks for a step of a multitask model.
func (m *Model) checkExamples(h *data.Batch) error {
	n := len(h.SupportMol) + len(h.QueryMol)
	switch {
	case m.heads == nil:
		return errors.New("training step: the tasks have no classifiers")
	case h.Support == 0 || len(h.MolPtr) != n+1 || len(h.SupportLabel)+len(h.QueryLabel) != n ||
		len(h.QueryTask) != len(h.QueryMol) || len(h.TaskNumber) != h.Tasks:
		return fmt.Errorf("training step: %d tasks with %d numbers, %d molecules, of which %d are in a support set of %d or queries, %d labels; all molecules are to have one",
			h.Tasks, len(h.TaskNumber), len(h.MolPtr)-1, n, h.Support, len(h.SupportLabel)+len(h.QueryLabel))
	}
	return nil
}

// backwardOfTasks is Backward of a multitask model: the mean cross entropy of
// all labelled molecules of the batch, by the classifiers of their tasks.
func (m *Model) backwardOfTasks(h *data.Batch, mode ops.Mode) (float64, error) {
	if err := m.checkExamples(h); err != nil {
		return 0, err
	}
	b, err := m.newBatch(h)
	if err != nil {
		return 0, err
	}
	defer b.drop()
	var s scope
	defer s.drop()
	e, err := m.examples(h, &s)
	if err != nil {
		return 0, fmt.Errorf("training step: %w", err)
	}
	read, _, err := m.encode(b, mode, nil, &s, nil)
	if err != nil {
		return 0, err
	}
	logits, err := m.heads.logits(read, b, e.which, e.row, &s)
	if err != nil {
		return 0, err
	}
	parts, err := ops.Loss(logits, e.label, e.weight, nil, ops.LossLast, h.Tasks)
	if err != nil {
		return 0, err
	}
	defer parts.Drop()
	loss, err := ops.Number(parts.Loss)
	if err != nil {
		return loss, err
	}
	return loss, ops.Backward(parts.Loss)
}

// statistics is what an encoder alone takes of a support set: with model.norm
// support, the statistics that the task's queries are normalised by.
func (m *Model) statistics(support *data.Batch) (*Adapted, error) {
	a := &Adapted{n: support.Support, k: support.Shots}
	err := ops.WithoutGrad(func() error {
		b, err := m.newBatch(support)
		if err != nil {
			return err
		}
		defer b.drop()
		if _, a.mods, err = m.encode(b, ops.Mode{}, nil, &a.kept, nil); err != nil || m.set.Device == ops.CPU {
			return err
		}
		return cuda.Synchronize(int(m.set.Device)) // as in Adapt
	})
	if err != nil {
		a.Drop()
		return nil, fmt.Errorf("adapt: %w", err)
	}
	return a, nil
}

package multitask

import (
	"errors"
	"strings"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/classifiers"
	"pacia/ops"
)

// Legend: Q queries.

// Spec is multi-task learning's line in the table of methods.
var Spec = model.Spec{
	Name: "multitask", Title: "GNN-MT",
	Source: "the GNN-MT of FS-Mol's benchmark (Stanley et al. 2021)",
	Traits: model.Traits{
		Tunes: true, NeedsSteps: true, FixedClasses: true, ReadsHost: true, TrainingOnly: classifiers.Prefix,
		CachesStates: true, LazyRows: true, ParamGroups: true, ChecksBatches: true,
	},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, tasks []int) (model.Method, error) {
		return newMultitask(b, c.Own.(Settings), tasks)
	},
}

// multitask is the method with its parameters: the encoder, and the tail of the training
// tasks or, on a tuned copy, of a test task.
type multitask struct {
	*model.Body
	*tail
	settings Settings
}

func newMultitask(b *model.Body, c Settings, tasks []int) (*multitask, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	m := &multitask{Body: b, settings: c}
	if tasks != nil {
		m.tail = newTail(b, c, b.Readout.Width(), tasks)
	}
	return m, b.Set.Err()
}

// Check returns an error for a missing input of a training step or missing classifiers.
func (m *multitask) Check(h *data.Batch) error {
	if m.tail == nil {
		return errNone
	}
	return m.Classifiers.Check(h)
}

var errNone = errors.New("training step: the tasks have no classifiers")

// LazyRows defers updates of the classifiers of tasks that are not in a batch.
func (m *multitask) LazyRows(adam *ops.Adam) error {
	if m.tail == nil {
		return nil
	}
	return m.Classifiers.LazyRows(adam)
}

// ParamGroups gives the encoder its learning rate.
func (m *multitask) ParamGroups(adam *ops.Adam) error {
	if m.settings.EncoderRate == 1 {
		return nil
	}
	encoder := each.If(m.Set.Trained(), func(p params.Parameter) bool { return !strings.HasPrefix(p.Name, classifiers.Prefix) })
	return adam.Share(params.Tensors(encoder), m.settings.EncoderRate)
}

// Begin adds the tail of a test task.
func (m *multitask) Begin() error {
	m.tail = newTail(m.Body, m.settings, m.Readout.Width(), nil)
	return m.Set.Err()
}

// Examples returns the support molecules.
func (m *multitask) Examples(support *data.Batch) *data.Batch { return support }

// Adaptive returns the number of all parameters, with the classifier of one test task in place of
// the training tasks'.
func (m *multitask) Adaptive() int {
	width, own, all := m.Readout.Width(), 2, m.Set.Size()
	if h := m.settings.Tail; h > 0 {
		if m.tail == nil {
			all += h * (width + 1)
		}
		width, own = h, 1
	}
	if m.tail != nil {
		own -= m.outputs
	}
	return all + own*(width+1)
}

// Loss returns the mean cross entropy of all labelled molecules of the batch, with the
// classifiers of their tasks.
func (m *multitask) Loss(b *model.Batch, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	if m.tail == nil {
		s.Check(errNone)
	}
	read, _ := m.Encode(b, mode, nil, s)
	return m.Classifiers.Loss(b, func(which *ts.Tensor) *ts.Tensor { return m.read(read.Of(which, s), s) }, s)
}

// task is the part of a support set that an encoder alone keeps: with model.norm=support,
// the statistics that normalise the task's queries.
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
	logits := t.Logits(t.read(read.Of(queries.QueryMol, s), s), queries.QueryTask, s)
	return model.Scores{Logits: logits, Layers: 1}
}

package maml

import (
	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/model"
	"pacia/model/shared/classifiers"
	"pacia/model/shared/inner"
	"pacia/ops"
)

// Legend: Q queries.

// Spec is MAML's line in the table of methods.
var Spec = model.Spec{
	Name: "maml", Title: "MAML",
	Source:   "Finn, Abbeel and Levine: Model-Agnostic Meta-Learning for Fast Adaptation of Deep Networks, ICML 2017",
	Traits:   model.Traits{Tunes: true, ReadsHost: true, CachesStates: true, OwnGradients: true, OwnOptimiser: true, LazyRows: true, ChecksBatches: true, Approximates: true},
	Tuning:   model.Tuning{Steps: 1, LearningRate: rate},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		return newMAML(b, c.Own.(Settings).Adaptation)
	},
}

// maml is the method with its parameters.
type maml struct {
	*model.Body
	*classifiers.Classifiers
	inner.Tuner
	inner inner.Settings
}

func newMAML(b *model.Body, c inner.Settings) (*maml, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	b.Set.Part("classifier")
	m := &maml{Body: b, Classifiers: classifiers.Shared(b, "classifier", b.Readout.Width()), inner: c}
	m.Adapted = m.parameters
	return m, b.Set.Err()
}

// Adaptive returns the number of all parameters.
func (m *maml) Adaptive() int { return m.Set.Size() }

// LazyRows does nothing: no updates are deferred.
func (*maml) LazyRows(*ops.Adam) error { return nil }

// Check returns an error if a batch lacks data: a training step needs labelled support and
// queries, and a step on a support set alone needs its labels.
func (m *maml) Check(h *data.Batch) error {
	if len(h.QueryMol) == 0 {
		return m.Classifiers.Check(h)
	}
	return model.CheckEpisodes(h)
}

// Loss returns the mean cross entropy of all labelled molecules of a batch.
func (m *maml) Loss(b *model.Batch, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	read, _ := m.Encode(b, mode, nil, s)
	return m.Classifiers.Loss(b, func(which *ts.Tensor) *ts.Tensor { return read.Of(which, s) }, s)
}

// task is the part of a support set that an adapted model keeps: with model.norm=support,
// the statistics that normalise the task's queries.
type task struct {
	*maml
	stats []*gnn.Stats
}

func (m *maml) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	_, stats := m.Encode(support, ops.Mode{}, nil, s)
	return &task{m, stats}
}

// Score returns the logits [Q, 1, 2].
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.Encode(queries, ops.Mode{}, t.stats, s)
	return model.Scores{Logits: t.Logits(read.Of(queries.QueryMol, s), queries.QueryTask, s), Layers: 1}
}

package metamgnn

import (
	"pacia/data/category"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/model"
	"pacia/model/shared/inner"
	"pacia/ops"
)

// Legend: Q queries.

// Spec is Meta-MGNN's line in the table of methods.
var Spec = model.Spec{
	Name: "metamgnn", Title: "Meta-MGNN",
	Source:   "Guo et al.: Few-Shot Graph Learning for Molecular Property Prediction, WWW 2021",
	Traits:   model.Traits{Tunes: true, ReadsHost: true, OwnGradients: true, OwnOptimiser: true, ChecksBatches: true, Approximates: true},
	Tuning:   model.Tuning{Steps: 10, LearningRate: rate},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		own := c.Own.(Settings)
		if !own.elements(c) {
			own.Self.Atoms = 0
		}
		return newMetaMGNN(b, own)
	},
}

// metamgnn is the method with its parameters.
type metamgnn struct {
	*model.Body
	Settings
	inner.Tuner
	adapted    int           // number of adapted parameters, which come first
	classifier ops.Linear    // [1, d'], [1]
	element    ops.Linear    // [119, d], [119]; empty without the loss of atoms
	attention  [2]ops.Linear // d to hidden to 1; empty without
}

func newMetaMGNN(b *model.Body, c Settings) (*metamgnn, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	m := &metamgnn{Body: b, Settings: c}
	m.Adapted = m.phi
	b.Set.Part("classifier")
	m.classifier = b.Set.Linear("classifier", b.Readout.Width(), 1, true, 0)
	m.adapted = len(b.Set.Trained())
	if c.Self.Atoms > 0 {
		b.Set.Part("elements")
		m.element = b.Set.Linear("element", b.Encoder.Width(), category.Elements, true, 0)
	}
	if hidden := c.Weighting.Hidden; hidden > 0 {
		b.Set.Part("attention over tasks")
		m.attention = [2]ops.Linear{
			b.Set.Linear("weighting.0", b.Encoder.Width(), hidden, true, 0),
			b.Set.Linear("weighting.1", hidden, 1, true, 0),
		}
	}
	return m, b.Set.Err()
}

// all lists the parameters, phi the adapted ones.
func (m *metamgnn) all() ops.List { return params.Tensors(m.Set.Trained()) }
func (m *metamgnn) phi() ops.List { return m.all()[:m.adapted] }

// Adaptive returns the number of parameters of encoder, readout and classifier.
func (m *metamgnn) Adaptive() (n int) {
	for _, p := range m.Set.Trained()[:m.adapted] {
		n += p.Size()
	}
	return n
}

// task is the part of a support set that an adapted model keeps: with model.norm=support,
// the statistics that normalise the task's queries.
type task struct {
	*metamgnn
	stats []*gnn.Stats
}

func (m *metamgnn) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	_, stats := m.Encode(support, ops.Mode{}, nil, s)
	return &task{m, stats}
}

// certain is the logit of a rounded score: P = 1 in single precision.
const certain = 50

// Score returns the logits [Q, 1, 2].
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.Encode(queries, ops.Mode{}, t.stats, s)
	x := read.Of(queries.QueryMol, s)
	logits := s.Keep(ops.TaskLogits(x, t.classifier.W, t.classifier.B, queries.QueryTask, nil, false, false))
	if t.Settings.Score == "rounded" {
		logits = s.Times(signs(logits, s), certain)
	}
	return model.Scores{Logits: logits, Layers: 1}
}

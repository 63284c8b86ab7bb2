package probe

import (
	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/model"
	"pacia/model/shared/classifiers"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// Spec is the quadratic probe's line in the table of methods.
var Spec = model.Spec{
	Name: "probe", Title: "Quadratic probe",
	Source:   "Formont et al.: A Strong Baseline for Molecular Few-Shot Learning, TMLR 2025",
	Traits:   model.Traits{Untrained: true, NoEncoder: true, Fingerprints: true, ChecksBatches: true, TrainingOnly: classifiers.Prefix},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, tasks []int) (model.Method, error) {
		return newProbe(b, c, tasks)
	},
}

// probe is the method. The encoder of its body is laid out only if it is trained.
type probe struct {
	counts.Untrained
	Settings
	minimol bool                     // the given vectors are MiniMol's
	teacher *classifiers.Classifiers // nil if the encoder is not trained
}

func newProbe(b *model.Body, c model.Config, tasks []int) (*probe, error) {
	p := &probe{Untrained: counts.Untrained{Body: b}, Settings: c.Own.(Settings), minimol: c.Encoder == minimol}
	if p.Vectors == given {
		return p, nil
	}
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	if tasks != nil {
		p.teacher = classifiers.New(b, b.Readout.Width(), tasks)
		p.teacher.Angles() // the probe also reads only directions
	}
	return p, b.Set.Err()
}

// Check returns an error if a batch lacks data for a training step.
func (p *probe) Check(h *data.Batch) error { return p.teacher.Check(h) }

// Loss returns the cross entropy of all labelled molecules of the batch, with the classifiers of their tasks.
func (p *probe) Loss(b *model.Batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	if p.Vectors == given {
		return p.Untrained.Loss(b, m, s)
	}
	read, _ := p.Encode(b, m, nil, s)
	return p.teacher.Loss(b, func(which *ts.Tensor) *ts.Tensor { return read.Of(which, s) }, s)
}

// task is the probe of a support set.
type task struct {
	*probe
	stats   []*gnn.Stats
	classes [2]*class
}

func (p *probe) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	z, stats := p.vectors(support, support.SupportMol, support.Host.SupportMol, nil, s)
	return &task{p, stats, p.fit(z, support.Host.SupportLabel)}
}

// Score returns −τ times the distances to the classes as logits.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	z, _ := t.vectors(queries, queries.QueryMol, queries.Host.QueryMol, t.stats, s)
	room := newRoom(len(t.classes[0].z)+len(t.classes[1].z), len(t.classes[0].mean))
	logits := make([]float64, 0, 2*len(z))
	for _, v := range z {
		for _, c := range t.classes {
			logits = append(logits, -t.Temperature*c.distance(v, room))
		}
	}
	return model.Scores{Logits: t.Placed(logits, s), Layers: 1}
}

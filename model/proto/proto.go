package proto

import (
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/model"
	"pacia/model/shared/classifiers"
	"pacia/model/shared/means"
	"pacia/ops"
)

// Spec is prototypical networks' line in the table of methods.
var Spec = model.Spec{
	Name: "proto", Title: "ProtoNet",
	Source:   "Snell, Swersky and Zemel: Prototypical Networks for Few-shot Learning, NeurIPS 2017",
	Traits:   model.Traits{TrainingOnly: classifiers.Prefix, CachesStates: true, ChecksBatches: true},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, tasks []int) (model.Method, error) {
		return newProto(b, c.Own.(Settings), tasks)
	},
}

// proto is the method with its parameters.
type proto struct {
	*model.Body
	settings   Settings
	means      means.Means
	tasks      *classifiers.Classifiers // that train the encoder, or nil
	supervised bool                     // trained by tasks, not by episodes
}

func newProto(b *model.Body, c Settings, tasks []int) (*proto, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	p := &proto{Body: b, settings: c, supervised: c.Teaching == "tasks"}
	if c.Metric == "cosine" {
		p.means = means.Angles(b.Set)
	}
	if p.supervised && tasks != nil {
		p.tasks = classifiers.New(b, b.Readout.Width(), tasks)
		if p.means.Directions() {
			p.tasks.Angles() // the prototypes also read only directions
		}
	}
	return p, b.Set.Err()
}

// Adaptive is 0: prototypes are not parameters.
func (p *proto) Adaptive() int { return 0 }

// Check returns an error if a batch lacks data for a training step.
func (p *proto) Check(h *data.Batch) error {
	if p.supervised {
		return p.tasks.Check(h)
	}
	return model.CheckEpisodes(h)
}

// Loss returns the mean cross entropy of the queries of the batch or, if tasks train the
// encoder, of all its molecules with the classifiers of their tasks.
func (p *proto) Loss(b *model.Batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	if p.supervised {
		read, _ := p.Encode(b, m, nil, s)
		return p.tasks.Loss(b, func(which *ts.Tensor) *ts.Tensor { return read.Of(which, s) }, s)
	}
	return p.ComparedLoss(b, m, p.logits, s)
}

func (p *proto) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	return p.Comparison(support, p.logits, s)
}

func (p *proto) logits(of *model.Batch, vectors *ts.Tensor, queries *model.Batch, x *ts.Tensor, s *ops.Scope) *ts.Tensor {
	if slices.Contains(metrics, p.settings.Metric) {
		ofOne := p.settings.Single == "published"
		return s.Keep(metricLogits(p.settings.Metric, x, vectors, of.SupportLabel, queries.QueryTask, of.Host.Support, ofOne))
	}
	return p.means.Logits(of, vectors, queries, x, s)
}

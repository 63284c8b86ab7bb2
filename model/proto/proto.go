package proto

import (
	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/model"
	"pacia/model/classifiers"
	"pacia/model/means"
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, d width of a molecule's
// vector.

// Spec is prototypical networks' line in the table of methods.
var Spec = model.Spec{
	Name: "proto", Title: "ProtoNet",
	Source:   "Snell, Swersky and Zemel: Prototypical Networks for Few-shot Learning, NeurIPS 2017",
	Traits:   model.Traits{TrainingOnly: classifiers.Prefix},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, tasks []int) (model.Method, error) {
		return newProto(b, c.Own.(Settings), tasks)
	},
}

// Metrics that are not those of package means.
const (
	dot         = "dot"
	mahalanobis = "mahalanobis"
)

// proto is the method with its parameters.
type proto struct {
	*model.Body
	c      Settings
	means  means.Means
	tasks  *classifiers.Classifiers // which the encoder is taught by, or nil
	taught bool                     // by tasks
}

func newProto(b *model.Body, c Settings, tasks []int) (*proto, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	p := &proto{Body: b, c: c, taught: c.Teaching == "tasks"}
	if c.Metric == "cosine" {
		p.means = means.Angles(b.Set)
	}
	if p.taught && tasks != nil {
		p.tasks = classifiers.New(b, b.Readout.Width(), tasks)
		if p.means.Directions() {
			p.tasks.Angles() // the prototypes read no more than directions, either
		}
	}
	return p, b.Set.Err()
}

// Adaptive is 0: prototypes are no parameters.
func (p *proto) Adaptive() int { return 0 }

// Traits: the classifiers are found by the tasks' numbers, and libraries that factorise
// covariances on a GPU may wait for it.
func (p *proto) Traits(t model.Traits) model.Traits {
	t.ReadsHost = p.taught || p.c.Metric == mahalanobis
	return t
}

// Check says what a batch lacks for a training step.
func (p *proto) Check(h *data.Batch) error {
	if p.taught {
		return p.tasks.Check(h)
	}
	return model.CheckEpisodes(h)
}

// Loss is the mean cross entropy of the queries of the batch, or, of an encoder that
// is taught by tasks, of all its molecules by the classifiers of their tasks.
func (p *proto) Loss(b *model.Batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	read, _ := p.Encode(b, m, nil, s)
	if p.taught {
		return p.tasks.Loss(b, func(which *ts.Tensor) *ts.Tensor { return read.Of(which, s) }, s)
	}
	t := task{proto: p, support: b, vectors: read.Of(b.SupportMol, s)}
	return b.Loss(t.logits(b, read.Of(b.QueryMol, s), s), nil, ops.LossLast, s).Loss
}

// task is what a support set gave.
type task struct {
	*proto
	support *model.Batch
	stats   []*gnn.Stats
	vectors *ts.Tensor // [B·N, d]
}

func (p *proto) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	read, stats := p.Encode(support, ops.Mode{}, nil, s)
	return &task{p, support, stats, read.Of(support.SupportMol, s)}
}

// logits are [Q, 1, 2] of the vectors x [Q, d] of a batch's queries.
func (t *task) logits(queries *model.Batch, x *ts.Tensor, s *ops.Scope) *ts.Tensor {
	switch t.c.Metric {
	case dot:
		return s.Keep(ops.Dot.Logits(x, t.vectors, t.support.SupportLabel, queries.QueryTask, t.support.Host.Support, false))
	case mahalanobis:
		return s.Keep(ops.Mahalanobis.Logits(x, t.vectors, t.support.SupportLabel, queries.QueryTask, t.support.Host.Support, t.c.Single == "published"))
	}
	return t.means.Logits(t.support, t.vectors, queries, x, s)
}

func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.Encode(queries, ops.Mode{}, t.stats, s)
	return model.Scores{Logits: t.logits(queries, read.Of(queries.QueryMol, s), s), Layers: 1}
}

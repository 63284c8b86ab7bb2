package proto

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/model"
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, d width of a molecule's
// vector.

// Spec is prototypical networks' line in the table of methods.
var Spec = model.Spec{
	Name: "proto", Title: "ProtoNet",
	Source:   "Snell, Swersky and Zemel: Prototypical Networks for Few-shot Learning, NeurIPS 2017",
	Settings: func(string) model.Settings { return model.NoSettings{} },
	New:      func(b *model.Body, _ model.Config, _ []int) (model.Method, error) { return newProto(b) },
}

// proto is the method, which has no parameters beside the encoder's.
type proto struct{ *model.Body }

func newProto(b *model.Body) (*proto, error) {
	return &proto{b}, b.AddAll()
}

// Adaptive is 0: prototypes are no parameters.
func (p *proto) Adaptive() int { return 0 }

// Loss is the mean cross entropy of the queries of the batch.
func (p *proto) Loss(b *model.Batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	read, _ := p.Encode(b, m, nil, s)
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
	return s.Keep(ops.Distances(x, t.vectors, t.support.SupportLabel, queries.QueryTask, t.support.Host.Support))
}

func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.Encode(queries, ops.Mode{}, t.stats, s)
	return model.Scores{Logits: t.logits(queries, read.Of(queries.QueryMol, s), s), Layers: 1}
}

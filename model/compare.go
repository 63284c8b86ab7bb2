package model

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, d width of a molecule's
// vector.

// Compare returns logits [Q, 1, 2] of a batch's queries with vectors x [Q, d]. It compares
// them with vectors [B·N, d] of the support sets of their tasks, which are in the batch of.
type Compare func(of *Batch, vectors *ts.Tensor, queries *Batch, x *ts.Tensor, s *ops.Scope) *ts.Tensor

// ComparedLoss returns the mean cross entropy of the queries of a batch, with the logits that
// by returns.
func (b *Body) ComparedLoss(batch *Batch, m ops.Mode, by Compare, s *ops.Scope) *ts.Tensor {
	read, _ := b.Encode(batch, m, nil, s)
	support := read.Of(batch.SupportMol, s)
	return batch.Loss(by(batch, support, batch, read.Of(batch.QueryMol, s), s), nil, ops.LossLast, s).Loss
}

// Comparison adapts to a support set, for a method that only compares its vectors with
// those of queries. The scope must live as long as the task.
func (b *Body) Comparison(support *Batch, by Compare, s *ops.Scope) Task {
	read, stats := b.Encode(support, ops.Mode{}, nil, s)
	return &comparison{b, by, support, stats, read.Of(support.SupportMol, s)}
}

type comparison struct {
	*Body
	by      Compare
	support *Batch
	stats   []*gnn.Stats
	vectors *ts.Tensor // [N, d]
}

func (c *comparison) Score(queries *Batch, s *ops.Scope) Scores {
	read, _ := c.Encode(queries, ops.Mode{}, c.stats, s)
	return Scores{Logits: c.by(c.support, c.vectors, queries, read.Of(queries.QueryMol, s), s), Layers: 1}
}

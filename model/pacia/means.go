package pacia

import (
	"github.com/sugarme/gotch/ts"

	"pacia/model"
	"pacia/ops"
	"pacia/params"
)

// Legend: B tasks, N support molecules of a task, Q queries, d' width of a
// molecule's vector.

// means classifies by class means in place of the relation graph and the adaptive
// classifier: what is left of PACIA is the encoder with its hypernetworks.
type means struct{ factor *ts.Tensor } // [1]

// factor is what the logits begin with; see [ops.Distances].
const factor = 5

func newMeans(p *params.Set) *means {
	p.Part("metric")
	return &means{p.Constant("metric.factor", factor, 1)}
}

// logits [Q, 1, 2] of queries with the vectors query [Q, d'], from the vectors
// support [B·N, d'] of their tasks' support.
func (m *means) logits(of *model.Batch, support *ts.Tensor, queries *model.Batch, query *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return s.Keep(ops.Distances(query, support, of.SupportLabel, queries.QueryTask, m.factor, of.Host.Support))
}

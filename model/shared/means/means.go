package means

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/model"
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, d width of a molecule's
// vector.

// Means compares distances to class means. With [Angles] it compares directions.
type Means struct{ factor *ts.Tensor } // [1], or nil

// factor is the initial factor of the logits of directions: those of a query half way
// between a class mean and its opposite differ by 5.
const factor = 5

// Angles lays out the trained factor of logits of vectors of length 1.
func Angles(p *params.Set) Means {
	p.Part("metric")
	return Means{p.Constant("metric.factor", factor, 1)}
}

// Directions reports whether vectors are scaled to length 1.
func (m Means) Directions() bool { return m.factor != nil }

// Factor returns the trained factor [1] of directions, or nil.
func (m Means) Factor() *ts.Tensor { return m.factor }

// Logits returns the logits [Q, 1, 2] of queries with the vectors query [Q, d]. support
// [B·N, d] are the vectors of the support sets of their tasks, which are in the batch of.
func (m Means) Logits(of *model.Batch, support *ts.Tensor, queries *model.Batch, query *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return s.Keep(ops.Distances(query, support, of.SupportLabel, queries.QueryTask, m.factor, of.Host.Support))
}

package kernel

import (
	"gonum.org/v1/gonum/floats"

	"pacia/metrics"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/past"
	"pacia/ops"
)

// Legend: N support molecules, Q queries.

// Part returns the method with one part of what past assays give it.
func (k *kernel) Part(part model.PastPart) model.Method {
	if part == model.NoPast {
		without := *k
		without.past = nil
		return &without
	}
	only := *k
	if whole := *k.past; whole.Weights.Profile == 0 {
		whole.Weights.Profile = past.Usual.Profile
		only.past = &whole
	}
	return &alone{&only, part == model.Hits}
}

// alone ranks by how often molecules were active in past assays, or by the term of past assays in the kernel.
type alone struct {
	*kernel
	hits bool
}

// Adapt learns the labels of a support set.
func (a *alone) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	t := &aloneTask{alone: a, prior: metrics.Prior(support.Host.SupportLabel)}
	if a.hits {
		return t
	}
	rows, targets := a.rows(support, support.Host.SupportMol, s), balanced(support.Host.SupportLabel)
	t.recollection = a.past.recollect(rows, targets)
	alpha, _, err := regression(t.terms(rows, len(rows), true), targets, a.Noise)
	s.Check(err)
	t.alpha = alpha
	return t
}

// rows returns the labels of molecules in past assays.
func (a *alone) rows(b *model.Batch, numbers []int32, s *ops.Scope) []row {
	return a.past.measured(ops.Try(counts.Vectors(b.Host, numbers)).In(s))
}

// aloneTask is a support set.
type aloneTask struct {
	*alone
	recollection
	alpha []float64 // [N]
	prior float64
}

// Score returns the logits of queries: 0 and the score.
func (t *aloneTask) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	var logits []float64
	recollection := t.recollection // queries are scored concurrently
	recollection.weighted = nil
	near := make([]float64, len(t.alpha))
	for _, r := range t.rows(queries, queries.Host.QueryMol, s) {
		score := r.mean
		if !t.hits {
			recollection.term(r, near)
			score = floats.Dot(near, t.alpha)
		}
		logits = append(logits, 0, t.Slope*score+t.Offset+t.prior)
	}
	return model.Scores{Logits: t.body.Placed(logits, s), Layers: 1}
}

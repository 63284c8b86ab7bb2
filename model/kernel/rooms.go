package kernel

import (
	"math"
	"slices"

	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/potency"
	"pacia/ops"
)

// Legend: N support molecules, Q queries.

// room is a task with buffers of its own for the queries that it scores: several score at the same time.
type room struct {
	task
	molecules molecules    // Q queries
	which     []int        // the numbers of those that it scores
	fit       *potency.Fit // nil: the task learnt labels
}

// rooms returns the rooms for queries m: those without labels in past assays are scored without these, and
// queries without vectors of the pretrained encoder by the kernel without them.
func (t *task) rooms(m molecules) (all []*room) {
	of := t
	if t.bare != nil && len(m.vectors) == 0 {
		of = t.bare
	}
	whole := &room{task: *of, molecules: m, which: each.Order[int](len(m.counts)), fit: t.fit}
	whole.apart()
	if of.apartFromPast == nil {
		return []*room{whole}
	}
	lacks := func(q int) bool { return !whole.molecules.recalled(q).has() }
	m.past = nil
	without := &room{task: *of.apartFromPast, molecules: m, which: each.If(whole.which, lacks), fit: of.apartFromPast.fit}
	without.apart()
	whole.which = slices.DeleteFunc(whole.which, lacks)
	return each.If([]*room{whole, without}, func(r *room) bool { return len(r.which) > 0 })
}

// scoreAll sets logits [2Q], uncertainties [Q] and potencies [Q] of the queries of the room, as far as they are not empty.
func (r *room) scoreAll(logits []float64, scores *model.Scores, s *ops.Scope) {
	n := len(r.molecules.counts)
	if len(scores.Uncertainty) > 0 {
		r.near = make([]float64, 3*len(r.beta)*n)
	}
	of := make([]float64, n)
	for _, q := range r.which {
		of[q] = r.score(r.molecules, q)
		logits[2*q+1] = r.slope()*of[q] + r.Offset + r.prior
	}
	if r.near == nil {
		return
	}
	left, self := r.variances(r.molecules, s)
	for _, q := range r.which {
		scores.Uncertainty[q] = float32(math.Sqrt(left[q] / self[q]))
	}
	if r.fit == nil {
		return
	}
	potencies := r.fit.All(of, left)
	for _, q := range r.which {
		scores.Potency[q] = potencies[q]
	}
}

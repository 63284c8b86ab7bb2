package metamgnn

import (
	"pacia/data"
	"pacia/model"
	"pacia/model/shared/inner"
	"pacia/ops"
)

// Legend: d width of an atom's state.

// Check returns an error if a batch lacks data for a step.
func (*metamgnn) Check(h *data.Batch) error { return inner.Check(h) }

// Gradients adds the gradients of the outer loss, or of the loss of a support set alone in
// evaluation mode, and returns the loss. It changes the parameters temporarily and restores
// them, also if it fails.
func (m *metamgnn) Gradients(b *model.Batch, mode ops.Mode, s *ops.Scope) float64 {
	if len(b.Host.QueryMol) == 0 {
		mode.Training = false
		loss, _, err := m.pass(b.Host, mode)
		s.Check(err)
		return loss
	}
	step := inner.Begin(inner.Settings{Steps: m.Adaptation.Steps, Rate: m.Adaptation.Rate, Order: 1}, m.all(), m.phi(), false, s)
	defer step.Restore()
	support, queries := b.Host.Apart()
	var adapted []learnt
	for t := range support {
		adapted = append(adapted, m.descend(step, support[t], queries[t], func(pass int) ops.Mode { return inner.Mode(mode, t, pass) }, s))
	}
	loss, weights := m.weigh(adapted, s)
	s.Check(step.Sum.AddGradients(1, m.all(), 1)) // gradients of the attention
	for t, a := range adapted {
		s.Check(step.Sum.Add(1, a.gradient, weights[t]/float64(len(adapted))))
	}
	step.End(s)
	return loss
}

// learnt holds the results of the inner steps of one task.
type learnt struct {
	gradient ops.List  // of the queries' loss, by all parameters
	loss     float64   // Q_t
	vector   []float64 // e_t [d]; nil without attention
}

// descend makes the inner steps of a task on its support, and computes the gradient of the queries' loss. It leaves
// the parameters adapted.
func (m *metamgnn) descend(step *inner.Step, support, queries *data.Batch, mode func(pass int) ops.Mode, s *ops.Scope) (l learnt) {
	step.Descend(func(pass int) {
		_, vector, err := m.pass(support, mode(pass))
		s.Check(err)
		if pass == 0 {
			l.vector = vector
		}
	}, s)
	var err error
	l.loss, _, err = m.pass(queries, mode(m.Adaptation.Steps))
	s.Check(err)
	l.gradient = inner.Gradients(m.all(), false, s)
	s.Check(ops.ForgetGradients(m.all()))
	return l
}

// pass makes a pass over the mini-batches of labelled molecules. It adds the gradients of the
// sum of their losses, and returns that sum and the vector e of the task, nil without attention.
func (m *metamgnn) pass(h *data.Batch, mode ops.Mode) (loss float64, vector []float64, err error) {
	for i, part := range m.minibatches(h, data.Rand(mode.Key, stream, 1)) {
		err = ops.InScope(func(s *ops.Scope) {
			l, states := m.loss(part, mode.Site(uint64(i)), s)
			value := ops.Try(ops.Number(l)).In(s)
			loss += value
			if m.Weighting.Hidden > 0 {
				vector = m.halved(vector, states, s)
			}
			s.Check(ops.Backward(l))
		})
		if err != nil {
			return loss, nil, err
		}
	}
	return loss, vector, nil
}

package maml

import (
	"pacia/gnn/params"
	"pacia/model"
	"pacia/model/shared/inner"
	"pacia/ops"
)

// Gradients adds the gradients of the outer loss, or of the loss of a support set alone, and
// returns the loss. It changes the parameters temporarily and restores them, also if it fails.
func (m *maml) Gradients(b *model.Batch, mode ops.Mode, s *ops.Scope) (loss float64) {
	if len(b.Host.QueryMol) == 0 {
		return m.backward(b, mode, s)
	}
	second := m.inner.Order > 1
	step := inner.Begin(m.inner, m.parameters(), m.parameters(), second, s)
	defer step.Restore()
	var twin *maml
	if second {
		d := ops.Try(m.Double()).In(s)
		s.Own(d.Drop)
		twin = d.Method().(*maml)
	}
	support, queries := b.Host.Apart()
	for t := range support {
		share := 1 / float64(len(support))
		s.Check(ops.InScope(func(own *ops.Scope) {
			seen := m.Place(support[t], own)
			path := step.Descend(func(pass int) { m.backward(seen, inner.Mode(mode, t, pass), own) }, own)
			loss += m.backward(m.Place(queries[t], own), inner.Mode(mode, t, m.inner.Steps), own) / float64(len(support))
			v := inner.Gradients(m.parameters(), second, own)
			if second {
				seen := twin.Place(support[t], own)
				path.Through(v, twin.parameters(), distance, func(pass int) { twin.backward(seen, inner.Mode(mode, t, pass), own) }, own)
			}
			own.Check(step.Sum.Add(1, v, share))
		}))
	}
	step.End(s)
	return loss
}

// distance is the distance of both sides of a difference from the parameters. In double
// precision 1e-6 leaves an error of 1e-10, and is so small that a ReLU rarely changes sides.
const distance = 1e-6

// parameters returns all parameters, which each task adapts.
func (m *maml) parameters() ops.List { return params.Tensors(m.Set.Trained()) }

func (m *maml) backward(b *model.Batch, mode ops.Mode, s *ops.Scope) float64 {
	t := m.Loss(b, mode, s)
	loss := ops.Try(ops.Number(t)).In(s)
	s.Check(ops.Backward(t))
	return loss
}

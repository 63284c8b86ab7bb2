package model

import (
	"pacia/data"
	"pacia/ops"
)

// Backward runs one training step forward and backward. It returns the mean loss of
// the batch's tasks (Eq. 12) and leaves the gradients in the parameters. It updates
// the running averages of the batch norms. dropout is the key of the step's dropout
// masks. If the loss is not finite, the error is ops.ErrNotFinite and the gradients
// do not change.
func (m *Model) Backward(h *data.Batch, dropout uint64) (loss float64, err error) {
	if err := m.checkStep(h); err != nil {
		return 0, err
	}
	mode := ops.Mode{Training: true, Key: dropout}
	err = m.pass(h, func(b *Batch, s *ops.Scope) {
		if g, ok := m.method.(WithGradients); ok {
			loss = g.Gradients(b, mode, s)
			return
		}
		t := m.method.Loss(b, mode, s)
		var failed error
		loss, failed = ops.Number(t)
		s.Check(failed)
		s.Check(ops.Backward(t))
	})
	return loss, err
}

// pass copies a batch to the device and runs f with it.
func (m *Model) pass(h *data.Batch, f func(*Batch, *ops.Scope)) error {
	return m.passOn(h, nil, f)
}

// passOn is like pass, with a table of states or nil.
func (m *Model) passOn(h *data.Batch, table *stateCache, f func(*Batch, *ops.Scope)) error {
	return ops.InScope(func(s *ops.Scope) { f(m.batchOn(h, table, s), s) })
}

// LazyRows makes adam defer updates of rows of parameters that a step does not need. Both
// adam and the model must then be flushed before the model is used for anything else.
func (m *Model) LazyRows(adam *ops.Adam) error {
	if l, ok := m.method.(WithLazyRows); ok {
		return l.LazyRows(adam)
	}
	return nil
}

// ParamGroups sets the learning rates of parameters that have their own, as shares of adam's
// rate.
func (m *Model) ParamGroups(adam *ops.Adam) error {
	if p, ok := m.method.(WithParamGroups); ok {
		return p.ParamGroups(adam)
	}
	return nil
}

// Flush recomputes the values that the model derives from its parameters. Training steps do
// not update these.
func (m *Model) Flush() error {
	settler, ok := m.method.(WithFlush)
	if !ok {
		return nil
	}
	return ops.InScope(settler.Flush)
}

package model

import (
	"pacia/data"
	"pacia/ops"
)

// Backward runs one training step forward and backward: the mean loss of the
// batch's tasks (Eq. 12), and its gradients, which wait in the parameters.
// The running averages of the batch norms move. dropout is the key of the
// step's dropout masks. A loss that is not finite is an ops.ErrNotFinite and
// leaves the gradients as they were.
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

// pass puts a batch on the device and runs f with it.
func (m *Model) pass(h *data.Batch, f func(*Batch, *ops.Scope)) error {
	return m.passOn(h, nil, f)
}

// passOn is pass with a table of states, or nil.
func (m *Model) passOn(h *data.Batch, table *stateCache, f func(*Batch, *ops.Scope)) error {
	return ops.InScope(func(s *ops.Scope) { f(m.batchOn(h, table, s), s) })
}

// LazyRows lets rows of parameters that a step does not need wait for their updates by
// adam. Flush is then to be called before anything else reads the model.
func (m *Model) LazyRows(adam *ops.Adam) error {
	if l, ok := m.method.(WithLazyRows); ok {
		return l.LazyRows(adam)
	}
	return nil
}

// ParamGroups gives the parameters that have learning rates of their own their share of that
// of adam.
func (m *Model) ParamGroups(adam *ops.Adam) error {
	if p, ok := m.method.(WithParamGroups); ok {
		return p.ParamGroups(adam)
	}
	return nil
}

// Flush brings up to date what the model keeps about its parameters, which training
// steps do not.
func (m *Model) Flush() error {
	settler, ok := m.method.(WithFlush)
	if !ok {
		return nil
	}
	return ops.InScope(settler.Flush)
}

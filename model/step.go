package model

import (
	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/ops"
)

// Backward runs one training step forward and backward: the mean loss of the
// batch's tasks (Eq. 10), and its gradients, which wait in the parameters.
// The running averages of the batch norms move. dropout is the key of the
// step's dropout masks. A loss that is not finite is an ops.ErrNotFinite and
// leaves the gradients as they were.
func (m *Model) Backward(b *data.Batch, dropout uint64) (loss float64, err error) {
	mode := ops.Mode{Training: true, Key: dropout}
	if m.config.Method == Multitask {
		return m.backwardOfTasks(b, mode)
	}
	return m.backward(b, mode, nil)
}

func (m *Model) backward(h *data.Batch, mode ops.Mode, trace *Trace) (float64, error) {
	if err := checkStep(h); err != nil {
		return 0, err
	}
	b, err := m.newBatch(h)
	if err != nil {
		return 0, err
	}
	defer b.drop()
	var s scope
	defer s.drop()
	t, err := m.forward(b, mode, &s, trace)
	if err != nil {
		return 0, err
	}
	loss, err := ops.Number(t)
	if err != nil {
		return loss, err
	}
	return loss, ops.Backward(t)
}

// forward returns the loss of a batch that holds support and queries.
func (m *Model) forward(b *batch, mode ops.Mode, s *scope, trace *Trace) (*ts.Tensor, error) {
	h, _, err := m.encode(b, mode, nil, s, trace)
	if err != nil {
		return nil, err
	}
	supportMean, support, err := m.project(h, b, b.supportMol, s)
	if err != nil {
		return nil, err
	}
	queryMean, query, err := m.project(h, b, b.queryMol, s)
	if err != nil {
		return nil, err
	}
	trace.embeddings(supportMean, queryMean, support, query)
	layers, scores, err := m.relate(graphs{
		start:  ops.Nodes{Support: support, Query: query, Task: b.queryTask},
		labels: b.supportLabel, support: b.host.Support, k: b.host.Shots,
	}, mode, s, trace)
	if err != nil {
		return nil, err
	}
	return m.loss(layers, scores, b, s, trace)
}

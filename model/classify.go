package model

import (
	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: Q queries, L layers, d width of the nodes.

// loss is the training loss of a batch (Eq. 10). depth_loss says how the
// layers of the relation graph enter it:
//
//	nodes     the layers' nodes are averaged with weights softmax(p) (Eq. 5),
//	          then classified once
//	expected  every layer is classified; the cross entropies are averaged with
//	          weights softmax(p)
//	uniform   every layer is classified; the cross entropies are added up, so
//	          that p is never trained, as in the published code
//
// Without adapted depth the last layer is classified.
func (m *Model) loss(layers, scores []*ts.Tensor, b *batch, s *scope, trace *Trace) (*ts.Tensor, error) {
	form := ops.LossLast
	switch {
	case len(scores) == 0:
		layers = layers[len(layers)-1:]
	case m.config.DepthLoss == "nodes":
		mixture, p, err := ops.Mix(layers, scores, nil, false)
		if err != nil {
			return nil, err
		}
		s.tensors = append(s.tensors, mixture, p)
		layers = []*ts.Tensor{mixture}
	case m.config.DepthLoss == "expected":
		form = ops.LossExpected
	default:
		form = ops.LossUniform
	}
	logits, err := s.keep(m.layout.classifier.Logits(layers, b.supportLabel, b.queryTask, b.host.Support))
	if err != nil {
		return nil, err
	}
	if form == ops.LossLast {
		scores = nil
	}
	parts, err := ops.Loss(logits, b.queryLabel, b.queryWeight, scores, form, b.host.Tasks)
	if err != nil {
		return nil, err
	}
	trace.head(logits, parts)
	s.tensors = append(s.tensors, parts.Loss, parts.CrossEntropy)
	if parts.P != nil {
		s.tensors = append(s.tensors, parts.P)
	}
	return parts.Loss, nil
}

// decide classifies every query at its most plausible layer (Eq. 12), or at
// the last one: logits [Q, 1, 2], and p [Q, L], nil without adapted depth.
func (m *Model) decide(layers, scores []*ts.Tensor, labels, task *ts.Tensor, support int, s *scope) (logits, p *ts.Tensor, err error) {
	chosen := layers[len(layers)-1]
	if len(scores) > 0 {
		if chosen, p, err = ops.Mix(layers, scores, nil, true); err != nil {
			return nil, nil, err
		}
		s.tensors = append(s.tensors, chosen, p)
	}
	logits, err = s.keep(m.layout.classifier.Logits([]*ts.Tensor{chosen}, labels, task, support))
	return logits, p, err
}

package pacia

import (
	"cmp"

	"github.com/sugarme/gotch/ts"

	"pacia/model"
	"pacia/model/shared/predictor"
	"pacia/ops"
)

// Legend: Q queries, N support molecules, n = N+1 nodes of a graph, L = L_rel
// layers, d width of the nodes.

// relation holds the results of the relation graphs of a batch of queries.
type relation struct {
	layers    []*ts.Tensor // [L] of [Q, n, d], adapted to each query
	adjacency []*ts.Tensor // [L] of [Q, n, n], or nil
	scores    []*ts.Tensor // [L] of [Q, ·], plausibility in the last column; empty if depth is not adapted
}

// relate runs the relation graphs (Eqs. 4 and 5), adapted to each query (Eqs. 6 and 11).
func (p *pacia) relate(g predictor.Graphs, m ops.Mode, adjacency bool, s *ops.Scope) (r relation) {
	together := p.depthTogether(m)
	r.layers, r.adjacency = p.Relate(g, m, func(l int, nodes *ts.Tensor) *ts.Tensor {
		if together != nil {
			return nodes
		}
		s.At("hypernetwork of relation layer", l+1)
		mod := p.query.adapt(p.settings.Adapt.Predictor, m.Site(uint64(siteRelationHyper+10*l)), p.settings.Hyper.Dropout,
			func(h *ops.Hypernetwork, m ops.Mode) *ts.Tensor {
				return s.Keep(h.Nodes(nodes, g.Labels, g.Start.Task, g.Support, m))
			})
		if mod.p != nil {
			r.scores = append(r.scores, mod.p)
		}
		if mod.w == nil {
			return nodes
		}
		return s.Keep(ops.FiLMNodes(nodes, mod.w, mod.b, filmForms[p.settings.Film]))
	}, adjacency, s)
	if together != nil {
		m = m.Site(siteRelationHyper)
		m.Dropout = p.settings.Hyper.Dropout
		r.scores = s.KeepAll(together.NodesOfLayers(r.layers, g.Labels, g.Start.Task, g.Support, m))
	}
	return r
}

// depthTogether returns the hypernetwork if a training step can apply it to all layers
// at once, after the last layer: only if no layer needs the output of the one before.
func (p *pacia) depthTogether(m ops.Mode) *ops.Hypernetwork {
	if !m.Training || p.settings.Adapt.Predictor != "D" {
		return nil
	}
	return cmp.Or(p.query.joint, p.query.p)
}

// loss returns the training loss of a batch (Eq. 12). depth_loss determines the
// contribution of the layers of the relation graph: with nodes, their nodes are
// averaged with weights softmax(p) (Eq. 8), then classified once. With a form of
// [ops.LossForms], every layer is classified, and the form combines the cross
// entropies. Only expected trains p; uniform, the sum, is that of the published code.
//
// Without adapted depth the last layer is classified. The logits beside [Q, 1, 2], or nil, are added to those of each layer.
func (p *pacia) loss(r relation, g predictor.Graphs, b *model.Batch, beside *ts.Tensor, s *ops.Scope) *ts.Tensor {
	form, layers, scores := ops.LossLast, r.layers, r.scores
	switch {
	case len(scores) == 0:
		layers = layers[len(layers)-1:]
	case p.settings.DepthLoss == lossNodes:
		mixture, _ := s.Keep2(ops.Mix(layers, scores, nil, false))
		layers, scores = []*ts.Tensor{mixture}, nil
	default:
		form = ops.LossNamed(p.settings.DepthLoss)
	}
	logits := plus(p.Logits(layers, g, s), beside, s)
	parts := b.Loss(logits, scores, form, s)
	p.trace.head(logits, parts)
	return parts.Loss
}

// decide classifies every query at its most plausible layer (Eq. 13), or at
// the last one.
func (p *pacia) decide(r relation, g predictor.Graphs, beside *ts.Tensor, s *ops.Scope) model.Scores {
	chosen, scores := r.layers[p.Layers-1], model.Scores{Layers: p.Layers}
	if len(r.scores) > 0 {
		chosen, scores.P = s.Keep2(ops.Mix(r.layers, r.scores, nil, true))
	}
	scores.Logits = plus(p.Logits([]*ts.Tensor{chosen}, g, s), beside, s)
	return scores
}

package model

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: Q queries, N support molecules, n = N+1 nodes of a graph, L_rel
// layers, d width of the nodes.

// graphs is the relation graphs of a batch of queries.
type graphs struct {
	start   ops.Nodes  // what the first layer compares
	labels  *ts.Tensor // [B·N]
	support int        // N
	k       int        // neighbours that a node keeps
}

// relate runs the relation graph (Eqs. 3 and 4) and returns the nodes
// [Q, n, d] after each layer, adapted to each query (Eqs. 5 and 8), and the
// plausibility of each layer in the last column of scores [Q, ·], which is
// empty where depth is not adapted.
func (m *Model) relate(g graphs, mode ops.Mode, s *scope, trace *Trace) (layers, scores []*ts.Tensor, err error) {
	x, together := g.start, m.depthTogether(mode)
	for l := range m.layout.relation {
		nodes, adjacency, err := m.layout.relation[l].Layer(x, g.support, g.k, trace != nil)
		if err != nil {
			return nil, nil, fmt.Errorf("relation layer %d: %w", l+1, err)
		}
		s.tensors = append(s.tensors, nodes)
		trace.relation(nodes, adjacency)
		if together != nil {
			layers, x = append(layers, nodes), ops.Nodes{Graphs: nodes, Task: g.start.Task}
			continue
		}
		mod, err := m.layout.query.adapt(m.config.Adapt.Predictor, mode.Site(uint64(siteQuery+10*l)), m.config.Hyper.Dropout, s,
			func(h *ops.Hypernetwork, mode ops.Mode) (*ts.Tensor, error) {
				return h.Nodes(nodes, g.labels, g.start.Task, g.support, mode)
			})
		if err != nil {
			return nil, nil, fmt.Errorf("hypernetwork of relation layer %d: %w", l+1, err)
		}
		if mod.w != nil {
			if nodes, err = s.keep(ops.FiLMNodes(nodes, mod.w, mod.b, filmForms[m.config.Film])); err != nil {
				return nil, nil, err
			}
		}
		layers = append(layers, nodes)
		if mod.p != nil {
			scores = append(scores, mod.p)
		}
		x = ops.Nodes{Graphs: nodes, Task: g.start.Task}
	}
	if together != nil {
		if scores, err = together.NodesOfLayers(layers, g.labels, g.start.Task, g.support, mode); err != nil {
			return nil, nil, fmt.Errorf("hypernetwork of the relation layers: %w", err)
		}
		s.tensors = append(s.tensors, scores...)
	}
	return layers, scores, nil
}

// depthTogether is the hypernetwork of a training step on a GPU that all layers
// go through at once, after the last of them, to save launches; or nil where a
// layer's own output is needed by the next one, or dropout has places for each.
func (m *Model) depthTogether(mode ops.Mode) *ops.Hypernetwork {
	if !m.kernels || !mode.Training || m.config.Adapt.Predictor != "D" || m.config.Hyper.Dropout > 0 {
		return nil
	}
	if m.layout.query.joint != nil {
		return m.layout.query.joint
	}
	return m.layout.query.p
}

package pintuning

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/internal/each"
	"pacia/model/gsmeta"
	"pacia/ops"
)

// Legend: n selected molecules, g molecules of a batch, d' width of a molecule's vector.

// Logits returns the logits [n, 1, 2] of molecules.
func (n *network) Logits(m gsmeta.Molecules, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	x, _ := n.adapted(m, mode, false, s)
	return n.classifier.Read(joined(m, x, s), mode, s)
}

// Own returns the logits of a support set, normalised by its own statistics, and a network with these.
func (n *network) Own(m gsmeta.Molecules, s *ops.Scope) (*ts.Tensor, gsmeta.Network) {
	own := *n
	x, stats := n.adapted(m, ops.Mode{}, true, s)
	logits, classifier := n.classifier.ReadOwn(joined(m, x, s), s)
	own.stats, own.classifier = stats, classifier
	return logits, &own
}

// joined returns [x | c | t | x'] [n, 4d'].
func joined(m gsmeta.Molecules, adapted *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return s.Call("joined vectors", func() (*ts.Tensor, error) { return ts.Cat([]*ts.Tensor{m.Vectors, m.States, adapted}, 1) })
}

// adapted returns the vectors [n, d'] of the encoder with adapters. With own it normalises by the
// molecules' own statistics, and returns these.
func (n *network) adapted(m gsmeta.Molecules, mode ops.Mode, own bool, s *ops.Scope) (x *ts.Tensor, stats []*gnn.Stats) {
	g := m.Batch.Graph
	context := s.Keep(adapterContext(m.States, n.molecule, n.target))
	context = s.Keep(ops.Rows(context, n.first(m, s)))
	tables := each.Of(n.tables, func(t table) *ts.Tensor { return s.Keep(ops.Total(t.pretrained, t.difference)) })
	h := s.Keep(ops.Embed(g, tables[0], tables[1]))
	states := []*ts.Tensor{h}
	for l, of := range n.layers {
		gin := *of.gin
		gin.E1, gin.E2 = tables[2+2*l], tables[3+2*l]
		bare := ops.Convolution{Of: &gin, Norm: of.neutral}
		z := s.Keep(bare.Layer(h, g.Level(l), false, ops.Mode{}))
		next := behind{network: n, layer: l, graph: g, mode: mode.Site(uint64(l))}
		if own {
			h = next.own(z, context, &stats, s)
		} else {
			h = next.given(z, context, s)
		}
		states, context = append(states, h), nil
	}
	return n.body.Read(states, m.Batch, mode, s).Of(m.Which, s), stats
}

// behind is the part of a layer after GIN's own operation.
type behind struct {
	*network
	layer int
	graph *ops.Graph
	mode  ops.Mode
}

// relu reports whether the layer has a ReLU. The last layer has none.
func (b behind) relu() bool { return b.layer < len(b.layers)-1 }

func (b behind) own(z, context *ts.Tensor, stats *[]*gnn.Stats, s *ops.Scope) *ts.Tensor {
	h, mean, variance, err := b.layers[b.layer].adapter.support(z, context, b.graph, b.relu())
	s.Check(err)
	s.Keep2(mean, variance, nil)
	*stats = append(*stats, &gnn.Stats{Mean: mean, Var: variance})
	return s.Keep(h, nil)
}

func (b behind) given(z, context *ts.Tensor, s *ops.Scope) *ts.Tensor {
	adapter := b.layers[b.layer].adapter
	if b.stats != nil && !b.mode.Training {
		adapter.norm.Mean, adapter.norm.Var = b.stats[b.layer].Mean, b.stats[b.layer].Var
	}
	b.mode.Dropout = b.dropout
	return s.Keep(adapter.next(z, context, b.graph, b.relu(), b.mode))
}

// first returns the first place [g] of each molecule of the batch among the selected ones. A molecule
// that is selected twice has the context of its first place.
func (n *network) first(m gsmeta.Molecules, s *ops.Scope) *ts.Tensor {
	place := make([]int32, len(m.Batch.Host.MolPtr)-1)
	for i := len(m.Host) - 1; i >= 0; i-- {
		place[m.Host[i]] = int32(i)
	}
	return s.Keep(ops.Vector(place, n.body.Set.Device))
}

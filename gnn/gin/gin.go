// Package gin is the encoder of the paper: the graph isomorphism network with edge
// embeddings (Eq. 14, Xu et al. 2019, Hu et al. 2020).
package gin

import (
	"pacia/data/category"
	"pacia/gnn"
	"pacia/gnn/convolution"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes GIN.
var Spec = gnn.Spec{
	Name: "gin", Source: "Xu et al. 2019", Reads: gnn.Categories, Shares: gnn.SharesFirst, Joins: true, New: newGIN,
	LocalName: gnn.OwnOfHu, Mark: "mlp.0.weight",
}

func newGIN(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	return convolution.New(p, c, func(name string) ops.Aggregation {
		first := p.Linear(name+"mlp.0", c.Width, 2*c.Width, true, 0)
		second := p.Linear(name+"mlp.1", 2*c.Width, c.Width, true, 0)
		return &ops.GIN{
			W1: first.W, B1: first.B, W2: second.W, B2: second.B,
			E1: p.Embedding(name+"bond", category.BondTypes, c.Width),
			E2: p.Embedding(name+"direction", category.BondDirections, c.Width),
		}
	})
}

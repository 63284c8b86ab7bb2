// Package gat is the graph attention network (Veličković et al. 2018) with edge
// embeddings, as Hu et al. (2020) have it.
package gat

import (
	"pacia/data/category"
	"pacia/gnn"
	"pacia/gnn/convolution"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes GAT.
var Spec = gnn.Spec{Name: "gat", Source: "Veličković et al. 2018", Reads: gnn.Categories, New: newGAT, LocalName: gnn.OwnOfHu, Mark: "attention"}

// heads is the number of heads in the public weights of Hu et al. (2020).
const heads = 2

func newGAT(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	return convolution.New(p, c, func(name string) ops.Aggregation {
		wide := heads * c.Width
		linear := p.Linear(name+"linear", c.Width, wide, true, 0)
		return &ops.Attention{
			W: linear.W, B: linear.B,
			A:  p.Embedding(name+"attention", heads, 2*c.Width),
			C:  p.Constant(name+"bias", 0, int64(c.Width)),
			E1: p.Embedding(name+"bond", category.BondTypes, wide),
			E2: p.Embedding(name+"direction", category.BondDirections, wide),
		}
	})
}

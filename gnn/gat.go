package gnn

import (
	"pacia/data/category"
	"pacia/gnn/params"
	"pacia/ops"
)

// attentionHeads is what the public weights of Hu et al. (2020) have.
const attentionHeads = 2

// newGAT lays out the graph attention network (Veličković et al. 2018) with
// edge embeddings.
func newGAT(p *params.Set, c Config) *convolution {
	return newConvolution(p, c, func(name string) aggregation {
		wide := attentionHeads * c.Width
		linear := p.Linear(name+"linear", c.Width, wide, true, 0)
		return &ops.Attention{
			W: linear.W, B: linear.B,
			A:  p.Embedding(name+"attention", attentionHeads, 2*c.Width),
			C:  p.Constant(name+"bias", 0, int64(c.Width)),
			E1: p.Embedding(name+"bond", category.BondTypes, wide),
			E2: p.Embedding(name+"direction", category.BondDirections, wide),
		}
	})
}

package gnn

import (
	"pacia/data/category"
	"pacia/gnn/params"
	"pacia/ops"
)

// newGCN lays out the graph convolutional network (Kipf and Welling 2017) with
// edge embeddings: neighbours count by 1/√(deg u · deg v).
func newGCN(p *params.Set, c Config) *convolution { return newMean(p, c, ops.MeanGCN) }

// newMean lays out layers that take weighted means.
func newMean(p *params.Set, c Config, form ops.MeanForm) *convolution {
	return newConvolution(p, c, func(name string) aggregation {
		linear := p.Linear(name+"linear", c.Width, c.Width, true, 0)
		return &ops.Mean{
			Form: form, W: linear.W, B: linear.B,
			E1: p.Embedding(name+"bond", category.BondTypes, c.Width),
			E2: p.Embedding(name+"direction", category.BondDirections, c.Width),
		}
	})
}

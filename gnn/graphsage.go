package gnn

import (
	"pacia/gnn/params"
	"pacia/ops"
)

// newGraphSAGE lays out GraphSAGE (Hamilton et al. 2017) with edge embeddings:
// the mean over neighbours, divided by its length.
func newGraphSAGE(p *params.Set, c Config) *convolution { return newMean(p, c, ops.MeanSage) }

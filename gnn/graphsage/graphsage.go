// Package graphsage is GraphSAGE (Hamilton et al. 2017) with edge embeddings, as Hu et
// al. (2020) have it: the mean over neighbours, scaled to length 1.
package graphsage

import (
	"pacia/gnn"
	"pacia/gnn/convolution"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes GraphSAGE.
var Spec = gnn.Spec{
	Name: "graphsage", Source: "Hamilton et al. 2017", Reads: gnn.Categories, LocalName: gnn.OwnOfHu,
	New: func(p *params.Set, c gnn.Config) (gnn.Encoder, error) { return convolution.NewMean(p, c, ops.MeanSage) },
}

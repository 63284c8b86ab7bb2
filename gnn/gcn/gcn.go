// Package gcn is the graph convolutional network (Kipf and Welling 2017) with edge
// embeddings, as Hu et al. (2020) have it: neighbours count by 1/√(deg u · deg v).
package gcn

import (
	"pacia/gnn"
	"pacia/gnn/convolution"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes GCN.
var Spec = gnn.Spec{
	Name: "gcn", Source: "Kipf and Welling 2017", Reads: gnn.Categories, LocalName: gnn.OwnOfHu,
	New: func(p *params.Set, c gnn.Config) (gnn.Encoder, error) { return convolution.NewMean(p, c, ops.MeanGCN) },
}

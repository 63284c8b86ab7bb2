package pintuning

import (
	"slices"

	"github.com/sugarme/gotch/ts"

	_ "pacia/model/pintuning/op" // the operations
	"pacia/ops"
)

// Legend: A atoms, n molecules, d width of a state, d' of a molecule's vector, k of a bottleneck.

var (
	adapterOp        = ops.Named("adapter layer")
	adapterContextOp = ops.Named("adapter context")
)

// bottleneck is U ReLU(D x + b), without terms added to it.
type bottleneck struct{ down, bias, up *ts.Tensor } // [k, in], [k], [d, k]

func (b bottleneck) tensors() []*ts.Tensor { return []*ts.Tensor{b.down, b.bias, b.up} }

// adapter is the part of an encoder's layer after the aggregation of neighbours: a bottleneck with a
// skip connection, layer norm, and the batch norm per group, ReLU and dropout of the layer (Wang et al.
// 2024).
type adapter struct {
	bottleneck
	offset *ts.Tensor // [d], added to the bottleneck
	layer  ops.LayerNorm
	norm   ops.BatchNorm
}

// next returns the next states [A, d] from z [A, d], with ReLU if relu is set. The context [n, d] of
// molecules, unless nil, is added to their atoms. In training it updates the running averages.
func (l *adapter) next(z, context *ts.Tensor, g *ops.Graph, relu bool, m ops.Mode) (*ts.Tensor, error) {
	next, _, _, err := l.run(z, context, g, relu, m, false)
	return next, err
}

// support is like next, normalised by the atoms' own statistics, as [ops.Convolution.Support].
func (l *adapter) support(z, context *ts.Tensor, g *ops.Graph, relu bool) (next, mean, variance *ts.Tensor, err error) {
	return l.run(z, context, g, relu, ops.Mode{Training: true}, true)
}

func (l *adapter) run(z, context *ts.Tensor, g *ops.Graph, relu bool, m ops.Mode, own bool) (next, mean, variance *ts.Tensor, err error) {
	n := l.norm
	return adapterOp.Three(ops.Args{
		Mode: m,
		In: slices.Concat([]*ts.Tensor{z}, l.tensors(), []*ts.Tensor{l.offset, context, l.layer.Gamma, l.layer.Beta,
			n.Gamma, n.Beta, n.Mean, n.Var, g.Groups(), g.Molecules()}),
		Ints:  []int64{ops.Flag(m.Training), ops.Flag(relu), int64(m.Key), ops.Flag(own)},
		Reals: []float64{m.Dropout},
	})
}

// adapterContext returns the context [n, d] that the first adapter adds to the atoms of molecules, from
// the states [n, 2d'] of molecules and of their target.
func adapterContext(states *ts.Tensor, molecule, target bottleneck) (*ts.Tensor, error) {
	return adapterContextOp.One(ops.Args{In: slices.Concat([]*ts.Tensor{states}, molecule.tensors(), target.tensors())})
}

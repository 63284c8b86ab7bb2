package ops

import (
	"slices"

	"github.com/sugarme/gotch/ts"
)

// Legend: A atoms, n molecules, d width of a state, d' of a molecule's vector, k of a bottleneck.

var (
	adapterOp        = Named("adapter layer")
	adapterContextOp = Named("adapter context")
)

// Bottleneck is U ReLU(D x + b), without terms added to it.
type Bottleneck struct{ Down, Bias, Up *ts.Tensor } // [k, in], [k], [d, k]

func (b Bottleneck) tensors() []*ts.Tensor { return []*ts.Tensor{b.Down, b.Bias, b.Up} }

// Adapter is the part of an encoder's layer after the aggregation of neighbours: a bottleneck with a
// skip connection, layer norm, and the batch norm per group, ReLU and dropout of the layer (Wang et al.
// 2024).
type Adapter struct {
	Bottleneck
	Offset *ts.Tensor // [d], added to the bottleneck
	Layer  LayerNorm
	Norm   BatchNorm
}

// Next returns the next states [A, d] from z [A, d], with ReLU if relu is set. The context [n, d] of
// molecules, unless nil, is added to their atoms. In training it updates the running averages.
func (l *Adapter) Next(z, context *ts.Tensor, g *Graph, relu bool, m Mode) (*ts.Tensor, error) {
	next, _, _, err := l.run(z, context, g, relu, m, false)
	return next, err
}

// Support is like Next, normalised by the atoms' own statistics, as [Convolution.Support].
func (l *Adapter) Support(z, context *ts.Tensor, g *Graph, relu bool) (next, mean, variance *ts.Tensor, err error) {
	return l.run(z, context, g, relu, Mode{Training: true}, true)
}

func (l *Adapter) run(z, context *ts.Tensor, g *Graph, relu bool, m Mode, own bool) (next, mean, variance *ts.Tensor, err error) {
	n := l.Norm
	return adapterOp.Three(Args{
		Mode: m,
		In: slices.Concat([]*ts.Tensor{z}, l.tensors(), []*ts.Tensor{l.Offset, context, l.Layer.Gamma, l.Layer.Beta,
			n.Gamma, n.Beta, n.Mean, n.Var, g.bonds.group, g.mol}),
		Ints:  []int64{Flag(m.Training), Flag(relu), int64(m.Key), Flag(own)},
		Reals: []float64{m.Dropout},
	})
}

// AdapterContext returns the context [n, d] that the first adapter adds to the atoms of molecules, from
// the states [n, 2d'] of molecules and of their target.
func AdapterContext(states *ts.Tensor, molecule, target Bottleneck) (*ts.Tensor, error) {
	return adapterContextOp.One(Args{In: slices.Concat([]*ts.Tensor{states}, molecule.tensors(), target.tensors())})
}

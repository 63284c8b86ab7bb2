package ops

import "github.com/sugarme/gotch/ts"

// Legend: R nodes of a batch, atoms and one dummy for each molecule; k features of a
// node, d width, H heads.

var (
	matEmbedOp = Named("embed nodes")
	matOp      = Named("molecule attention layer")
)

// The weights of attention, distance and bond in the mixing of nodes, as in Maziarka et al. 2020.
// They are not trained.
const (
	MATAttention = 0.33
	MATDistance  = 0.33
	MATBond      = 1 - MATAttention - MATDistance
)

// EmbedNodes returns h⁰ = W x + b [R, d] of the features x [R, k] of a graph of
// [NewSpaceGraph], with W [d, k].
func EmbedNodes(g *Graph, l Linear) (*ts.Tensor, error) {
	return matEmbedOp.One(Args{In: []*ts.Tensor{g.features, l.W, l.B}})
}

// MAT is the parameters of one layer of the Molecule Attention Transformer:
//
//	h ← h + W_o [(0.33 softmax_j(q_i·k_j/√(d/H)) + F_ij) v_j]_heads + b_o,   q, k, v = W LN(h) + b
//	h ← h + LeakyReLU_0.1(W₁ LN(h) + b₁)
//
// with LN(x) = γ (x − mean)/(deviation + 1e-6) + β and the unbiased deviation. F is that of
// [SpaceGraph].
type MAT struct {
	Heads   int       // H
	Before  LayerNorm // of the attention
	QKV     Linear    // [3d, d]
	Out     Linear    // [d, d]
	Between LayerNorm
	Dense   Linear    // [d, d]
	After   LayerNorm // of the last layer's output; nil for others
}

// Layer returns the next states [R, d] of h [R, d].
func (l *MAT) Layer(h *ts.Tensor, g *Graph) (*ts.Tensor, error) {
	return matOp.One(Args{
		In: []*ts.Tensor{h, g.space.node, g.space.place, g.space.fixed, l.Before.Gamma, l.Before.Beta, l.QKV.W, l.QKV.B,
			l.Out.W, l.Out.B, l.Between.Gamma, l.Between.Beta, l.Dense.W, l.Dense.B, l.After.Gamma, l.After.Beta},
		Ints:  append([]int64{int64(l.Heads)}, g.space.sizes...),
		Reals: []float64{MATAttention},
	})
}

package mat

import (
	"slices"

	"github.com/sugarme/gotch/ts"

	_ "pacia/gnn/mat/op" // the operations
	"pacia/ops"
)

// Legend: R nodes of a batch, atoms and one dummy for each molecule; k features of a
// node, d width, H heads.

var (
	matEmbedOp = ops.Named("embed nodes")
	matOp      = ops.Named("molecule attention layer")
)

// The weights of attention, distance and bond in the mixing of nodes, as in Maziarka et al. 2020.
// They are not trained.
const (
	attentionWeight = 0.33
	distanceWeight  = 0.33
	bondWeight      = 1 - attentionWeight - distanceWeight
)

// embedNodes returns h⁰ = W x + b [R, d] of the features x [R, k] of a graph of
// [newSpaceGraph], with W [d, k].
func embedNodes(g *ops.Graph, l ops.Linear) (*ts.Tensor, error) {
	return matEmbedOp.One(ops.Args{In: []*ts.Tensor{g.Features(), l.W, l.B}})
}

// attentionLayer is the parameters of one layer of the Molecule Attention Transformer:
//
//	h ← h + W_o [(0.33 softmax_j(q_i·k_j/√(d/H)) + F_ij) v_j]_heads + b_o,   q, k, v = W LN(h) + b
//	h ← h + LeakyReLU_0.1(W₁ LN(h) + b₁)
//
// with LN(x) = γ (x − mean)/(deviation + 1e-6) + β and the unbiased deviation. F is that of
// [spaceGraph].
type attentionLayer struct {
	heads   int           // H
	before  ops.LayerNorm // of the attention
	qkv     ops.Linear    // [3d, d]
	out     ops.Linear    // [d, d]
	between ops.LayerNorm
	dense   ops.Linear    // [d, d]
	after   ops.LayerNorm // of the last layer's output; nil for others
}

// layer returns the next states [R, d] of h [R, d].
func (l *attentionLayer) layer(h *ts.Tensor, g *ops.Graph) (*ts.Tensor, error) {
	in, ints, err := placesOf(g)
	if err != nil {
		return nil, err
	}
	return matOp.One(ops.Args{
		In: slices.Concat([]*ts.Tensor{h}, in, []*ts.Tensor{l.before.Gamma, l.before.Beta, l.qkv.W, l.qkv.B,
			l.out.W, l.out.B, l.between.Gamma, l.between.Beta, l.dense.W, l.dense.B, l.after.Gamma, l.after.Beta}),
		Ints:  append([]int64{int64(l.heads)}, ints...),
		Reals: []float64{attentionWeight},
	})
}

// placesOf returns the places of the nodes of a graph of [newSpaceGraph], and the sizes of its blocks.
func placesOf(g *ops.Graph) (in []*ts.Tensor, sizes []int64, err error) {
	for _, name := range []string{inNode, inPlace, inFixed, inSizes} {
		t, err := g.Input(name)
		if err != nil {
			return nil, nil, err
		}
		in = append(in, t)
	}
	sizes, err = ops.ReadAs[int64](in[3])
	return in[:3], sizes, err
}

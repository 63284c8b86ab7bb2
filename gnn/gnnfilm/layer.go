package gnnfilm

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	_ "pacia/gnn/gnnfilm/op" // the operations
	"pacia/ops"
)

// Legend: A atoms, T bond types, k features, d width.

var (
	gnnFiLMOp      = ops.Named("gnn-film layer")
	gnnFiLMEmbedOp = ops.Named("gnn-film embedding")
)

// filmLayer is the parameters of one layer of GNN-FiLM (Brockschmidt 2020). Its messages are
// modulated by the receiving atom. [ops.FiLM] is the modulation of atoms by a task.
type filmLayer struct {
	activation gnn.Activation
	messages   *ts.Tensor // [T+1, d, d] of each bond type, then of an atom to itself
	modulation *ts.Tensor // [T+1, 2d, d]; the first d rows scale and the last shift
	norm       ops.LayerNorm
	between    ops.LayerNorm // follows norm; or none
	dense      *ts.Tensor    // [d, d] of a layer with tanh; or nil
}

// embed returns h⁰ = dropout(tanh(W x)) [A, d] of the atoms' features x [A, k], with
// W [d, k].
func embed(g *ops.Graph, w *ts.Tensor, m ops.Mode) (*ts.Tensor, error) {
	return gnnFiLMEmbedOp.One(ops.Args{Mode: m, In: []*ts.Tensor{g.Features(), w}, Ints: []int64{int64(m.Key)}, Reals: []float64{m.Rate()}})
}

// layer returns the next embeddings [A, d] of h [A, d], after dropout.
func (l *filmLayer) layer(h *ts.Tensor, g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	rowptr, col, code := g.Bonds()
	return gnnFiLMOp.One(ops.Args{
		Mode: m,
		In: []*ts.Tensor{h, rowptr, col, code, g.Molecules(), l.messages, l.modulation,
			l.norm.Gamma, l.norm.Beta, l.between.Gamma, l.between.Beta, l.dense},
		Ints:  []int64{int64(l.activation), int64(m.Key)},
		Reals: []float64{m.Rate()},
	})
}

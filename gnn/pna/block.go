package pna

import (
	"github.com/sugarme/gotch/ts"

	_ "pacia/gnn/pna/op" // the operations
	"pacia/ops"
)

// Legend: A atoms, H towers of width e, d = H·e, T bond types, p numbers of an
// aggregate of a tower, f inner width.

var (
	pnaOp      = ops.Named("pna block")
	pnaEmbedOp = ops.Named("embed features")
)

// block is the parameters of one block of FS-Mol's PNA encoder.
type block struct {
	messages, messagesB *ts.Tensor // [H, T, 3p, 2e], [H, T, 3p]: of [source | target]
	towers, towersB     *ts.Tensor // [d, H·12p], [d]
	alpha               *ts.Tensor // [1] ReZero
	gamma, beta         *ts.Tensor // [d] LayerNorm
	w1, b1              *ts.Tensor // [f, d], [f]
	w2, b2              *ts.Tensor // [d, f], [d]
}

// embed returns h⁰ = W x [A, d] of the atoms' features x [A, k], with W
// [d, k].
func embed(g *ops.Graph, w *ts.Tensor) (*ts.Tensor, error) {
	return pnaEmbedOp.One(ops.Args{In: []*ts.Tensor{g.Features(), w}})
}

// next returns the next embeddings [A, d] of h [A, d]. If like, the representatives after
// the layer, is not nil, it computes the embeddings of these and copies them to all other
// atoms. Dropout then has a mask for each representative.
func (l *block) next(h *ts.Tensor, g *ops.Graph, like *ops.Representatives, m ops.Mode) (*ts.Tensor, error) {
	rowptr, col, code := g.Bonds()
	self, row := like.Tensors()
	return pnaOp.One(ops.Args{
		Mode: m,
		In: []*ts.Tensor{h, rowptr, col, code, g.Molecules(), self, row, l.messages, l.messagesB, l.towers, l.towersB, l.alpha,
			l.gamma, l.beta, l.w1, l.b1, l.w2, l.b2},
		Ints:  []int64{int64(m.Key)},
		Reals: []float64{m.Rate()},
	})
}

package ops

import "github.com/sugarme/gotch/ts"

// Legend: A atoms, H towers of width e, d = H·e, T bond types, p numbers of an
// aggregate of a tower, f inner width.

var (
	pnaOp      = Named("pna block")
	pnaEmbedOp = Named("embed features")
)

// PNA is the parameters of one block of FS-Mol's PNA encoder.
type PNA struct {
	Messages, MessagesB *ts.Tensor // [H, T, 3p, 2e], [H, T, 3p]: of [source | target]
	Towers, TowersB     *ts.Tensor // [d, H·12p], [d]
	Alpha               *ts.Tensor // [1] ReZero
	Gamma, Beta         *ts.Tensor // [d] LayerNorm
	W1, B1              *ts.Tensor // [f, d], [f]
	W2, B2              *ts.Tensor // [d, f], [d]
}

// EmbedFeatures returns h⁰ = W x [A, d] of the atoms' features x [A, k], with W
// [d, k].
func EmbedFeatures(g *Graph, w *ts.Tensor) (*ts.Tensor, error) {
	return pnaEmbedOp.One(Args{In: []*ts.Tensor{g.features, w}})
}

// Block returns the next embeddings [A, d] of h [A, d]. If like, the representatives after
// the layer, is not nil, it computes the embeddings of these and copies them to all other
// atoms. Dropout then has a mask for each representative.
func (l *PNA) Block(h *ts.Tensor, g *Graph, like *Representatives, m Mode) (*ts.Tensor, error) {
	v := &g.bonds
	self, row := like.Tensors()
	return pnaOp.One(Args{
		Mode: m,
		In: []*ts.Tensor{h, v.rowptr, v.col, v.code, g.mol, self, row, l.Messages, l.MessagesB, l.Towers, l.TowersB, l.Alpha,
			l.Gamma, l.Beta, l.W1, l.B1, l.W2, l.B2},
		Ints:  []int64{int64(m.Key)},
		Reals: []float64{m.Rate()},
	})
}

package ops

import "github.com/sugarme/gotch/ts"

// Legend: A atoms, T bond types, k features, d width.

var (
	gnnFiLMOp      = Named("gnn-film layer")
	gnnFiLMEmbedOp = Named("gnn-film embedding")
	middleOp       = Named("mean of states")
)

// Activation is the activation of a message of GNN-FiLM.
type Activation int64

// The activations.
const (
	ActivationELU Activation = iota
	ActivationReLU
	ActivationTanh
)

// GNNFiLM is the parameters of one layer of GNN-FiLM (Brockschmidt 2020). Its messages are
// modulated by the receiving atom. [FiLM] is the modulation of atoms by a task.
type GNNFiLM struct {
	Activation Activation
	Messages   *ts.Tensor // [T+1, d, d] of each bond type, then of an atom to itself
	Modulation *ts.Tensor // [T+1, 2d, d]; the first d rows scale and the last shift
	Norm       LayerNorm
	Between    LayerNorm  // follows Norm; or none
	Dense      *ts.Tensor // [d, d] of a layer with tanh; or nil
}

// GNNFiLMEmbed returns h⁰ = dropout(tanh(W x)) [A, d] of the atoms' features x [A, k], with
// W [d, k].
func GNNFiLMEmbed(g *Graph, w *ts.Tensor, m Mode) (*ts.Tensor, error) {
	return gnnFiLMEmbedOp.One(Args{Mode: m, In: []*ts.Tensor{g.features, w}, Ints: []int64{int64(m.Key)}, Reals: []float64{m.Rate()}})
}

// Layer returns the next embeddings [A, d] of h [A, d], after dropout.
func (l *GNNFiLM) Layer(h *ts.Tensor, g *Graph, m Mode) (*ts.Tensor, error) {
	v := &g.bonds
	return gnnFiLMOp.One(Args{
		Mode: m,
		In: []*ts.Tensor{h, v.rowptr, v.col, v.code, g.mol, l.Messages, l.Modulation,
			l.Norm.Gamma, l.Norm.Beta, l.Between.Gamma, l.Between.Beta, l.Dense},
		Ints:  []int64{int64(l.Activation), int64(m.Key)},
		Reals: []float64{m.Rate()},
	})
}

// Middle returns the mean of two states h [R, d].
func Middle(h, earlier *ts.Tensor) (*ts.Tensor, error) {
	return middleOp.One(Args{In: []*ts.Tensor{h, earlier}})
}

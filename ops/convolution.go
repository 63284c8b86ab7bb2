package ops

import (
	"fmt"
	"slices"

	"github.com/sugarme/gotch/ts"
)

// Legend: A atoms, P rows before a layer, in and d widths, d' inner width, H heads.

var (
	ginOp       = Named("gin layer")
	meanOp      = Named("mean layer")
	attentionOp = Named("attention layer")
)

// Convolution is one layer of an encoder of Hu et al. (2020): an aggregation of an atom and its
// neighbours, batch norm per group, ReLU, dropout.
type Convolution struct {
	Of   Aggregation
	Norm BatchNorm
}

// BatchNorm is the parameters of a batch norm, all [d].
type BatchNorm struct {
	Gamma, Beta *ts.Tensor
	Mean, Var   *ts.Tensor // running averages; not trained
}

// Aggregation is the kind of a [Convolution] and its parameters: [GIN], [Mean] or [Attention].
type Aggregation interface{ inputs(v *Level) inputs }

// inputs holds the inputs of an operation, except h, the norm and those that all layers have.
type inputs struct {
	op         Operation
	parameters []*ts.Tensor
	structure  []*ts.Tensor
	more       []int64
	onRows     bool // it also runs on rows that represent several atoms
}

// GIN is the parameters of one layer (Eq. 14 with edge embeddings).
type GIN struct {
	W1, B1 *ts.Tensor // [d', d], [d']
	W2, B2 *ts.Tensor // [d, d'], [d]
	E1, E2 *ts.Tensor // [6, d] bond types, [3, d] bond directions
}

func (l *GIN) inputs(v *Level) inputs {
	return inputs{ginOp, []*ts.Tensor{l.W1, l.B1, l.W2, l.B2, l.E1, l.E2},
		[]*ts.Tensor{v.rowptr, v.col, v.code, v.self, v.spread, v.group, v.like}, []int64{int64(v.before)}, true}
}

// MeanForm defines how a [Mean] weights neighbours.
type MeanForm int64

// The forms of Mean.
const (
	MeanGCN  MeanForm = iota // by 1/√(deg u · deg v)
	MeanSage                 // by 1/deg v, then divided by the length of the sum
)

// Mean is the parameters of one layer of GCN or GraphSAGE with edge embeddings.
type Mean struct {
	Form   MeanForm
	W, B   *ts.Tensor // [d, in], [d]
	E1, E2 *ts.Tensor // [6, d] bond types, [3, d] bond directions
}

func (l *Mean) inputs(v *Level) inputs {
	return inputs{meanOp, []*ts.Tensor{l.W, l.B, l.E1, l.E2}, []*ts.Tensor{v.rowptr, v.col, v.code, v.group}, []int64{int64(l.Form)}, false}
}

// Attention is the parameters of one layer of GAT with edge embeddings.
type Attention struct {
	W, B   *ts.Tensor // [H·d, in], [H·d]
	A      *ts.Tensor // [H, 2d] scores, of target and source
	C      *ts.Tensor // [d] bias after the mean over heads
	E1, E2 *ts.Tensor // [6, H·d] bond types, [3, H·d] bond directions
}

func (l *Attention) inputs(v *Level) inputs {
	return inputs{attentionOp, []*ts.Tensor{l.W, l.B, l.A, l.C, l.E1, l.E2}, []*ts.Tensor{v.rowptr, v.col, v.code, v.group}, nil, false}
}

// Layer returns the next embeddings before FiLM from h [P, in], with ReLU if relu is set. They
// have a row for each row of the level, or for each atom if the level is spread to atoms. In
// training it updates the running averages.
func (l *Convolution) Layer(h *ts.Tensor, v *Level, relu bool, m Mode) (*ts.Tensor, error) {
	next, _, _, err := l.run(h, v, relu, m, false)
	return next, err
}

// Support is like Layer, normalised by each group's own statistics as in training,
// but without dropout or a change of the running averages. It also returns the
// statistics [d] of the last group with rows, in the form of running averages: the
// variance is divided by n−1.
func (l *Convolution) Support(h *ts.Tensor, v *Level, relu bool) (next, mean, variance *ts.Tensor, err error) {
	return l.run(h, v, relu, Mode{Training: true}, true)
}

func (l *Convolution) run(h *ts.Tensor, v *Level, relu bool, m Mode, own bool) (next, mean, variance *ts.Tensor, err error) {
	of, n := l.Of.inputs(v), l.Norm
	switch {
	case v.self != nil && !of.onRows:
		return nil, nil, nil, fmt.Errorf("%s: it runs on atoms, not on rows that stand for many", of.op.name)
	case v.distinct && m.Training:
		return nil, nil, nil, fmt.Errorf("%s: statistics of a batch are those of its atoms, not of rows that stand for many", of.op.name)
	}
	return of.op.Three(Args{
		Mode:  m,
		In:    slices.Concat([]*ts.Tensor{h}, of.parameters, []*ts.Tensor{n.Gamma, n.Beta, n.Mean, n.Var}, of.structure),
		Ints:  append([]int64{Flag(m.Training), Flag(relu), int64(m.Key), Flag(own)}, of.more...),
		Reals: []float64{m.Dropout},
	})
}

package ops

import (
	"fmt"

	"github.com/sugarme/gotch/ts"
)

// Legend: A atoms, in and d widths, H heads.

var (
	meanOp      = named("mean layer")
	attentionOp = named("attention layer")
)

// BatchNorm is the parameters of a batch norm, all [d].
type BatchNorm struct {
	Gamma, Beta *ts.Tensor
	Mean, Var   *ts.Tensor // running averages; not trained
}

// MeanForm is how a [Mean] weighs neighbours.
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

// Attention is the parameters of one layer of GAT with edge embeddings.
type Attention struct {
	W, B   *ts.Tensor // [H·d, in], [H·d]
	A      *ts.Tensor // [H, 2d] scores, of target and source
	C      *ts.Tensor // [d] bias after the mean over heads
	E1, E2 *ts.Tensor // [6, H·d] bond types, [3, H·d] bond directions
}

// Layer returns the next embeddings before FiLM [A, d] from h [A, in]: linear
// layer, aggregation, batch norm per group, ReLU where relu is set, dropout. In
// training the running averages move. It runs on atoms, not on rows that stand
// for many.
func (l *Mean) Layer(h *ts.Tensor, v *Level, n BatchNorm, relu bool, m Mode) (*ts.Tensor, error) {
	out, err := l.run(h, v, n, relu, m, false)
	return out[0], err
}

// Support is Layer as [GIN.Support] is GIN's.
func (l *Mean) Support(h *ts.Tensor, v *Level, n BatchNorm, relu bool) (next, mean, variance *ts.Tensor, err error) {
	out, err := l.run(h, v, n, relu, Mode{Training: true}, true)
	return out[0], out[1], out[2], err
}

func (l *Mean) run(h *ts.Tensor, v *Level, n BatchNorm, relu bool, m Mode, own bool) ([3]*ts.Tensor, error) {
	return convolve(meanOp, []*ts.Tensor{h, l.W, l.B, l.E1, l.E2}, v, n, relu, m, own, int64(l.Form))
}

// Layer is that of [Mean].
func (l *Attention) Layer(h *ts.Tensor, v *Level, n BatchNorm, relu bool, m Mode) (*ts.Tensor, error) {
	out, err := l.run(h, v, n, relu, m, false)
	return out[0], err
}

// Support is Layer as [GIN.Support] is GIN's.
func (l *Attention) Support(h *ts.Tensor, v *Level, n BatchNorm, relu bool) (next, mean, variance *ts.Tensor, err error) {
	out, err := l.run(h, v, n, relu, Mode{Training: true}, true)
	return out[0], out[1], out[2], err
}

func (l *Attention) run(h *ts.Tensor, v *Level, n BatchNorm, relu bool, m Mode, own bool) ([3]*ts.Tensor, error) {
	return convolve(attentionOp, []*ts.Tensor{h, l.W, l.B, l.A, l.C, l.E1, l.E2}, v, n, relu, m, own)
}

// convolve runs a layer. Its own inputs come first; more are its own integers.
func convolve(o op, in []*ts.Tensor, v *Level, n BatchNorm, relu bool, m Mode, own bool, more ...int64) (out [3]*ts.Tensor, err error) {
	if v.self != nil {
		return out, fmt.Errorf("%s: it runs on atoms, not on rows that stand for many", o.name)
	}
	key, err := m.key()
	if err != nil {
		return out, err
	}
	tensors, err := o.run(args{
		key:   key,
		in:    append(in, n.Gamma, n.Beta, n.Mean, n.Var, v.rowptr, v.col, v.code, v.group),
		ints:  append([]int64{flag(m.Training), flag(relu), int64(m.Key), flag(own)}, more...),
		reals: []float64{m.Dropout},
	}, 3)
	copy(out[:], tensors)
	return out, err
}

package ops

import (
	"fmt"
	"slices"

	"github.com/sugarme/gotch/ts"
)

// Legend: B tasks, Q queries, L layers, N support molecules, n = N+1, d width.

var (
	mixOp        = Named("mixture of layers")
	classifierOp = Named("classifier")
	lossOp       = Named("loss")
)

// Mix weights L layers by softmax(p) (Eqs. 7 and 8) or, with choose, takes the layer
// with the largest p (Eq. 13). scores are L outputs of a depth hypernetwork, whose
// last columns are p. With offsets [R+1], row r of p applies to rows
// offsets[r]..offsets[r+1] of the layers. Mix returns the mixture and p [R, L].
func Mix(layers, scores []*ts.Tensor, offsets *ts.Tensor, choose bool) (mixture, p *ts.Tensor, err error) {
	if len(layers) == 0 || len(layers) != len(scores) {
		return nil, nil, fmt.Errorf("%s: %d layers and %d scores", mixOp.name, len(layers), len(scores))
	}
	in := append([]*ts.Tensor{offsets}, layers...)
	return mixOp.Two(Args{
		In:   append(in, scores...),
		Ints: []int64{int64(len(layers)), Flag(choose)},
	})
}

// MixAtoms is like Mix for atoms [A, d], with p for each task.
func MixAtoms(layers, scores []*ts.Tensor, g *Graph, choose bool) (mixture, p *ts.Tensor, err error) {
	return Mix(layers, scores, g.bonds.task, choose)
}

// Classifier is the adaptive classifier (Eqs. 16 to 20): networks that map a
// class's prototype to the weights W and the bias B of its logit.
type Classifier struct {
	W, B [][]Linear // one network for both classes, or inactive then active
}

// Logits returns [Q, L, 2] for the queries of L layers of nodes [Q, n, d],
// with the labels [B·N] of the tasks' support and the tasks [Q] of the
// queries.
func (c *Classifier) Logits(layers []*ts.Tensor, labels, task *ts.Tensor, support int) (*ts.Tensor, error) {
	if len(layers) == 0 || len(c.W) == 0 || len(c.W) != len(c.B) {
		return nil, fmt.Errorf("%s: %d layers, %d networks of weights and %d of biases", classifierOp.name, len(layers), len(c.W), len(c.B))
	}
	in := append([]*ts.Tensor{labels, task}, layers...)
	var follow []int64
	for k := range c.W {
		w, f := Flatten(c.W[k])
		b, _ := Flatten(c.B[k])
		in = append(append(in, w...), b...)
		follow = f
	}
	return classifierOp.One(Args{
		In:   in,
		Ints: append([]int64{int64(len(layers)), int64(support), int64(len(c.W))}, follow...),
	})
}

// LossForm defines how the layers' cross entropies are combined to one loss: an index of [LossForms].
type LossForm int64

// LossLast is the form with the last layer's cross entropy alone.
const LossLast LossForm = 0

// LossText is the name of a form and its text in the explanation of settings.
type LossText struct{ Name, Text string }

// LossNamed returns the form of that name, which must be one of [LossForms].
func LossNamed(name string) LossForm {
	i := slices.IndexFunc(LossForms(), func(f LossText) bool { return f.Name == name })
	if i < 0 {
		panic("no loss " + name)
	}
	return LossForm(i)
}

// LossParts is a loss and its parts; Drop releases all.
type LossParts struct {
	Loss         *ts.Tensor // one number
	CrossEntropy *ts.Tensor // [Q, L]
	P            *ts.Tensor // [Q, L], or nil without scores
}

// Drop releases the tensors.
func (l *LossParts) Drop() { Drop(l.Loss, l.CrossEntropy, l.P) }

// Loss returns the loss of logits [Q, L, 2] against labels [Q], with weights
// [Q] of the queries that sum to 1. scores are the L outputs of the depth
// hypernetwork, or nothing.
func Loss(logits, labels, weights *ts.Tensor, scores []*ts.Tensor, form LossForm, tasks int) (*LossParts, error) {
	loss, entropy, p, err := lossOp.Three(Args{
		In:   append([]*ts.Tensor{logits, labels, weights}, scores...),
		Ints: []int64{int64(form), int64(tasks)},
	})
	return &LossParts{loss, entropy, p}, err
}

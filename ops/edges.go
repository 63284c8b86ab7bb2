package ops

import "github.com/sugarme/gotch/ts"

// Legend: B tasks, N support molecules of a task, Q queries, n = N + 1 nodes of a query's
// graph, d width of a molecule's vector, w of a node, L layers.

var edgesOp = Named("edge graph")

// NormedLinear is a linear layer W [out, in] without bias, followed by batch norm and
// LeakyReLU: scale γ, offset β and running averages, all [out].
type NormedLinear struct{ W, Gamma, Beta, Mean, Var *ts.Tensor }

func (l NormedLinear) tensors() []*ts.Tensor {
	return []*ts.Tensor{l.W, l.Gamma, l.Beta, l.Mean, l.Var}
}

// EdgeLayer is a layer of the edge-labelling network.
type EdgeLayer struct {
	Node [2]NormedLinear // 3d → 2w → w; 3w → 2w → w after the first layer
	Pair [4]NormedLinear // w → 2w → 2w → w → w
	Last Linear          // w → 1
}

// EdgeGraphs are graphs of each query with its task's support.
type EdgeGraphs struct {
	Layers []EdgeLayer
	Width  int // w
}

// Labelled is the output of edge graphs; Drop releases all.
type Labelled struct {
	Logits *ts.Tensor // [Q, 1, 2] log of the mean edge to inactive and to active molecules
	Loss   *ts.Tensor // one number, or nil without labels of the queries
	Nodes  *ts.Tensor // [L, Q, n, w]
	Edges  *ts.Tensor // [L, Q, 2, n, n] of equal labels, of different ones
}

// Drop releases the tensors.
func (l *Labelled) Drop() { Drop(l.Logits, l.Loss, l.Nodes, l.Edges) }

// Of labels the edges of queries x [Q, d] of tasks [Q] and supports [B·N, d] of n molecules
// with labels [B·N]. If answers, the labels [Q] of the queries, are not nil, it computes the
// loss of the edges between query and support (Kim et al. 2019), with equal weights of tasks.
// In training batch norm takes the statistics of all graphs of a task and updates its running
// averages. Otherwise it takes the running averages, so that graphs are independent.
func (g *EdgeGraphs) Of(x, support, labels, task, answers *ts.Tensor, n int, training bool) (*Labelled, error) {
	out, err := edgesOp.Run(g.args(x, support, labels, task, answers, n, training), 4)
	return &Labelled{out[0], out[1], out[2], out[3]}, err
}

// Loss returns the loss of Of.
func (g *EdgeGraphs) Loss(x, support, labels, task, answers *ts.Tensor, n int, training bool) (*ts.Tensor, error) {
	logits, loss, err := edgesOp.Two(g.args(x, support, labels, task, answers, n, training))
	Drop(logits)
	return loss, err
}

// Logits returns the logits of Of, outside of training.
func (g *EdgeGraphs) Logits(x, support, labels, task *ts.Tensor, n int) (*ts.Tensor, error) {
	return edgesOp.One(g.args(x, support, labels, task, nil, n, false))
}

func (g *EdgeGraphs) args(x, support, labels, task, answers *ts.Tensor, n int, training bool) Args {
	in := []*ts.Tensor{support, x, labels, task, answers}
	for _, l := range g.Layers {
		for _, b := range append(l.Node[:], l.Pair[:]...) {
			in = append(in, b.tensors()...)
		}
		in = append(in, l.Last.W, l.Last.B)
	}
	return Args{In: in, Ints: []int64{int64(n), int64(g.Width), int64(len(g.Layers)), Flag(training)}}
}

package egnn

import (
	"github.com/sugarme/gotch/ts"

	_ "pacia/model/egnn/op" // the operations
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, n = N + 1 nodes of a query's
// graph, d width of a molecule's vector, w of a node, L layers.

var edgesOp = ops.Named("edge graph")

// edgeLayer is a layer of the edge-labelling network.
type edgeLayer struct {
	node [2]ops.NormedLinear // 3d → 2w → w; 3w → 2w → w after the first layer
	pair [4]ops.NormedLinear // w → 2w → 2w → w → w
	last ops.Linear          // w → 1
}

// edgeGraphs are graphs of each query with its task's support.
type edgeGraphs struct {
	layers []edgeLayer
	width  int // w
}

// labelled is the output of edge graphs; drop releases all.
type labelled struct {
	logits *ts.Tensor // [Q, 1, 2] log of the mean edge to inactive and to active molecules
	loss   *ts.Tensor // one number, or nil without labels of the queries
	nodes  *ts.Tensor // [L, Q, n, w]
	edges  *ts.Tensor // [L, Q, 2, n, n] of equal labels, of different ones
}

// drop releases the tensors.
func (l *labelled) drop() { ops.Drop(l.logits, l.loss, l.nodes, l.edges) }

// of labels the edges of queries x [Q, d] of tasks [Q] and supports [B·N, d] of n molecules
// with labels [B·N]. If answers, the labels [Q] of the queries, are not nil, it computes the
// loss of the edges between query and support (Kim et al. 2019), with equal weights of tasks.
// In training batch norm takes the statistics of all graphs of a task and updates its running
// averages. Otherwise it takes the running averages, so that graphs are independent.
func (g *edgeGraphs) of(x, support, labels, task, answers *ts.Tensor, n int, training bool) (*labelled, error) {
	out, err := edgesOp.Run(g.args(x, support, labels, task, answers, n, training), 4)
	return &labelled{out[0], out[1], out[2], out[3]}, err
}

// loss returns the loss of [edgeGraphs.of].
func (g *edgeGraphs) loss(x, support, labels, task, answers *ts.Tensor, n int, training bool) (*ts.Tensor, error) {
	logits, loss, err := edgesOp.Two(g.args(x, support, labels, task, answers, n, training))
	ops.Drop(logits)
	return loss, err
}

// logits returns the logits of [edgeGraphs.of], outside of training.
func (g *edgeGraphs) logits(x, support, labels, task *ts.Tensor, n int) (*ts.Tensor, error) {
	return edgesOp.One(g.args(x, support, labels, task, nil, n, false))
}

func (g *edgeGraphs) args(x, support, labels, task, answers *ts.Tensor, n int, training bool) ops.Args {
	in := []*ts.Tensor{support, x, labels, task, answers}
	for _, l := range g.layers {
		for _, b := range append(l.node[:], l.pair[:]...) {
			in = append(in, b.Tensors()...)
		}
		in = append(in, l.last.W, l.last.B)
	}
	return ops.Args{In: in, Ints: []int64{int64(n), int64(g.width), int64(len(g.layers)), ops.Flag(training)}}
}

package par

import (
	"github.com/sugarme/gotch/ts"

	_ "pacia/model/par/op" // the operations
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, M of one task, n = N+1 nodes
// of a graph, d width of a molecule's vector, w of the nodes.

var (
	parLossOp   = ops.Named("par loss")
	parAdaptOp  = ops.Named("par adaptation")
	parNodesOp  = ops.Named("par nodes")
	parLogitsOp = ops.Named("par logits")
)

// head is the parameters of PAR's head. All except the relation layers are φ, which inner
// steps adapt.
type head struct {
	attention *ts.Tensor     // [3d, d] queries, keys and values of the tokens
	project   [2]ops.Linear  // 2d → w → w
	classify  [2]ops.Linear  // w → w → 2
	layers    []ops.Relation // on nodes of width w; hidden layers of pair networks without bias
}

// tasks are labelled molecules of tasks.
type tasks struct {
	support, query           *ts.Tensor // vectors [B·N, d], [Q, d] in the order of their tasks
	supportLabel, queryLabel *ts.Tensor // [B·N], [Q]
	n                        int
	queries                  []int64 // [B] of each task
	neighbours               int     // K that a node keeps
}

// steps are inner steps, and the head's rates of dropout in a training step: of the
// attention's weights and in the projection, and of the relation graph's nodes.
type steps struct {
	steps             int
	rate              float64 // α
	second            bool    // gradients go through the steps
	context, relation float64
	atOnce            int // pairs of molecules compared at a time, which limits memory; 0: 16,384
}

// phi lists the adapted tensors, in the operations' order.
func (h *head) phi() []*ts.Tensor {
	project, _ := ops.Flatten(h.project[:])
	classify, _ := ops.Flatten(h.classify[:])
	return append(append([]*ts.Tensor{h.attention}, project...), classify...)
}

// weights returns φ, followed by the weights that steps do not adapt.
func (h *head) weights() []*ts.Tensor {
	list := h.phi()
	for _, l := range h.layers {
		s := l.Similarity
		list = append(list, s[0].W, s[1].W, s[2].W, s[2].B, l.Node[0].W)
	}
	return list
}

// loss returns the mean over tasks of the loss of their queries, one number. The loss is the
// cross entropy plus the squared differences of a query's kept similarities to the support
// from 1 for equal and 0 for different classes, after inner steps on the same loss of the
// support. Its gradient is computed with it, and cannot be differentiated again.
func (h *head) loss(t tasks, s steps, m ops.Mode) (*ts.Tensor, error) {
	if !m.Training {
		s.context, s.relation = 0, 0
	}
	return parLossOp.One(ops.Args{
		In:    append([]*ts.Tensor{t.support, t.query, t.supportLabel, t.queryLabel}, h.weights()...),
		Ints:  append([]int64{int64(t.n), int64(t.neighbours), int64(s.steps), ops.Flag(s.second), int64(s.atOnce), int64(m.Key)}, t.queries...),
		Reals: []float64{s.rate, s.context, s.relation},
	})
}

// adaptedHead is a head after steps on a support set.
type adaptedHead struct {
	head                          // with the layers of the head before adapting
	entropy, adjacency *ts.Tensor // the parts of the loss before the first step
}

// drop releases the tensors that the steps made.
func (h *adaptedHead) drop() { ops.Drop(append(h.phi(), h.entropy, h.adjacency)...) }

// adapt makes steps on a support's vectors [N, d] and labels [N], without dropout. If
// partners is nil, the relation graph has the support alone. Otherwise there is a graph for
// each partner [M, d], with the support and the unlabelled partner. With averaged the mean
// adjacency of the graphs is compared with the labels, in place of each adjacency.
func (h *head) adapt(support, labels, partners *ts.Tensor, neighbours int, s steps, averaged bool) (*adaptedHead, error) {
	out, err := parAdaptOp.Run(ops.Args{
		In:    append([]*ts.Tensor{support, labels, partners}, h.weights()...),
		Ints:  []int64{int64(neighbours), int64(s.steps), 0, int64(s.atOnce), 0, ops.Flag(averaged)},
		Reals: []float64{s.rate, 0, 0},
	}, 11)
	if err != nil {
		return nil, err
	}
	after := func(of [2]ops.Linear, to []*ts.Tensor) [2]ops.Linear {
		of[0].W, of[0].B, of[1].W, of[1].B = to[0], to[1], to[2], to[3]
		return of
	}
	return &adaptedHead{
		head:    head{attention: out[0], project: after(h.project, out[1:5]), classify: after(h.classify, out[5:9]), layers: h.layers},
		entropy: out[9], adjacency: out[10],
	}, nil
}

// nodes returns the initial nodes [R, w] of molecules x [R, d] of a task with the support
// [N, d] and labels [N], and the output [R, d] of the attention to each molecule itself and
// the support's class means, without dropout.
func (h *head) nodes(support, labels, x *ts.Tensor) (nodes, attended *ts.Tensor, err error) {
	return parNodesOp.Two(ops.Args{In: append([]*ts.Tensor{support, labels, x}, h.phi()...)})
}

// logits classifies the nodes [Q, n, w] of graphs: all of them [Q, n, 2], or the last of
// each, which is the query's, [Q, 1, 2].
func (h *head) logits(nodes *ts.Tensor, last bool) (*ts.Tensor, error) {
	return parLogitsOp.One(ops.Args{In: append([]*ts.Tensor{nodes}, h.phi()...), Ints: []int64{ops.Flag(last)}})
}

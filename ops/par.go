package ops

import "github.com/sugarme/gotch/ts"

// Legend: B tasks, N support molecules of a task, Q queries, M of one task, n = N+1 nodes
// of a graph, d width of a molecule's vector, w of the nodes.

var (
	parLossOp   = Named("par loss")
	parAdaptOp  = Named("par adaptation")
	parNodesOp  = Named("par nodes")
	parLogitsOp = Named("par logits")
)

// PAR is the parameters of PAR's head. All except the relation layers are φ, which inner
// steps adapt.
type PAR struct {
	Attention *ts.Tensor // [3d, d] queries, keys and values of the tokens
	Project   [2]Linear  // 2d → w → w
	Classify  [2]Linear  // w → w → 2
	Layers    []Relation // on nodes of width w; hidden layers of pair networks without bias
}

// PARTasks are labelled molecules of tasks.
type PARTasks struct {
	Support, Query           *ts.Tensor // vectors [B·N, d], [Q, d] in the order of their tasks
	SupportLabel, QueryLabel *ts.Tensor // [B·N], [Q]
	N                        int
	Queries                  []int64 // [B] of each task
	Neighbours               int     // K that a node keeps
}

// PARSteps are inner steps, and the head's rates of dropout in a training step: of the
// attention's weights and in the projection, and of the relation graph's nodes.
type PARSteps struct {
	Steps             int
	Rate              float64 // α
	Second            bool    // gradients go through the steps
	Context, Relation float64
	AtOnce            int // pairs of molecules compared at a time, which limits memory; 0: 16,384
}

// phi lists the adapted tensors, in the operations' order.
func (p *PAR) phi() []*ts.Tensor {
	project, _ := Flatten(p.Project[:])
	classify, _ := Flatten(p.Classify[:])
	return append(append([]*ts.Tensor{p.Attention}, project...), classify...)
}

// weights returns φ, followed by the weights that steps do not adapt.
func (p *PAR) weights() []*ts.Tensor {
	list := p.phi()
	for _, l := range p.Layers {
		s := l.Similarity
		list = append(list, s[0].W, s[1].W, s[2].W, s[2].B, l.Node[0].W)
	}
	return list
}

// Loss returns the mean over tasks of the loss of their queries, one number. The loss is the
// cross entropy plus the squared differences of a query's kept similarities to the support
// from 1 for equal and 0 for different classes, after inner steps on the same loss of the
// support. Its gradient is computed with it, and cannot be differentiated again.
func (p *PAR) Loss(t PARTasks, s PARSteps, m Mode) (*ts.Tensor, error) {
	if !m.Training {
		s.Context, s.Relation = 0, 0
	}
	return parLossOp.One(Args{
		In:    append([]*ts.Tensor{t.Support, t.Query, t.SupportLabel, t.QueryLabel}, p.weights()...),
		Ints:  append([]int64{int64(t.N), int64(t.Neighbours), int64(s.Steps), Flag(s.Second), int64(s.AtOnce), int64(m.Key)}, t.Queries...),
		Reals: []float64{s.Rate, s.Context, s.Relation},
	})
}

// PARAdapted is a head after steps on a support set.
type PARAdapted struct {
	PAR                           // with the layers of the head before adapting
	Entropy, Adjacency *ts.Tensor // the parts of the loss before the first step
}

// Drop releases the tensors that the steps made.
func (p *PARAdapted) Drop() { Drop(append(p.phi(), p.Entropy, p.Adjacency)...) }

// Adapt makes steps on a support's vectors [N, d] and labels [N], without dropout. If
// partners is nil, the relation graph has the support alone. Otherwise there is a graph for
// each partner [M, d], with the support and the unlabelled partner. With averaged the mean
// adjacency of the graphs is compared with the labels, in place of each adjacency.
func (p *PAR) Adapt(support, labels, partners *ts.Tensor, neighbours int, s PARSteps, averaged bool) (*PARAdapted, error) {
	out, err := parAdaptOp.Run(Args{
		In:    append([]*ts.Tensor{support, labels, partners}, p.weights()...),
		Ints:  []int64{int64(neighbours), int64(s.Steps), 0, int64(s.AtOnce), 0, Flag(averaged)},
		Reals: []float64{s.Rate, 0, 0},
	}, 11)
	if err != nil {
		return nil, err
	}
	after := func(of [2]Linear, to []*ts.Tensor) [2]Linear {
		of[0].W, of[0].B, of[1].W, of[1].B = to[0], to[1], to[2], to[3]
		return of
	}
	return &PARAdapted{
		PAR:     PAR{Attention: out[0], Project: after(p.Project, out[1:5]), Classify: after(p.Classify, out[5:9]), Layers: p.Layers},
		Entropy: out[9], Adjacency: out[10],
	}, nil
}

// Nodes returns the initial nodes [R, w] of molecules x [R, d] of a task with the support
// [N, d] and labels [N], and the output [R, d] of the attention to each molecule itself and
// the support's class means, without dropout.
func (p *PAR) Nodes(support, labels, x *ts.Tensor) (nodes, attended *ts.Tensor, err error) {
	return parNodesOp.Two(Args{In: append([]*ts.Tensor{support, labels, x}, p.phi()...)})
}

// Logits classifies the nodes [Q, n, w] of graphs: all of them [Q, n, 2], or the last of
// each, which is the query's, [Q, 1, 2].
func (p *PAR) Logits(nodes *ts.Tensor, last bool) (*ts.Tensor, error) {
	return parLogitsOp.One(Args{In: append([]*ts.Tensor{nodes}, p.phi()...), Ints: []int64{Flag(last)}})
}

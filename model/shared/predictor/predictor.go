package predictor

import (
	"cmp"
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/model"
	"pacia/ops"
)

// Legend: Q queries, N support molecules, n = N+1 nodes of a graph, L_rel
// layers, d' width of a molecule's vector, d width of the nodes.

// Names under which parameters are counted.
const (
	partProjection = "projection"
	partRelation   = "relation graph"
	partClassifier = "classifier"
)

// Predictor holds the parameters.
type Predictor struct {
	Layers     int     // L_rel
	Width      int     // d
	dropout    float64 // of the nodes before the first relation layer
	projection []ops.Linear
	relation   []ops.Relation // [L_rel]; L_rel times the same one if it is shared
	classifier ops.Classifier
}

// New lays out the projection from vectors of width in, and the relation layers.
// AddClassifier lays out the rest, after a method's own parameters of the layers.
func New(p *params.Set, c Settings, in int) *Predictor {
	d := c.Relation.Width
	r := &Predictor{Layers: c.Relation.Layers, Width: d, dropout: c.Relation.Dropout}
	p.Part(partProjection)
	r.projection = []ops.Linear{
		p.Linear("projection.0", in, d, true, ops.Leaky),
		p.Linear("projection.1", d, d, true, 0),
	}
	r.addRelation(p, c.Relation)
	return r
}

// addRelation lays out the relation layers. Hidden layers of the pair network and the
// node update have no bias. In the paper, nodes of width 128 have hidden layers of
// 256 and 128, twice and once the width. On FS-Mol, nodes of width 256 have the same
// hidden layers.
func (r *Predictor) addRelation(p *params.Set, c Relation) {
	p.Part(partRelation)
	d, hidden := c.Width, c.Hidden
	hidden = cmp.Or(hidden, 2*d)
	half := max(1, hidden/2)
	for i := range c.Layers {
		if c.Share && i > 0 {
			r.relation = append(r.relation, r.relation[0])
			continue
		}
		name := fmt.Sprintf("relation.%d.", i)
		layer := ops.Relation{Similarity: [3]ops.Linear{
			p.Linear(name+"similarity.0", d, hidden, false, 0),
			p.Linear(name+"similarity.1", hidden, half, false, 0),
			p.Linear(name+"similarity.2", half, 1, true, 0),
		}}
		if c.Node == "single" {
			layer.Node = []ops.Linear{p.Linear(name+"node.0", 2*d, d, false, 0)}
		} else {
			layer.Node = []ops.Linear{p.Linear(name+"node.0", 2*d, hidden, false, 0), p.Linear(name+"node.1", hidden, d, false, 0)}
		}
		r.relation = append(r.relation, layer)
	}
}

// AddClassifier lays out MLP_w and MLP_b (Eqs. 16 to 19), which have three hidden
// layers, the second and third of them residual. With silent all logits begin at 0.
func (r *Predictor) AddClassifier(p *params.Set, c Settings, silent bool) {
	p.Part(partClassifier)
	names := []string{"classifier."}
	if !c.Classifier.Share {
		names = []string{"classifier.inactive.", "classifier.active."}
	}
	for _, name := range names {
		r.classifier.W = append(r.classifier.W, classifierMLP(p, name+"w", r.Width, r.Width, silent))
		r.classifier.B = append(r.classifier.B, classifierMLP(p, name+"b", r.Width, 1, silent))
	}
}

func classifierMLP(p *params.Set, name string, d, out int, silent bool) []ops.Linear {
	layers := []ops.Linear{p.Linear(name+".0", d, d, true, ops.Leaky)}
	for i := 1; i < 3; i++ {
		layers = append(layers, p.Linear(fmt.Sprintf("%s.%d", name, i), d, d, true, ops.Leaky|ops.Residual))
	}
	if silent {
		return append(layers, p.Zeros(name+".3", d, out))
	}
	return append(layers, p.Linear(name+".3", d, out, true, 0))
}

// Project maps vectors [m, d'] of molecules to nodes [m, d]: MLP_R of Eq. 15.
func (r *Predictor) Project(vectors *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return s.Keep(ops.MLP(vectors, r.projection, ops.Mode{}))
}

// Graphs holds the relation graphs of a batch of queries, one for each.
type Graphs struct {
	Start   ops.Nodes  // input of the first layer
	Labels  *ts.Tensor // [B·N]
	Support int        // N
	Shots   int        // neighbours that a node keeps
}

// GraphsOf returns the graphs of the queries of a batch, with support nodes [B·N, d]
// and query nodes [Q, d]. The batch support has the labels.
func GraphsOf(support *model.Batch, supportNodes *ts.Tensor, queries *model.Batch, query *ts.Tensor) Graphs {
	return Graphs{
		Start:  ops.Nodes{Support: supportNodes, Query: query, Task: queries.QueryTask},
		Labels: support.SupportLabel, Support: support.Host.Support, Shots: support.Host.Shots,
	}
}

// After changes the nodes [Q, n, d] after relation layer l, counted from 0, as
// the method defines it.
type After func(l int, nodes *ts.Tensor) *ts.Tensor

// layer runs relation layer l (Eqs. 4 and 5) on x and returns its nodes [Q, n, d]
// and, if adjacency is set, its adjacency [Q, n, n].
func (r *Predictor) layer(l int, x ops.Nodes, g Graphs, adjacency bool, s *ops.Scope) (nodes, adjacent *ts.Tensor) {
	s.At("relation layer", l+1)
	return s.Keep2(r.relation[l].Layer(x, g.Support, g.Shots, adjacency))
}

// siteNodes is the key of the dropout of nodes.
const siteNodes = 4000

// start returns the input of the first layer. With dropout, each query has a graph of its own.
func (r *Predictor) start(g Graphs, m ops.Mode, s *ops.Scope) ops.Nodes {
	if !m.Training || r.dropout == 0 {
		return g.Start
	}
	m.Dropout = r.dropout
	return ops.Nodes{Graphs: s.Keep(g.Start.Dropped(g.Support, m.Site(siteNodes))), Task: g.Start.Task}
}

// Relate runs the relation graph, in training with dropout of its nodes. It returns the nodes [Q, n, d] of each layer, as
// changed by after unless that is nil, and the adjacency [Q, n, n] of each layer if
// adjacency is set.
func (r *Predictor) Relate(g Graphs, m ops.Mode, after After, adjacency bool, s *ops.Scope) (layers, adjacent []*ts.Tensor) {
	x := r.start(g, m, s)
	for l := range r.relation {
		nodes, a := r.layer(l, x, g, adjacency, s)
		if after != nil {
			nodes = after(l, nodes)
		}
		layers, adjacent = append(layers, nodes), append(adjacent, a)
		x = ops.Nodes{Graphs: nodes, Task: g.Start.Task}
	}
	s.At("", 0)
	return layers, adjacent
}

// Logits classifies each query after each of the layers (Eqs. 16 to 20): [Q, L, 2].
func (r *Predictor) Logits(layers []*ts.Tensor, g Graphs, s *ops.Scope) *ts.Tensor {
	return s.Keep(r.classifier.Logits(layers, g.Labels, g.Start.Task, g.Support))
}

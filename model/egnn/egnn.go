package egnn

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/model"
	"pacia/ops"
)

// Legend: d width of a molecule's vector, w of a node.

// Spec is the edge-labelling network's line in the table of methods.
var Spec = model.Spec{
	Name: "egnn", Title: "EGNN",
	Source:   "J. Kim, T. Kim, S. Kim and Yoo: Edge-Labeling Graph Neural Network for Few-shot Learning, CVPR 2019",
	Traits:   model.Traits{CachesStates: true},
	Settings: func(string) model.Settings { return ForPreset() },
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		return newEGNN(b, c.Own.(Settings))
	},
}

// egnn is the method with its parameters.
type egnn struct {
	*model.Body
	graphs *edgeGraphs
}

func newEGNN(b *model.Body, c Settings) (*egnn, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	b.Set.Part("graph")
	return &egnn{b, layOut(b.Set, c.Graph, b.Readout.Width())}, b.Set.Err()
}

// layOut makes the layers on molecules d wide.
func layOut(p *params.Set, c Graph, d int) *edgeGraphs {
	g, w := &edgeGraphs{width: c.Width}, c.Width
	for l := range c.Layers {
		name := fmt.Sprintf("graph.%d.", l)
		g.layers = append(g.layers, edgeLayer{
			node: [2]ops.NormedLinear(blocks(p, name+"node", 3*d, 2*w, w)),
			pair: [4]ops.NormedLinear(blocks(p, name+"pair", w, 2*w, 2*w, w, w)),
			last: p.Linear(name+"pair.last", w, 1, true, 0),
		})
		d = w
	}
	return g
}

// blocks lays out linear layers with batch norm, from the first width to the last.
func blocks(p *params.Set, name string, widths ...int) (list []ops.NormedLinear) {
	for i, out := range widths[1:] {
		name, d := fmt.Sprintf("%s.%d", name, i), int64(out)
		list = append(list, ops.NormedLinear{
			W:     p.Linear(name, widths[i], out, false, 0).W,
			Gamma: p.Constant(name+".norm.weight", 1, d),
			Beta:  p.Constant(name+".norm.bias", 0, d),
			Mean:  p.Running(name+".norm.mean", 0, d),
			Var:   p.Running(name+".norm.var", 1, d),
		})
	}
	return list
}

// Adaptive is 0: a task takes one forward pass.
func (e *egnn) Adaptive() int { return 0 }

// Loss returns the loss of the edges between queries and support.
func (e *egnn) Loss(b *model.Batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	read, _ := e.Encode(b, m, nil, s)
	query, support := read.Of(b.QueryMol, s), read.Of(b.SupportMol, s)
	return s.Keep(e.graphs.loss(query, support, b.SupportLabel, b.QueryTask, b.QueryLabel, b.Host.Support, m.Training))
}

func (e *egnn) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	return e.Comparison(support, e.logits, s)
}

func (e *egnn) logits(of *model.Batch, vectors *ts.Tensor, queries *model.Batch, x *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return s.Keep(e.graphs.logits(x, vectors, of.SupportLabel, queries.QueryTask, of.Host.Support))
}

package gsmeta

import (
	"github.com/sugarme/gotch/ts"

	_ "pacia/model/gsmeta/op" // the operations
	"pacia/ops"
)

// Legend: M queries of a task, T properties, the target first, N support molecules, d width.

var propertyOp = ops.Named("property graph")

// propertyLayer is a layer of GS-META's relation graphs.
type propertyLayer struct {
	pair  [2]ops.NormedLinear // of exp(−|x_i − x_j|): d → h → h'
	last  ops.Linear          // h' → 1
	root  ops.Linear          // d → d, of a node itself
	near  ops.Linear          // d → d, of its neighbours
	types *ts.Tensor          // [4, d] of edges: between molecules, inactive, active, not measured
	norm  ops.BatchNorm
}

// propertyGraphs are graphs of molecules and properties, one for each query of a task
// (Zhuang et al. 2023).
type propertyGraphs struct {
	layers  []propertyLayer
	before  float64 // dropout of nodes before the first layer
	dropout float64 // dropout in the layers
}

// Types of an edge between a molecule and a property.
const (
	edgeInactive   uint8 = 1
	edgeActive     uint8 = 2
	edgeUnmeasured uint8 = 3
)

// propertyTask holds the inputs of a task's graphs.
type propertyTask struct {
	support, query *ts.Tensor // [N, d], [M, d]; nil: one graph, without a query
	target, others *ts.Tensor // [1, d], [T − 1, d]; nil: no other property
	known, asked   *ts.Tensor // [N, T], [M, T] types of edges, uint8; the type between query and target is not read
	shots          int        // K: a molecule sends along its K − 1 most similar pairs, at least one
}

// of returns the states [R, 2d] of the queries or, without queries, of the support, each joined with the
// target's state in its graph, and the vector [d] of the graphs. In training batch norm takes the
// statistics of all graphs and updates its running averages. Otherwise it takes the running averages, so
// that graphs are independent.
func (g *propertyGraphs) of(t propertyTask, m ops.Mode) (states, vector *ts.Tensor, err error) {
	a := ops.Args{
		In:    []*ts.Tensor{t.support, t.query, t.target, t.others, t.known, t.asked},
		Ints:  []int64{int64(t.shots), int64(len(g.layers)), ops.Flag(m.Training), int64(m.Key)},
		Reals: []float64{0, 0},
	}
	if m.Training {
		a.Reals = []float64{g.before, g.dropout}
	}
	for _, l := range g.layers {
		a.In = append(append(a.In, l.pair[0].Tensors()...), l.pair[1].Tensors()...)
		a.In = append(a.In, l.last.W, l.last.B, l.root.W, l.root.B, l.near.W, l.near.B, l.types,
			l.norm.Gamma, l.norm.Beta, l.norm.Mean, l.norm.Var)
	}
	return propertyOp.Two(a)
}

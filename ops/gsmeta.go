package ops

import "github.com/sugarme/gotch/ts"

// Legend: M queries of a task, T properties, the target first, N support molecules, d width.

var (
	propertyOp           = Named("property graph")
	propertyClassifierOp = Named("property classifier")
)

// Norm is batch norm with scale γ, offset β and running averages, all [d].
type Norm struct{ Gamma, Beta, Mean, Var *ts.Tensor }

// PropertyLayer is a layer of GS-META's relation graphs.
type PropertyLayer struct {
	Pair  [2]NormedLinear // of exp(−|x_i − x_j|): d → h → h'
	Last  Linear          // h' → 1
	Root  Linear          // d → d, of a node itself
	Near  Linear          // d → d, of its neighbours
	Types *ts.Tensor      // [4, d] of edges: between molecules, inactive, active, not measured
	Norm  Norm
}

// PropertyGraphs are graphs of molecules and properties, one for each query of a task
// (Zhuang et al. 2023).
type PropertyGraphs struct {
	Layers  []PropertyLayer
	Before  float64 // dropout of nodes before the first layer
	Dropout float64 // dropout in the layers
}

// PropertyClassifier classifies molecules.
type PropertyClassifier struct {
	Hidden NormedLinear // in → c, with ReLU
	Bias   *ts.Tensor   // [c] of Hidden
	Last   Linear       // c → 1
}

// Of returns logits [R, 1, 2] of x [R, in]. In training batch norm takes the statistics of x and updates
// its running averages. Otherwise it takes the running averages.
func (c *PropertyClassifier) Of(x *ts.Tensor, training bool) (*ts.Tensor, error) {
	in := append([]*ts.Tensor{x}, c.Hidden.tensors()...)
	return propertyClassifierOp.One(Args{In: append(in, c.Bias, c.Last.W, c.Last.B), Ints: []int64{Flag(training)}})
}

// Types of an edge between a molecule and a property.
const (
	EdgeInactive   uint8 = 1
	EdgeActive     uint8 = 2
	EdgeUnmeasured uint8 = 3
)

// PropertyTask holds the inputs of a task's graphs.
type PropertyTask struct {
	Support, Query *ts.Tensor // [N, d], [M, d]; nil: one graph, without a query
	Target, Others *ts.Tensor // [1, d], [T − 1, d]; nil: no other property
	Known, Asked   *ts.Tensor // [N, T], [M, T] types of edges, uint8; the type between query and target is not read
	Shots          int        // K: a molecule sends along its K − 1 most similar pairs, at least one
}

// Of returns the states [R, 2d] of the queries or, without queries, of the support, each joined with the
// target's state in its graph, and the vector [d] of the graphs. In training batch norm takes the
// statistics of all graphs and updates its running averages. Otherwise it takes the running averages, so
// that graphs are independent.
func (g *PropertyGraphs) Of(t PropertyTask, m Mode) (states, vector *ts.Tensor, err error) {
	a := Args{
		In:    []*ts.Tensor{t.Support, t.Query, t.Target, t.Others, t.Known, t.Asked},
		Ints:  []int64{int64(t.Shots), int64(len(g.Layers)), Flag(m.Training), int64(m.Key)},
		Reals: []float64{0, 0},
	}
	if m.Training {
		a.Reals = []float64{g.Before, g.Dropout}
	}
	for _, l := range g.Layers {
		a.In = append(append(a.In, l.Pair[0].tensors()...), l.Pair[1].tensors()...)
		a.In = append(a.In, l.Last.W, l.Last.B, l.Root.W, l.Root.B, l.Near.W, l.Near.B, l.Types,
			l.Norm.Gamma, l.Norm.Beta, l.Norm.Mean, l.Norm.Var)
	}
	return propertyOp.Two(a)
}

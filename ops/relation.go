package ops

import (
	"fmt"

	"github.com/sugarme/gotch/ts"
)

// Legend: B tasks, Q queries, N support molecules, n = N+1 nodes (support,
// then the query), K neighbours kept, d width.

var (
	relationOp = Named("relation layer")
	graphsOp   = Named("relation graphs")
)

// Relation is the parameters of one layer of the relation graph.
type Relation struct {
	Similarity [3]Linear // the pair network of Eq. 4: d → d' → d'' → 1
	Node       []Linear  // the node update of Eq. 5: 2d → … → d, LeakyReLU after each
}

// Nodes is the input of a relation layer: the graphs [Q, n, d] of the previous
// layer or, in the first layer, the support [B·N, d] that the queries [Q, d] of a
// task share.
type Nodes struct {
	Graphs         *ts.Tensor
	Support, Query *ts.Tensor
	Task           *ts.Tensor // [Q] ascending
}

// Dropped returns the graphs [Q, n, d] of the first layer, with dropout of their entries in training.
// Each graph has a mask of its own, also for the support of its task.
func (x Nodes) Dropped(support int, m Mode) (*ts.Tensor, error) {
	return graphsOp.One(Args{
		Mode:  m,
		In:    []*ts.Tensor{x.Support, x.Query, x.Task},
		Ints:  []int64{int64(support), int64(m.Key)},
		Reals: []float64{m.Rate()},
	})
}

// Layer returns the nodes [Q, n, d] after one layer and, with wantAdjacency, the
// adjacency [Q, n, n]: the K largest similarities of each row, before they are
// normalised to sum 1.
func (r *Relation) Layer(x Nodes, support, k int, wantAdjacency bool) (nodes, adjacency *ts.Tensor, err error) {
	if k < 1 {
		return nil, nil, fmt.Errorf("%s: %d neighbours; a node keeps at least one", relationOp.name, k)
	}
	in := []*ts.Tensor{x.Graphs, nil, x.Task}
	if x.Graphs == nil {
		in = []*ts.Tensor{x.Support, x.Query, x.Task}
	}
	similarity, _ := Flatten(r.Similarity[:])
	node, _ := Flatten(r.Node)
	return relationOp.Two(Args{
		In:   append(append(in, similarity...), node...),
		Ints: []int64{int64(support), int64(k), Flag(wantAdjacency)},
	})
}

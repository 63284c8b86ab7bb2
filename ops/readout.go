package ops

import "github.com/sugarme/gotch/ts"

// Legend: A atoms, R of them stand for all, n molecules, d width, s width of the joined states, H
// heads of c numbers, q hidden width, o width of a part.

var (
	jumpOp     = Named("jumping knowledge")
	middleOp   = Named("mean of states")
	poolOp     = Named("pool")
	combinedOp = Named("combined readout")
)

// JumpForm defines how the states of all layers become one.
type JumpForm int64

// The forms of jumping knowledge (Xu et al. 2018), over h⁰ … h^L.
const (
	JumpLast   JumpForm = iota // the last
	JumpSum                    // their sum
	JumpMax                    // the largest of each entry
	JumpConcat                 // all, joined
)

// Jump returns one state for all layers' states [A, d], for each atom, or for each
// representative of like if it is not nil: [R, d], or [R, (L+1)·d].
func Jump(states []*ts.Tensor, form JumpForm, like *Representatives) (*ts.Tensor, error) {
	self, _ := like.Tensors()
	return jumpOp.One(Args{In: append([]*ts.Tensor{self}, states...), Ints: []int64{int64(form)}})
}

// Middle returns the mean of two states h [R, d].
func Middle(h, earlier *ts.Tensor) (*ts.Tensor, error) {
	return middleOp.One(Args{In: []*ts.Tensor{h, earlier}})
}

// PoolForm defines how a molecule's atoms become one vector.
type PoolForm int64

// The forms of pooling.
const (
	PoolMean PoolForm = iota
	PoolSum
	PoolMax
)

// Pool returns a vector of every molecule of the graph, [n, d], from its atoms'
// rows of h [A, d].
func Pool(h *ts.Tensor, g *Graph, form PoolForm) (*ts.Tensor, error) {
	return poolOp.One(Args{In: []*ts.Tensor{h, g.mol}, Ints: []int64{int64(form)}})
}

// Pooler sums the values of a molecule's atoms, weighted in each head by their
// scores. Both are MLPs with one hidden layer and a ReLU.
type Pooler struct {
	Scores, Values [2]Linear  // [q, s] and [H, q]; [q, s] and [H·c, q]
	Combination    *ts.Tensor // [o, H·c]
}

func (p *Pooler) tensors() []*ts.Tensor {
	s, v := p.Scores, p.Values
	return []*ts.Tensor{s[0].W, s[0].B, s[1].W, s[1].B, v[0].W, v[0].B, v[1].W, v[1].B, p.Combination}
}

// Combined is FS-Mol's "combined" readout.
type Combined struct {
	Mean, Sum Pooler     // weighted by a softmax over the molecule, and by a sigmoid
	Max       *ts.Tensor // [o, s]
	Out       *ts.Tensor // [out, 3o]
}

// Readout returns a vector of every molecule, [n, out], from its atoms' rows of x
// [A, s], or the representatives' rows [R, s] if like is not nil.
func (c *Combined) Readout(x *ts.Tensor, g *Graph, like *Representatives) (*ts.Tensor, error) {
	_, row := like.Tensors()
	in := append([]*ts.Tensor{x, g.mol, row}, c.Mean.tensors()...)
	return combinedOp.One(Args{In: append(append(in, c.Sum.tensors()...), c.Max, c.Out)})
}

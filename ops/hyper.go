package ops

import (
	"fmt"
	"slices"

	"github.com/sugarme/gotch/ts"
)

// Legend: R sets (tasks, or queries), N support molecules of a set, B tasks,
// n = N+1 nodes, d width.

var (
	mlpOp   = Named("mlp")
	hyperOp = Named("hypernetwork")
)

// Follow lists the steps after a linear layer.
type Follow int64

// Steps that can follow a linear layer; combined by addition.
const (
	Leaky    Follow = 1 << iota // LeakyReLU, slope 0.01
	Residual                    // the layer's input is added
	Dropout                     // dropout
)

// Linear is one linear layer, W [out, in] and b [out] or nil, and the steps
// after it.
type Linear struct {
	W, B   *ts.Tensor
	Follow Follow
}

// MLP applies layers one after the other to x [..., in].
func MLP(x *ts.Tensor, layers []Linear, m Mode) (*ts.Tensor, error) {
	in, follow := Flatten(layers)
	return mlpOp.One(Args{
		Mode:  m,
		In:    append([]*ts.Tensor{x}, in...),
		Ints:  append([]int64{int64(m.Key)}, follow...),
		Reals: []float64{m.Rate()},
	})
}

// Hypernetwork is the common form of all hypernetworks (Eqs. 9 to 11).
type Hypernetwork struct {
	Molecule []Linear // on each support molecule joined with its one-hot label
	Means    []Linear // on the class means [r− | r+]; may be empty
	Last     []Linear // on these, joined with the query if Query is set
	Query    bool

	// The ablations of the paper's appendix.
	Unlabelled bool // labels are not joined with the molecules
	Averaged   bool // (r− + r+)/2 in place of [r− | r+]
}

// Task runs a hypernetwork on the support t [B·N, d] of B tasks with labels
// [B·N]: [B, out].
func (h *Hypernetwork) Task(t, labels *ts.Tensor, support int, m Mode) (*ts.Tensor, error) {
	return single(h.run([]*ts.Tensor{t}, labels, nil, support, m))
}

// Nodes runs a hypernetwork on relation graphs [Q, n, d], given the labels
// [B·N] of the tasks' support and the tasks [Q] of the queries: [Q, out].
func (h *Hypernetwork) Nodes(nodes, labels, task *ts.Tensor, support int, m Mode) (*ts.Tensor, error) {
	return single(h.run([]*ts.Tensor{nodes}, labels, task, support, m))
}

// NodesOfLayers is like Nodes, for the same graphs after several layers. These are
// processed together: dropout draws its masks for the rows of all layers.
func (h *Hypernetwork) NodesOfLayers(layers []*ts.Tensor, labels, task *ts.Tensor, support int, m Mode) ([]*ts.Tensor, error) {
	if len(layers) == 0 {
		return nil, fmt.Errorf("%s: no layers", hyperOp.name)
	}
	return h.run(layers, labels, task, support, m)
}

func (h *Hypernetwork) run(x []*ts.Tensor, labels, task *ts.Tensor, support int, m Mode) ([]*ts.Tensor, error) {
	layers := make([]Linear, 0, len(h.Molecule)+len(h.Means)+len(h.Last))
	layers = append(append(append(layers, h.Molecule...), h.Means...), h.Last...)
	in, follow := Flatten(layers)
	return hyperOp.Run(Args{
		Mode: m,
		In:   slices.Concat([]*ts.Tensor{labels, task}, x, in),
		Ints: append([]int64{int64(len(x)), int64(support), int64(m.Key), int64(len(h.Molecule)), int64(len(h.Means)),
			Flag(h.Query), Flag(h.Unlabelled), Flag(h.Averaged)}, follow...),
		Reals: []float64{m.Rate()},
	}, len(x))
}

func single(t []*ts.Tensor, err error) (*ts.Tensor, error) {
	return t[0], err
}

// Flatten lists weights and following steps in the form of the C++ layer.
func Flatten(layers []Linear) (weights []*ts.Tensor, follow []int64) {
	for _, l := range layers {
		weights = append(weights, l.W, l.B)
		follow = append(follow, int64(l.Follow))
	}
	return weights, follow
}

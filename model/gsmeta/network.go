package gsmeta

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/model"
	"pacia/ops"
)

// Legend: n molecules of a batch, d width of a vector, c of the hidden layer.

var classifierOp = ops.Named("property classifier")

// Network computes logits of molecules after the graphs, for a method that learns like GS-META.
type Network interface {
	// Logits returns the logits [n, 1, 2] of molecules.
	Logits(m Molecules, mode ops.Mode, s *ops.Scope) *ts.Tensor
	// Own returns the logits of a support set in evaluation, normalised by its own statistics, and
	// a network with these statistics in place of running averages.
	Own(m Molecules, s *ops.Scope) (*ts.Tensor, Network)
}

// Molecules holds the molecules of an episode's support or queries.
type Molecules struct {
	Batch   *model.Batch
	Host    []int32    // [n] their numbers in the batch
	Which   *ts.Tensor // [n] the same on the device
	Vectors *ts.Tensor // [n, d] of the encoder
	States  *ts.Tensor // [n, 2d] after the graphs, of a molecule and of the target
}

// Classifier is a network with one hidden layer with batch norm.
type Classifier struct {
	hidden ops.NormedLinear // in → c, with ReLU
	bias   *ts.Tensor       // [c] of hidden
	last   ops.Linear       // c → 1
}

// NewClassifier lays out a Classifier of vectors of width in, with a hidden layer of the given width.
func NewClassifier(p *params.Set, in, width int) Classifier {
	p.Part("classifier")
	hidden := p.Linear("classifier.0", in, width, true, 0)
	n := norm(p, "classifier.0.norm", width)
	return Classifier{
		hidden: ops.NormedLinear{W: hidden.W, Gamma: n.Gamma, Beta: n.Beta, Mean: n.Mean, Var: n.Var},
		bias:   hidden.B,
		last:   p.Linear("classifier.1", width, 1, true, 0),
	}
}

// logits returns logits [n, 1, 2] of x [n, in]. In training batch norm takes the statistics of x and updates
// its running averages. Otherwise it takes the running averages.
func (c Classifier) logits(x *ts.Tensor, training bool) (*ts.Tensor, error) {
	in := append([]*ts.Tensor{x}, c.hidden.Tensors()...)
	return classifierOp.One(ops.Args{In: append(in, c.bias, c.last.W, c.last.B), Ints: []int64{ops.Flag(training)}})
}

// Read returns logits [n, 1, 2] of x [n, in].
func (c Classifier) Read(x *ts.Tensor, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	return s.Keep(c.logits(x, mode.Training))
}

// ReadOwn is like Read but normalises by the statistics of x. It also returns a classifier with these.
func (c Classifier) ReadOwn(x *ts.Tensor, s *ops.Scope) (*ts.Tensor, Classifier) {
	var own averages
	own.renew(s, &c.hidden.Mean, &c.hidden.Var)
	logits := c.Read(x, ops.Mode{Training: true}, s)
	own.fill(s)
	return logits, c
}

// Logits returns the logits of the states.
func (c Classifier) Logits(m Molecules, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	return c.Read(m.States, mode, s)
}

// Own returns the logits of the states, normalised by their own statistics.
func (c Classifier) Own(m Molecules, s *ops.Scope) (*ts.Tensor, Network) {
	return c.ReadOwn(m.States, s)
}

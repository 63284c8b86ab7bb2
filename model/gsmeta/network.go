package gsmeta

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/model"
	"pacia/ops"
)

// Legend: n molecules of a batch, d width of a vector.

// Network is what a method that learns as GS-META does makes of molecules behind the graphs.
type Network interface {
	// Logits are those of molecules [n, 1, 2].
	Logits(m Molecules, mode ops.Mode, s *ops.Scope) *ts.Tensor
	// Own are the logits of a support set in evaluation by its own statistics, and the network
	// that has these in place of its running averages.
	Own(m Molecules, s *ops.Scope) (*ts.Tensor, Network)
}

// Molecules are those of an episode's support, or its queries, with what is known of them.
type Molecules struct {
	Batch   *model.Batch
	Host    []int32    // [n] their graphs in the batch
	Which   *ts.Tensor // [n] the same on the device
	Vectors *ts.Tensor // [n, d] of the encoder
	States  *ts.Tensor // [n, 2d] behind the graphs, of a molecule and of the target
}

// Classifier reads molecules by one hidden layer with batch norm.
type Classifier struct{ ops.PropertyClassifier }

// NewClassifier lays out one of vectors so wide.
func NewClassifier(p *params.Set, in, width int) Classifier {
	p.Part("classifier")
	hidden := p.Linear("classifier.0", in, width, true, 0)
	n := norm(p, "classifier.0.norm", width)
	return Classifier{ops.PropertyClassifier{
		Hidden: ops.NormedLinear{W: hidden.W, Gamma: n.Gamma, Beta: n.Beta, Mean: n.Mean, Var: n.Var},
		Bias:   hidden.B,
		Last:   p.Linear("classifier.1", width, 1, true, 0),
	}}
}

// Read returns logits [n, 1, 2] of x [n, in].
func (c Classifier) Read(x *ts.Tensor, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	return s.Keep(c.Of(x, mode.Training))
}

// ReadOwn is Read by the statistics of x, and a classifier that has these.
func (c Classifier) ReadOwn(x *ts.Tensor, s *ops.Scope) (*ts.Tensor, Classifier) {
	var own averages
	own.renew(s, &c.Hidden.Mean, &c.Hidden.Var)
	logits := c.Read(x, ops.Mode{Training: true}, s)
	own.fill(s)
	return logits, c
}

// Logits are those of the states.
func (c Classifier) Logits(m Molecules, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	return c.Read(m.States, mode, s)
}

// Own are those of the states by their statistics.
func (c Classifier) Own(m Molecules, s *ops.Scope) (*ts.Tensor, Network) {
	return c.ReadOwn(m.States, s)
}

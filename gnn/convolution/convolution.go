// Package convolution is the common part of the encoders of Hu et al. (2020): GIN, GCN, GraphSAGE
// and GAT.
package convolution

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/ops"
)

// Legend: d width.

// convolution is an encoder. Only the aggregation of neighbours differs between these encoders.
type convolution struct {
	config       gnn.Config
	atom, chiral *ts.Tensor
	layers       []ops.Convolution
}

// New lays out an encoder; layer lays out one layer's own part, with names that start with name.
func New(p *params.Set, c gnn.Config, layer func(name string) ops.Aggregation) (gnn.Encoder, error) {
	p.Part("encoder")
	e := &convolution{
		config: c,
		atom:   p.Embedding("encoder.atom", category.AtomicNumbers, c.Width),
		chiral: p.Embedding("encoder.chirality", category.Chiralities, c.Width),
	}
	d := int64(c.Width)
	for l := range c.Layers {
		name := fmt.Sprintf("encoder.%d.", l)
		e.layers = append(e.layers, ops.Convolution{Of: layer(name), Norm: ops.BatchNorm{
			Gamma: p.Constant(name+"norm.weight", 1, d),
			Beta:  p.Constant(name+"norm.bias", 0, d),
			Mean:  p.Running(name+"norm.mean", 0, d),
			Var:   p.Running(name+"norm.var", 1, d),
		}})
	}
	return e, p.Err()
}

func (e *convolution) Layers() int { return len(e.layers) }
func (e *convolution) Width() int  { return e.config.Width }

// Parts are the tables of atoms and chiralities, and the layers, for a method that changes them.
func (e *convolution) Parts() (atom, chirality *ts.Tensor, layers []ops.Convolution) {
	return e.atom, e.chiral, e.layers
}

func (e *convolution) Embed(g *ops.Graph, _ ops.Mode) (*ts.Tensor, error) {
	return ops.Embed(g, e.atom, e.chiral)
}

func (e *convolution) Layer(l int, h *ts.Tensor, g *ops.Graph, m ops.Mode, s *gnn.Stats) (*ts.Tensor, error) {
	m.Dropout = e.config.Dropout
	layer := e.layers[l]
	if s != nil && !m.Training {
		layer.Norm.Mean, layer.Norm.Var = s.Mean, s.Var
	}
	return layer.Layer(h, g.Level(l), e.relu(l), m)
}

func (e *convolution) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *gnn.Stats, error) {
	next, mean, variance, err := e.layers[l].Support(h, g.Level(l), e.relu(l))
	if err != nil {
		return nil, nil, err
	}
	return next, &gnn.Stats{Mean: mean, Var: variance}, nil
}

// relu reports whether layer l has a ReLU. The last layer has none.
func (e *convolution) relu(l int) bool { return l < len(e.layers)-1 }

// NewMean lays out layers that take weighted means.
func NewMean(p *params.Set, c gnn.Config, form ops.MeanForm) (gnn.Encoder, error) {
	return New(p, c, func(name string) ops.Aggregation {
		linear := p.Linear(name+"linear", c.Width, c.Width, true, 0)
		return &ops.Mean{
			Form: form, W: linear.W, B: linear.B,
			E1: p.Embedding(name+"bond", category.BondTypes, c.Width),
			E2: p.Embedding(name+"direction", category.BondDirections, c.Width),
		}
	})
}

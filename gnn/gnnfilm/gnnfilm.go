// Package gnnfilm is GNN-FiLM (Brockschmidt 2020), as in the author's tf-gnn-samples.
package gnnfilm

import (
	"cmp"
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes GNN-FiLM.
var Spec = gnn.Spec{Name: "film", Source: "Brockschmidt 2020", Reads: gnn.Features, New: newGNNFiLM}

// gnnFiLM is GNN-FiLM (Brockschmidt 2020) as in the author's tf-gnn-samples: h⁰ =
// tanh(W x) of an atom's features, then layers with messages that the receiving atom
// scales and shifts. This is not the FiLM between layers, with which a method can adapt
// any encoder.
//
// The published program applies dropout to the input of a layer. Here it follows h⁰ and
// every layer except the last, which is the same if no method changes states between
// layers.
type gnnFiLM struct {
	config   gnn.Config
	features *ts.Tensor // [d, k]
	layers   []filmLayer
}

func newGNNFiLM(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	p.Part("encoder")
	k, d := cmp.Or(c.Features, category.Features), c.Width
	e := &gnnFiLM{config: c, features: p.Uniform("encoder.features.weight", params.Glorot(k, d), int64(d), int64(k))}
	for l := range c.Layers {
		e.layers = append(e.layers, gnnFiLMLayer(p, fmt.Sprintf("encoder.%d.", l), c, l))
	}
	return e, p.Err()
}

func gnnFiLMLayer(p *params.Set, name string, c gnn.Config, l int) filmLayer {
	d, kinds := int64(c.Width), int64(cmp.Or(c.FiLM.Types, category.KekuleTypes)+1)
	layer := filmLayer{
		activation: c.FiLM.Activation,
		messages:   p.Uniform(name+"messages.weight", params.Glorot(c.Width, c.Width), kinds, d, d),
		modulation: p.Uniform(name+"modulation.weight", params.Glorot(c.Width, 2*c.Width), kinds, 2*d, d),
		norm:       p.LayerNorm(name+"norm", c.Width),
	}
	if c.FiLM.Norm {
		layer.between = p.LayerNorm(name+"between", c.Width)
	}
	if c.FiLM.Dense > 0 && l%c.FiLM.Dense == 0 {
		layer.dense = p.Uniform(name+"dense.weight", params.Glorot(c.Width, c.Width), d, d)
	}
	return layer
}

func (e *gnnFiLM) Layers() int { return len(e.layers) }
func (e *gnnFiLM) Width() int  { return e.config.Width }

// Embed takes a graph of features.
func (e *gnnFiLM) Embed(g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	m.Dropout = e.config.Dropout
	return embed(g, e.features, m)
}

// Back implements [gnn.Residual].
func (e *gnnFiLM) Back(l int) int {
	if n := e.config.FiLM.Residual; n > 0 && l > 0 && l%n == 0 {
		return n
	}
	return 0
}

// Layer needs no statistics: an atom is normalised by itself.
func (e *gnnFiLM) Layer(l int, h *ts.Tensor, g *ops.Graph, m ops.Mode, _ *gnn.Stats) (*ts.Tensor, error) {
	if m.Dropout = e.config.Dropout; l == len(e.layers)-1 {
		m.Dropout = 0
	}
	return e.layers[l].layer(h, g, m)
}

func (e *gnnFiLM) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *gnn.Stats, error) {
	next, err := e.Layer(l, h, g, ops.Mode{}, nil)
	return next, nil, err
}

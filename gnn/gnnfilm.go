package gnn

import (
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/gnn/params"
	"pacia/ops"
)

// FiLMConfig is what only GNN-FiLM asks for.
type FiLMConfig struct {
	Activation ops.Activation // of each message
	Norm       bool           // a second layer norm follows that of each layer
	Residual   int            // layers from one residual connection to the next; 0: there are none
	Dense      int            // layer 0 and every so many end in a dense layer with tanh; 0: none do

	// Of what is read; 0 is what FS-Mol's molecules have.
	Types    int // of bonds
	Features int // of an atom
}

// gnnFiLM is GNN-FiLM (Brockschmidt 2020) as its authors' tf-gnn-samples has it: h⁰ =
// tanh(W x) of an atom's features, then layers of messages that the atom they come to
// scales and shifts. It has nothing of FiLM between layers, by which a method may adapt
// any encoder.
//
// Published is dropout of what a layer reads. Here it follows what makes that, h⁰ and
// every layer but the last, which is the same where no method changes states between
// layers.
type gnnFiLM struct {
	config   Config
	features *ts.Tensor // [d, k]
	layers   []ops.GNNFiLM
}

func newGNNFiLM(p *params.Set, c Config) *gnnFiLM {
	p.Part("encoder")
	k, d := orElse(c.FiLM.Features, category.Features), c.Width
	e := &gnnFiLM{config: c, features: p.Uniform("encoder.features.weight", glorot(k, d), int64(d), int64(k))}
	for l := range c.Layers {
		e.layers = append(e.layers, gnnFiLMLayer(p, fmt.Sprintf("encoder.%d.", l), c, l))
	}
	return e
}

// glorot is the bound of a uniform draw of Glorot and Bengio (2010).
func glorot(in, out int) float64 { return math.Sqrt(6 / float64(in+out)) }

// gnnFiLMLayer lays out layer l.
func gnnFiLMLayer(p *params.Set, name string, c Config, l int) ops.GNNFiLM {
	d, kinds := int64(c.Width), int64(orElse(c.FiLM.Types, category.KekuleTypes)+1)
	layer := ops.GNNFiLM{
		Activation: c.FiLM.Activation,
		Messages:   p.Uniform(name+"messages.weight", glorot(c.Width, c.Width), kinds, d, d),
		Modulation: p.Uniform(name+"modulation.weight", glorot(c.Width, 2*c.Width), kinds, 2*d, d),
		Norm:       layerNorm(p, name+"norm", c.Width),
	}
	if c.FiLM.Norm {
		layer.Between = layerNorm(p, name+"between", c.Width)
	}
	if c.FiLM.Dense > 0 && l%c.FiLM.Dense == 0 {
		layer.Dense = p.Uniform(name+"dense.weight", glorot(c.Width, c.Width), d, d)
	}
	return layer
}

func (e *gnnFiLM) Layers() int { return len(e.layers) }
func (e *gnnFiLM) Width() int  { return e.config.Width }

// Embed takes a graph of [ops.NewFeatureGraph].
func (e *gnnFiLM) Embed(g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	m.Dropout = e.config.Dropout
	return ops.GNNFiLMEmbed(g, e.features, m)
}

// Back is that of [Residual].
func (e *gnnFiLM) Back(l int) int {
	if n := e.config.FiLM.Residual; n > 0 && l > 0 && l%n == 0 {
		return n
	}
	return 0
}

// Layer needs no statistics: an atom is normalised by itself.
func (e *gnnFiLM) Layer(l int, h *ts.Tensor, g *ops.Graph, m ops.Mode, _ *Stats) (*ts.Tensor, error) {
	if m.Dropout = e.config.Dropout; l == len(e.layers)-1 {
		m.Dropout = 0
	}
	return e.layers[l].Layer(h, g, m)
}

func (e *gnnFiLM) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *Stats, error) {
	next, err := e.Layer(l, h, g, ops.Mode{}, nil)
	return next, nil, err
}

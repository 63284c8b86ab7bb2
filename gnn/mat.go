package gnn

import (
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/ops"
)

// MATHeads is how many heads the Molecule Attention Transformer was published with.
const MATHeads = 16

// mat is the Molecule Attention Transformer (Maziarka et al. 2020): h⁰ = W x + b of a
// node's features, then layers in which every node of a molecule takes something of every
// other one, by attention, by their distance and by their bond; the last ends in a layer
// norm. A molecule has one node more than atoms, the dummy, which counts in its mean. As
// published, there is no dropout.
type mat struct {
	config   Config
	features ops.Linear
	layers   []ops.MAT
}

func newMAT(p *params.Set, c Config) (*mat, error) { return newMATOf(p, c, SpaceFeatures) }

// newMATOf reads nodes with so many features.
func newMATOf(p *params.Set, c Config, features int) (*mat, error) {
	heads := orElse(c.Heads, MATHeads)
	if c.Width%heads != 0 {
		return nil, fmt.Errorf("model.width: %d cannot be cut into %d heads of mat; write a multiple of it", c.Width, heads)
	}
	p.Part("encoder")
	e := &mat{config: c, features: glorotLinear(p, "encoder.features", features, c.Width)}
	for l := range c.Layers {
		name := fmt.Sprintf("encoder.%d.", l)
		e.layers = append(e.layers, ops.MAT{
			Heads:  heads,
			Before: layerNorm(p, name+"norm.0", c.Width),
			// Three square matrices, one below the other.
			QKV: ops.Linear{
				W: p.Uniform(name+"attention.weight", math.Sqrt(3/float64(c.Width)), int64(3*c.Width), int64(c.Width)),
				B: p.Uniform(name+"attention.bias", 1/math.Sqrt(float64(c.Width)), int64(3*c.Width)),
			},
			Out:     glorotLinear(p, name+"heads", c.Width, c.Width),
			Between: layerNorm(p, name+"norm.1", c.Width),
			Dense:   glorotLinear(p, name+"dense", c.Width, c.Width),
		})
	}
	e.layers[c.Layers-1].After = layerNorm(p, "encoder.norm", c.Width)
	return e, nil
}

// glorotLinear lays out W [out, in], initialised as Glorot and Bengio (2010), and b [out] as
// PyTorch has it, which is what the published program does.
func glorotLinear(p *params.Set, name string, in, out int) ops.Linear {
	return ops.Linear{
		W: p.Uniform(name+".weight", glorot(in, out), int64(out), int64(in)),
		B: p.Uniform(name+".bias", 1/math.Sqrt(float64(in)), int64(out)),
	}
}

func layerNorm(p *params.Set, name string, d int) ops.LayerNorm {
	return ops.LayerNorm{Gamma: p.Constant(name+".weight", 1, int64(d)), Beta: p.Constant(name+".bias", 0, int64(d))}
}

func (e *mat) Layers() int { return len(e.layers) }
func (e *mat) Width() int  { return e.config.Width }

// Embed takes a graph of [Space].
func (e *mat) Embed(g *ops.Graph, _ ops.Mode) (*ts.Tensor, error) {
	return ops.EmbedNodes(g, e.features)
}

// Layer needs no statistics: a node is normalised by itself.
func (e *mat) Layer(l int, h *ts.Tensor, g *ops.Graph, _ ops.Mode, _ *Stats) (*ts.Tensor, error) {
	return e.layers[l].Layer(h, g)
}

func (e *mat) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *Stats, error) {
	next, err := e.Layer(l, h, g, ops.Mode{}, nil)
	return next, nil, err
}

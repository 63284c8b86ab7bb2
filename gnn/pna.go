package gnn

import (
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/gnn/params"
	"pacia/ops"
)

// PNATowers is how many towers FS-Mol's benchmark cuts an atom's state into.
const PNATowers = 4

// alpha is where ReZero begins: a block that hardly does anything.
const alpha = 1e-7

// PNAConfig is what only PNA asks for; 0 is what FS-Mol's benchmark takes.
type PNAConfig struct {
	Towers   int // 4
	PerTower int // numbers of an aggregate of a tower, 64
	Inner    int // width inside the layer that a block ends in, 8·Width
}

func (c PNAConfig) withDefaults(width int) PNAConfig {
	return PNAConfig{orElse(c.Towers, PNATowers), orElse(c.PerTower, 64), orElse(c.Inner, 8*width)}
}

func orElse(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// pna is principal neighbourhood aggregation (Corso et al. 2020) as FS-Mol's
// benchmark has it: h⁰ = W x of an atom's 32 features, then blocks of messages
// in towers and of two linear layers, each added to h times the block's α.
type pna struct {
	config   Config
	features *ts.Tensor // [d, 32]
	blocks   []ops.PNA
}

func newPNA(p *params.Set, c Config) (*pna, error) {
	n := c.PNA.withDefaults(c.Width)
	if n.Towers < 1 || c.Width%n.Towers != 0 {
		return nil, fmt.Errorf("model.width: %d cannot be cut into %d towers of pna; write a multiple of it", c.Width, n.Towers)
	}
	p.Part("encoder")
	e := &pna{config: c, features: p.Linear("encoder.features", category.Features, c.Width, false, 0).W}
	for l := range c.Layers {
		e.blocks = append(e.blocks, pnaBlock(p, fmt.Sprintf("encoder.%d.", l), c.Width, n))
	}
	return e, nil
}

// pnaBlock lays out a block of width d.
func pnaBlock(p *params.Set, name string, d int, n PNAConfig) ops.PNA {
	towers, ends, each := int64(n.Towers), int64(2*d/n.Towers), int64(3*n.PerTower)
	bound := 1 / math.Sqrt(float64(ends)) // of a linear layer of one tower and type
	projection := p.Linear(name+"towers", n.Towers*12*n.PerTower, d, true, 0)
	first, second := p.Linear(name+"boom.0", d, n.Inner, true, 0), p.Linear(name+"boom.1", n.Inner, d, true, 0)
	return ops.PNA{
		Messages:  p.Uniform(name+"messages.weight", bound, towers, category.KekuleTypes, each, ends),
		MessagesB: p.Uniform(name+"messages.bias", bound, towers, category.KekuleTypes, each),
		Towers:    projection.W, TowersB: projection.B,
		Alpha: p.Constant(name+"alpha", alpha, 1),
		Gamma: p.Constant(name+"norm.weight", 1, int64(d)), Beta: p.Constant(name+"norm.bias", 0, int64(d)),
		W1: first.W, B1: first.B, W2: second.W, B2: second.B,
	}
}

func (e *pna) Layers() int { return len(e.blocks) }
func (e *pna) Width() int  { return e.config.Width }

// Embed takes a graph of [ops.NewFeatureGraph]: the categories of other graphs'
// atoms do not tell all 32 features.
func (e *pna) Embed(g *ops.Graph, _ ops.Mode) (*ts.Tensor, error) {
	return ops.EmbedFeatures(g, e.features)
}

// Layer needs no statistics: an atom is normalised by itself.
func (e *pna) Layer(l int, h *ts.Tensor, g *ops.Graph, m ops.Mode, _ *Stats) (*ts.Tensor, error) {
	m.Dropout = e.config.Dropout
	return e.blocks[l].Block(h, g, g.Alike(l+1), m)
}

func (e *pna) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *Stats, error) {
	next, err := e.Layer(l, h, g, ops.Mode{}, nil)
	return next, nil, err
}

// Package pna is principal neighbourhood aggregation (Corso et al. 2020) as in FS-Mol's
// benchmark.
package pna

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes PNA.
var Spec = gnn.Spec{
	Name: "pna", Source: "Corso et al. 2020", Reads: gnn.Features, Shares: gnn.SharesAll, Joins: true, New: newPNA, Check: check,
}

// alpha is the initial value of ReZero's α, with which a block has almost no effect.
const alpha = 1e-7

// pna is principal neighbourhood aggregation (Corso et al. 2020) as in FS-Mol's
// benchmark: h⁰ = W x of an atom's 32 features, then blocks of messages in towers
// and two linear layers. Both are multiplied by the block's α and added to h.
type pna struct {
	config   gnn.Config
	features *ts.Tensor // [d, 32]
	blocks   []block
}

func newPNA(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	n := sizes(c)
	if err := check(c); err != nil {
		return nil, err
	}
	p.Part("encoder")
	e := &pna{config: c, features: p.Linear("encoder.features", category.Features, c.Width, false, 0).W}
	for l := range c.Layers {
		e.blocks = append(e.blocks, pnaBlock(p, fmt.Sprintf("encoder.%d.", l), c.Width, n))
	}
	return e, p.Err()
}

// check refuses a width that is not a multiple of the number of towers.
func check(c gnn.Config) error {
	if n := sizes(c).Towers; n < 1 || c.Width%n != 0 {
		return fmt.Errorf("model.width: %d is not a multiple of the %d towers of model.encoder=%s; write %d", c.Width, n, c.Name, (c.Width/max(n, 1)+1)*n)
	}
	return nil
}

// sizes returns the sizes of the settings, with those of FS-Mol's benchmark for 0.
func sizes(c gnn.Config) gnn.PNAConfig {
	return gnn.PNAConfig{Towers: cmp.Or(c.PNA.Towers, 4), PerTower: cmp.Or(c.PNA.PerTower, 64), Inner: cmp.Or(c.PNA.Inner, 8*c.Width)}
}

func pnaBlock(p *params.Set, name string, d int, n gnn.PNAConfig) block {
	towers, ends, each := int64(n.Towers), int64(2*d/n.Towers), int64(3*n.PerTower)
	bound := 1 / math.Sqrt(float64(ends)) // of a linear layer of one tower and type
	projection := p.Linear(name+"towers", n.Towers*12*n.PerTower, d, true, 0)
	first, second := p.Linear(name+"boom.0", d, n.Inner, true, 0), p.Linear(name+"boom.1", n.Inner, d, true, 0)
	return block{
		messages:  p.Uniform(name+"messages.weight", bound, towers, category.KekuleTypes, each, ends),
		messagesB: p.Uniform(name+"messages.bias", bound, towers, category.KekuleTypes, each),
		towers:    projection.W, towersB: projection.B,
		alpha: p.Constant(name+"alpha", alpha, 1),
		gamma: p.Constant(name+"norm.weight", 1, int64(d)), beta: p.Constant(name+"norm.bias", 0, int64(d)),
		w1: first.W, b1: first.B, w2: second.W, b2: second.B,
	}
}

func (e *pna) Layers() int { return len(e.blocks) }
func (e *pna) Width() int  { return e.config.Width }

// Embed needs a graph with features, which do not follow from the categories of
// other graphs' atoms.
func (e *pna) Embed(g *ops.Graph, _ ops.Mode) (*ts.Tensor, error) {
	return embed(g, e.features)
}

// Layer needs no statistics: an atom is normalised by itself.
func (e *pna) Layer(l int, h *ts.Tensor, g *ops.Graph, m ops.Mode, _ *gnn.Stats) (*ts.Tensor, error) {
	m.Dropout = e.config.Dropout
	return e.blocks[l].next(h, g, g.Representatives(l+1), m)
}

func (e *pna) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *gnn.Stats, error) {
	next, err := e.Layer(l, h, g, ops.Mode{}, nil)
	return next, nil, err
}

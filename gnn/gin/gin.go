// Package gin is the encoder of the paper: the graph isomorphism network with edge
// embeddings (Eq. 14, Xu et al. 2019, Hu et al. 2020).
package gin

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes GIN.
var Spec = gnn.Spec{
	Name: "gin", Source: "Xu et al. 2019", Reads: gnn.Categories, Shares: gnn.SharesFirst, Joins: true, New: newGIN,
	Own: gnn.OwnOfHu, Mark: "mlp.0.weight",
}

type gin struct {
	config       gnn.Config
	atom, chiral *ts.Tensor
	layers       []ops.GIN
}

func newGIN(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	p.Part("encoder")
	d := int64(c.Width)
	g := &gin{
		config: c,
		atom:   p.Embedding("encoder.atom", category.AtomicNumbers, c.Width),
		chiral: p.Embedding("encoder.chirality", category.Chiralities, c.Width),
	}
	for l := range c.Layers {
		name := fmt.Sprintf("encoder.%d.", l)
		first := p.Linear(name+"mlp.0", c.Width, 2*c.Width, true, 0)
		second := p.Linear(name+"mlp.1", 2*c.Width, c.Width, true, 0)
		g.layers = append(g.layers, ops.GIN{
			W1: first.W, B1: first.B, W2: second.W, B2: second.B,
			E1:    p.Embedding(name+"bond", category.BondTypes, c.Width),
			E2:    p.Embedding(name+"direction", category.BondDirections, c.Width),
			Gamma: p.Constant(name+"norm.weight", 1, d),
			Beta:  p.Constant(name+"norm.bias", 0, d),
			Mean:  p.Buffer(name+"norm.mean", 0, d),
			Var:   p.Buffer(name+"norm.var", 1, d),
		})
	}
	return g, p.Err()
}

func (g *gin) Layers() int { return len(g.layers) }
func (g *gin) Width() int  { return g.config.Width }

func (g *gin) Embed(b *ops.Graph, _ ops.Mode) (*ts.Tensor, error) {
	return ops.Embed(b, g.atom, g.chiral)
}

func (g *gin) Layer(l int, h *ts.Tensor, b *ops.Graph, m ops.Mode, s *gnn.Stats) (*ts.Tensor, error) {
	m.Dropout = g.config.Dropout
	layer := g.layers[l]
	if s != nil && !m.Training {
		layer.Mean, layer.Var = s.Mean, s.Var
	}
	return layer.Layer(h, b.Level(l), g.relu(l), m)
}

func (g *gin) Support(l int, h *ts.Tensor, b *ops.Graph) (*ts.Tensor, *gnn.Stats, error) {
	next, mean, variance, err := g.layers[l].Support(h, b.Level(l), g.relu(l))
	if err != nil {
		return nil, nil, err
	}
	return next, &gnn.Stats{Mean: mean, Var: variance}, nil
}

// relu: the last layer has none.
func (g *gin) relu(l int) bool { return l < len(g.layers)-1 }

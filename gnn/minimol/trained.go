package minimol

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/ops"
)

// Legend: n molecules, W numbers of a vector, d width.

// Trained describes the encoder that also trains the network.
var Trained = gnn.Spec{Name: "minimol-trained", Source: "Kläser et al. 2024", Reads: graphs, New: newTrained}

// trained is [encoder] preceded by the network, whose parameters start with their published values:
//
//	h⁰ = W (z − μ)/σ + b
//
// z are the network's vectors. μ and σ, from standard.txt, are fixed.
type trained struct {
	gnn.Perceptron
	network  []*ts.Tensor // in the order of gnn/minimol/op/network.hh
	standard moments
	first    ops.Linear // [d, W]
}

func newTrained(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	stored, err := published()
	if err != nil {
		return nil, err
	}
	p.Part("encoder")
	e := &trained{}
	for _, t := range stored {
		e.network = append(e.network, p.Published("encoder."+t.Name, t.Values, t.Shape...))
	}
	e.first = p.Linear("encoder.minimol", Width, c.Width, true, 0)
	e.Perceptron = gnn.NewPerceptron(p, c)
	if err := p.Err(); err != nil {
		return nil, err
	}
	e.standard, err = standardOn(p)
	return e, err
}

// standardOn returns the constants that standardise vectors, owned by the set.
func standardOn(p *params.Set) (s moments, err error) {
	mean, inverse := make([]float64, Width), make([]float64, Width)
	for i, of := range standard {
		mean[i], inverse[i] = float64(of[0]), float64(of[1])
	}
	if s.mean, err = p.Fixed(mean, Width); err != nil {
		return s, err
	}
	s.inverse, err = p.Fixed(inverse, Width)
	return s, err
}

// Embed returns h⁰ [n, d] of a graph of [graphs].
func (e *trained) Embed(g *ops.Graph, _ ops.Mode) (*ts.Tensor, error) {
	in, err := inputOf(g)
	if err != nil {
		return nil, err
	}
	in.standard = e.standard
	x, err := vectorsOf(in, e.network, layers)
	if err != nil {
		return nil, err
	}
	defer ops.Drop(x)
	return ops.MLP(x, []ops.Linear{e.first}, ops.Mode{})
}

package gnn

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/ops"
)

// Legend: n molecules, d width.

// Perceptron is the layers of an encoder in which a molecule is one row, as an atom is one of other
// encoders:
//
//	h^(l+1) = W^l dropout(ReLU(h^l)) + b^l
type Perceptron struct {
	config Config
	layers []ops.Dense
}

// NewPerceptron lays out the layers, after what the encoder makes h⁰ of.
func NewPerceptron(p *params.Set, c Config) Perceptron {
	m := Perceptron{config: c}
	for l := range c.Layers {
		m.layers = append(m.layers, p.Dense(fmt.Sprintf("encoder.%d", l), c.Width, c.Width))
	}
	return m
}

// Layers returns how many there are.
func (m *Perceptron) Layers() int { return len(m.layers) }

// Width returns d.
func (m *Perceptron) Width() int { return m.config.Width }

// Layer returns h^(l+1) [n, d]. It needs no statistics.
func (m *Perceptron) Layer(l int, h *ts.Tensor, g *ops.Graph, mode ops.Mode, _ *Stats) (*ts.Tensor, error) {
	mode.Dropout = m.config.Dropout
	return m.layers[l].Layer(h, g.Level(l), mode)
}

// Support is Layer of the support set, and leaves no statistics.
func (m *Perceptron) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *Stats, error) {
	next, err := m.Layer(l, h, g, ops.Mode{}, nil)
	return next, nil, err
}

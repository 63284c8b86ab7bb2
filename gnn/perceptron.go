package gnn

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/ops"
)

// Legend: n molecules, d width.

// Perceptron holds the layers of an encoder with one row per molecule, where other encoders have one row
// per atom:
//
//	h^(l+1) = W^l dropout(ReLU(h^l)) + b^l
type Perceptron struct {
	config Config
	layers []ops.Dense
}

// NewPerceptron lays out the layers. The encoder lays out its parameters of h⁰ before.
func NewPerceptron(p *params.Set, c Config) Perceptron {
	m := Perceptron{config: c}
	for l := range c.Layers {
		m.layers = append(m.layers, p.Dense(fmt.Sprintf("encoder.%d", l), c.Width, c.Width))
	}
	return m
}

// Layers returns the number of layers.
func (m *Perceptron) Layers() int { return len(m.layers) }

// Width returns d.
func (m *Perceptron) Width() int { return m.config.Width }

// Layer returns h^(l+1) [n, d]. It needs no statistics.
func (m *Perceptron) Layer(l int, h *ts.Tensor, g *ops.Graph, mode ops.Mode, _ *Stats) (*ts.Tensor, error) {
	mode.Dropout = m.config.Dropout
	return m.layers[l].Layer(h, g.Level(l), mode)
}

// Support is like Layer, and returns no statistics.
func (m *Perceptron) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *Stats, error) {
	next, err := m.Layer(l, h, g, ops.Mode{}, nil)
	return next, nil, err
}

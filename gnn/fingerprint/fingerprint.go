// Package fingerprint is a multilayer perceptron on the counts of molecules' fingerprints.
package fingerprint

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes the perceptron.
var Spec = gnn.Spec{Name: "fingerprint", Source: "none: a baseline of FS-Mol's inputs", Reads: gnn.Fingerprints, New: newFingerprint}

// fingerprint is a multilayer perceptron on the counts of molecules' fingerprints:
//
//	h⁰      = b + Σ_k log(1+c_k) W_k
//	h^(l+1) = W^l dropout(ReLU(h^l)) + b^l
//
// A molecule is one row, as an atom is one of other encoders.
type fingerprint struct {
	config  gnn.Config
	weights *ts.Tensor // [F, d]
	bias    *ts.Tensor // [d]
	layers  []ops.Dense
}

func newFingerprint(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	p.Part("encoder")
	f := &fingerprint{config: c,
		weights: p.Counts("encoder.counts.weight", c.Counts, c.Width),
		bias:    p.Constant("encoder.counts.bias", 0, int64(c.Width)),
	}
	for l := range c.Layers {
		f.layers = append(f.layers, p.Dense(fmt.Sprintf("encoder.%d", l), c.Width, c.Width))
	}
	return f, p.Err()
}

func (f *fingerprint) Layers() int { return len(f.layers) }
func (f *fingerprint) Width() int  { return f.config.Width }

// Embed takes a graph of [ops.NewCountGraph].
func (f *fingerprint) Embed(g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	m.Dropout = f.config.Input
	return ops.EmbedCounts(g, f.weights, f.bias, m)
}

// Layer needs no statistics.
func (f *fingerprint) Layer(l int, h *ts.Tensor, g *ops.Graph, m ops.Mode, _ *gnn.Stats) (*ts.Tensor, error) {
	m.Dropout = f.config.Dropout
	return f.layers[l].Layer(h, g.Level(l), m)
}

func (f *fingerprint) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *gnn.Stats, error) {
	next, err := f.Layer(l, h, g, ops.Mode{}, nil)
	return next, nil, err
}

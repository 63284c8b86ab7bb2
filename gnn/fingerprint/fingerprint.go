// Package fingerprint is a multilayer perceptron on the counts of molecules' fingerprints.
package fingerprint

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes the perceptron.
var Spec = gnn.Spec{Name: "fingerprint", Source: "none: a baseline of FS-Mol's inputs", Reads: gnn.Fingerprints, New: newFingerprint}

// fingerprint is a multilayer perceptron on the counts of molecules' fingerprints:
//
//	h⁰ = b + Σ_k log(1+c_k) W_k
type fingerprint struct {
	gnn.Perceptron
	input   float64    // dropout
	weights *ts.Tensor // [F, d]
	bias    *ts.Tensor // [d]
}

func newFingerprint(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	p.Part("encoder")
	f := &fingerprint{input: c.Input,
		weights: p.Counts("encoder.counts.weight", c.Counts, c.Width),
		bias:    p.Constant("encoder.counts.bias", 0, int64(c.Width)),
	}
	f.Perceptron = gnn.NewPerceptron(p, c)
	return f, p.Err()
}

// Embed takes a graph of [ops.NewCountGraph].
func (f *fingerprint) Embed(g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	m.Dropout = f.input
	return ops.EmbedCounts(g, f.weights, f.bias, m)
}

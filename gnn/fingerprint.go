package gnn

import (
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/ops"
)

// entries is about how many counts of a fingerprint are not 0: they are what h⁰ of
// a molecule is a sum of, and its weights begin accordingly.
const entries = 50

// fingerprint is a multilayer perceptron on the counts of molecules' fingerprints:
//
//	h⁰      = b + Σ_k log(1+c_k) W_k
//	h^(l+1) = W^l dropout(ReLU(h^l)) + b^l
//
// A molecule is one row, as an atom is one of other encoders.
type fingerprint struct {
	config  Config
	weights *ts.Tensor // [F, d]
	bias    *ts.Tensor // [d]
	layers  []ops.Dense
}

func newFingerprint(p *params.Set, c Config) *fingerprint {
	p.Part("encoder")
	f := &fingerprint{config: c,
		weights: countWeights(p, "encoder.counts.weight", c.Counts, c.Width),
		bias:    p.Constant("encoder.counts.bias", 0, int64(c.Width)),
	}
	for l := range c.Layers {
		f.layers = append(f.layers, dense(p, fmt.Sprintf("encoder.%d", l), c.Width, c.Width))
	}
	return f
}

// countWeights [F, d] keep the size of what fifty small counts add up to.
func countWeights(p *params.Set, name string, counts, width int) *ts.Tensor {
	return p.Uniform(name, math.Sqrt(3./entries), int64(counts), int64(width))
}

// dense lays out a layer behind a ReLU, initialised as He et al. (2015).
func dense(p *params.Set, name string, in, out int) ops.Dense {
	return ops.Dense{
		W: p.Uniform(name+".weight", math.Sqrt(6/float64(in)), int64(out), int64(in)),
		B: p.Constant(name+".bias", 0, int64(out)),
	}
}

func (f *fingerprint) Layers() int { return len(f.layers) }
func (f *fingerprint) Width() int  { return f.config.Width }

// Embed takes a graph of [ops.NewCountGraph].
func (f *fingerprint) Embed(g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	m.Dropout = f.config.Input
	return ops.EmbedCounts(g, f.weights, f.bias, m)
}

// Layer needs no statistics.
func (f *fingerprint) Layer(l int, h *ts.Tensor, g *ops.Graph, m ops.Mode, _ *Stats) (*ts.Tensor, error) {
	m.Dropout = f.config.Dropout
	return f.layers[l].Layer(h, g.Level(l), m)
}

func (f *fingerprint) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *Stats, error) {
	next, err := f.Layer(l, h, g, ops.Mode{}, nil)
	return next, nil, err
}

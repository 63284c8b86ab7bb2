package minimol

import (
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/ops"
)

// Legend: n molecules, W numbers of a vector, d width.

// Spec describes the encoder on MiniMol's vectors.
var Spec = gnn.Spec{Name: "minimol", Source: "Kläser et al. 2024", Reads: reads, New: newEncoder}

// input is the name of the vectors [n, W] in a graph.
const input = "vectors of MiniMol"

// reads is molecules as standardised vectors, one row each.
var reads = &gnn.Reading{
	Featurizer: func(bool) molecule.Featurizer { return molecule.FingerprintsOnly().Embedded(Embedder()) },
	Lacks: func(h *data.Batch) string {
		if len(h.Embeddings) != Width*(len(h.MolPtr)-1) {
			return "reads vectors of MiniMol, and these molecules come without; write gin, or open the molecules for this encoder"
		}
		return ""
	},
	Graph: func(in gnn.Input, d ops.Device) (*ops.Graph, error) {
		n := len(in.MolPtr) - 1
		g, err := ops.NewCountGraph(ops.Counts{Ptr: make([]int32, n+1), Group: in.Counts.Group}, in.Bits, d)
		if err != nil {
			return nil, err
		}
		if err := ops.Add(g, input, readable(in.Embeddings), []int64{int64(n), Width}, d); err != nil {
			g.Drop()
			return nil, err
		}
		return g, nil
	},
	Whole:  true,
	Varies: true, // vectors are copied separately from the slab that a captured step reads
}

// readable replaces the NaN of molecules that RDKit refuses by 0, the mean over FS-Mol's molecules.
func readable(vectors []float32) []float32 {
	to := make([]float32, len(vectors))
	for i, v := range vectors {
		if !math.IsNaN(float64(v)) {
			to[i] = v
		}
	}
	return to
}

// encoder is a multilayer perceptron on fixed vectors v: h⁰ = W v + b.
type encoder struct {
	gnn.Perceptron
	first ops.Linear // [d, W]
}

func newEncoder(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	p.Part("encoder")
	e := &encoder{first: p.Linear("encoder.minimol", Width, c.Width, true, 0)}
	e.Perceptron = gnn.NewPerceptron(p, c)
	return e, p.Err()
}

// Embed returns h⁰ [n, d].
func (e *encoder) Embed(g *ops.Graph, _ ops.Mode) (*ts.Tensor, error) {
	x, err := g.Input(input)
	if err != nil {
		return nil, err
	}
	if x, err = ops.As(x, e.first.W); err != nil {
		return nil, err
	}
	defer ops.Drop(x)
	return ops.MLP(x, []ops.Linear{e.first}, ops.Mode{})
}

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
var Spec = gnn.Spec{Name: "minimol", Source: "Kläser et al. 2024", Reads: reads, Joins: true, New: newEncoder}

// reads is molecules as standardised vectors, one row each.
var reads = (&gnn.Reading{
	Featurizer: func(bool) molecule.Featurizer { return molecule.FingerprintsOnly().With(Embedder()) },
	Lacks: func(h *data.Batch) string {
		if len(h.Floats(molecule.Embeddings)) != Width*h.Rows(molecule.PerMolecule) {
			return "reads vectors of MiniMol, and these molecules come without; write gin, or open the molecules for this encoder"
		}
		return ""
	},
	Graph: func(in gnn.Input, d ops.Device) (*ops.Graph, error) {
		c := in.Counts
		if !in.Joined {
			c = ops.Counts{Ptr: make([]int32, len(in.MolPtr)), Group: c.Group}
		}
		return ops.NewCountGraph(c, in.Bits, d)
	},
	Whole: true,
}).With(vectors)

var vectors = gnn.Array{Field: molecule.Embeddings.Wide(Width), Values: func(h *data.Batch) (molecule.Array, error) {
	return molecule.Array{Floats: readable(h.Floats(molecule.Embeddings))}, nil
}}

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
	x, err := g.Input(vectors.Name)
	if err != nil {
		return nil, err
	}
	if x, err = ops.As(x, e.first.W); err != nil {
		return nil, err
	}
	defer ops.Drop(x)
	return ops.MLP(x, []ops.Linear{e.first}, ops.Mode{})
}

package encoders_test

import (
	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/convolution"
	"pacia/gnn/encoders"
	"pacia/gnn/params"
	"pacia/ops"
)

// The tests of this package run with an encoder that has its own input, as described in
// CONTRIBUTING: GCN whose h⁰ also has a linear map of the probabilities that a random walk is
// back at its atom after 1, 2, … steps.
func init() {
	encoders.All = append(encoders.All, gnn.Spec{Name: "walks", Source: "Dwivedi et al. 2022", Reads: gnn.Categories.With(returned), New: newWalks})
}

const steps = 6

var returned = gnn.Array{Field: molecule.Field{Name: "walks", Width: steps}, Values: func(h *data.Batch) (molecule.Array, error) {
	var back []float32
	for m := range len(h.MolPtr) - 1 {
		back = append(back, returns(h, h.MolPtr[m], h.MolPtr[m+1])...)
	}
	return molecule.Array{Floats: back}, nil
}}

// returns has the return probabilities [n, steps] of the atoms first to last−1 of one molecule.
func returns(in *data.Batch, first, last int32) []float32 {
	n := int(last - first)
	back := make([]float32, n*steps)
	for start := range n {
		at := make([]float64, n)
		at[start] = 1
		for k := range steps {
			next := make([]float64, n)
			for v := range n {
				ends := in.Col[in.RowPtr[int(first)+v]:in.RowPtr[int(first)+v+1]]
				for _, u := range ends {
					next[u-first] += at[v] / float64(len(ends))
				}
			}
			at = next
			back[start*steps+k] = float32(at[start])
		}
	}
	return back
}

type walks struct {
	gnn.Encoder
	back ops.Linear // [d, steps]
}

func newWalks(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	e, err := convolution.NewMean(p, c, ops.MeanGCN)
	return &walks{e, p.Linear("encoder.walks", steps, c.Width, false, 0)}, err
}

func (e *walks) Embed(g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	h, err := e.Encoder.Embed(g, m)
	if err != nil {
		return nil, err
	}
	defer ops.Drop(h)
	x, err := g.Input(returned.Name)
	if err != nil {
		return nil, err
	}
	if x, err = x.Totype(e.back.W.DType(), false); err != nil {
		return nil, err
	}
	defer ops.Drop(x)
	back, err := ops.MLP(x, []ops.Linear{e.back}, ops.Mode{})
	if err != nil {
		return nil, err
	}
	defer ops.Drop(back)
	return ops.Jump([]*ts.Tensor{h, back}, ops.JumpSum, nil)
}

package gnn

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/ops"
)

// joined joins molecules' vectors x [n, w] with their fingerprints, as in FS-Mol's
// prototypical networks:
//
//	W₂ ReLU(W₁ [x | log(1+c)] + b₁) + b₂
//
// W₁ is stored in two parts. The product with the counts skips those that are 0.
type joined struct {
	counts, bias *ts.Tensor // [F, d], [d]
	vectors      ops.Linear // [d, w], no bias
	out          ops.Dense  // [d, d]
	dropout      float64    // of counts
}

// Join joins the readout's vectors with fingerprints of the given number of counts, which
// training drops at the given rate. The joined vectors have the given width.
func (r *Readout) Join(p *params.Set, counts, width int, dropout float64) {
	p.Part("readout")
	r.joined = &joined{
		counts:  p.Counts("readout.counts.weight", counts, width),
		bias:    p.Constant("readout.counts.bias", 0, int64(width)),
		vectors: p.Linear("readout.vectors", r.width, width, false, 0),
		out:     p.Dense("readout.joined", width, width),
		dropout: dropout,
	}
	r.width = width
}

func (j *joined) join(x *ts.Tensor, g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	vectors, err := ops.MLP(x, []ops.Linear{j.vectors}, ops.Mode{})
	if err != nil {
		return nil, err
	}
	defer ops.Drop(vectors)
	m.Dropout = j.dropout
	counts, err := ops.EmbedCounts(g, j.counts, j.bias, m)
	if err != nil {
		return nil, err
	}
	defer ops.Drop(counts)
	sum, err := ops.Jump([]*ts.Tensor{vectors, counts}, ops.JumpSum, nil)
	if err != nil {
		return nil, err
	}
	defer ops.Drop(sum)
	return j.out.Layer(sum, g.Level(0), ops.Mode{})
}

package pacia

import (
	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// trace records the stages of a forward pass as plain numbers, row-major, for
// comparison with published code. A nil trace records nothing.
//
// Legend: B tasks, N support molecules of each, Q queries, n nodes of a graph, L layers, d' width of molecules' vectors.
type trace struct {
	W, B                [][]float64 // of FiLM after each encoder layer, before any normalisation
	SupportMean         []float64   // [B·N, d'] molecule embeddings
	QueryMean           []float64   // [Q, d']
	Support, Query      []float64   // projected: [B·N, d_R], [Q, d_R]
	Adjacency, Nodes    [][]float64 // of each relation layer: [Q, n, n], [Q, n, d_R]
	Logits              []float64   // [Q, L, 2]
	CrossEntropy, Depth []float64   // [Q, L]
	Err                 error       // the first error of reading a stage
}

func (t *trace) read(x *ts.Tensor) []float64 {
	if t.Err != nil || x == nil {
		return nil
	}
	var v []float64
	v, t.Err = ops.ReadAs[float64](x)
	return v
}

func (t *trace) modulations(mods []modulation) {
	if t == nil {
		return
	}
	for _, m := range mods {
		t.W, t.B = append(t.W, t.read(m.w)), append(t.B, t.read(m.b))
	}
}

func (t *trace) embeddings(supportMean, queryMean, support, query *ts.Tensor) {
	if t == nil {
		return
	}
	t.SupportMean, t.QueryMean = t.read(supportMean), t.read(queryMean)
	t.Support, t.Query = t.read(support), t.read(query)
}

func (t *trace) relation(r relation) {
	if t == nil {
		return
	}
	for l := range r.layers {
		t.Nodes, t.Adjacency = append(t.Nodes, t.read(r.layers[l])), append(t.Adjacency, t.read(r.adjacency[l]))
	}
}

func (t *trace) head(logits *ts.Tensor, parts *ops.LossParts) {
	if t == nil {
		return
	}
	t.Logits, t.CrossEntropy, t.Depth = t.read(logits), t.read(parts.CrossEntropy), t.read(parts.P)
}

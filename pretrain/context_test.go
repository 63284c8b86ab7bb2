package pretrain

import (
	"math"
	"slices"
	"testing"

	"pacia/gnn"
	"pacia/ops"
)

// TestContextScores computes the scores from the embeddings in plain Go.
func TestContextScores(t *testing.T) {
	n, q := asked(t, small(Context, "gin"))
	p, c := q.(*pairs), n.task.(*contexts)
	width := c.encoder.Width()
	look := func(b *batch, e gnn.Encoder) [][]float64 {
		var s ops.Scope
		defer s.Drop()
		var v []float64
		err := s.Run(func() {
			var err error
			v, err = ops.ReadAs[float64](embed(e, b, ops.CPU, ops.Mode{}, &s))
			s.Check(err)
		})
		if err != nil {
			t.Fatal(err)
		}
		return slices.Collect(slices.Chunk(v, width))
	}
	roots, around := look(&p.substructure, c.encoder), look(&p.context, c.context)
	a, err := q.answer(ops.Mode{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.drop()
	scores, err := ops.ReadAs[float64](a.logits[0])
	if err != nil {
		t.Fatal(err)
	}
	molecules := len(p.roots)
	if molecules < 3 || len(scores) != 2*molecules {
		t.Fatalf("%d scores of %d molecules", len(scores), molecules)
	}
	for i, score := range scores {
		own := i % molecules
		of := own // the molecule of the context
		if i >= molecules {
			of = (own + 1) % molecules
		}
		mean := make([]float64, width)
		atoms := p.overlap[p.overlapPtr[of]:p.overlapPtr[of+1]]
		for _, v := range atoms {
			for k := range mean {
				mean[k] += around[v][k] / float64(len(atoms))
			}
		}
		if want := dot(roots[p.roots[own]], mean); math.Abs(score-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("score %d is %.15g, want %.15g", i, score, want)
		}
	}
}

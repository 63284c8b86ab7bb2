package probe

import (
	"math"

	"github.com/sugarme/gotch/ts"
	"gonum.org/v1/gonum/floats"

	"pacia/data"
	"pacia/gnn"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// vectors returns those of the molecules which of a batch, of length 1, or 0 where all their numbers are
// 0. An encoder normalises queries by the statistics of their support set, as [model.Body.States] has it.
func (p *probe) vectors(b *model.Batch, which *ts.Tensor, numbers []int32, of []*gnn.Stats, s *ops.Scope) (z [][]float64, stats []*gnn.Stats) {
	switch {
	case p.Vectors != given:
		var read *model.Molecules
		read, stats = p.Encode(b, ops.Mode{}, of, s)
		flat, err := ops.ReadAs[float64](read.Of(which, s))
		s.Check(err)
		z = rows(flat, len(numbers))
	case p.minimol:
		z = rows(b.Host.EmbeddingsOf(numbers), len(numbers))
	default:
		all, err := counts.Of(b.Host, numbers)
		s.Check(err)
		z = rows(make([]float64, len(all)*data.FingerprintLength), len(all))
		for i, v := range all {
			for k, bit := range v.Bit {
				z[i][bit] = math.Log1p(float64(v.Count[k]))
			}
		}
	}
	for _, v := range z {
		shorten(v)
	}
	return z, stats
}

// rows are the n rows of a matrix. What is not a number, as in MiniMol's vectors of molecules that cannot
// be read, is 0.
func rows[T float32 | float64](flat []T, n int) [][]float64 {
	z := make([][]float64, n)
	for i := range z {
		for _, v := range flat[i*len(flat)/n : (i+1)*len(flat)/n] {
			if math.IsNaN(float64(v)) {
				v = 0
			}
			z[i] = append(z[i], float64(v))
		}
	}
	return z
}

// shorten gives v length 1, unless it is 0.
func shorten(v []float64) {
	if norm := floats.Norm(v, 2); norm > 0 {
		floats.Scale(1/norm, v)
	}
}

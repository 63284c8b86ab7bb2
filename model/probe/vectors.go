package probe

import (
	"math"

	"github.com/sugarme/gotch/ts"
	"gonum.org/v1/gonum/floats"

	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// vectors returns the vectors, of length 1 or 0, of the molecules which of a batch. numbers are the same on
// the host. of are the statistics of the support set, by which an encoder normalises queries as in
// [model.Body.States].
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
		all, err := counts.Vectors(b.Host, numbers)
		s.Check(err)
		z = rows(make([]float64, len(all)*molecule.FingerprintLength), len(all))
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

// rows returns the n rows of a matrix. NaN, as in MiniMol's vectors of molecules that cannot be read, becomes
// 0.
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

// shorten scales v to length 1, unless it is 0.
func shorten(v []float64) {
	if norm := floats.Norm(v, 2); norm > 0 {
		floats.Scale(1/norm, v)
	}
}

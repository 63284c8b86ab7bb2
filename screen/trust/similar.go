package trust

import (
	"pacia/data/molecule"
	"pacia/model/shared/counts"
)

// vectors returns the fingerprints of rows of a store (nil: all rows), and reports whether
// the store has fingerprints.
func vectors(s molecule.List, rows []int32) ([]counts.Vector, bool) {
	f, ok := molecule.FingerprintsOf(s)
	if !ok {
		return nil, false
	}
	if rows == nil {
		rows = make([]int32, s.Len())
		for i := range rows {
			rows[i] = int32(i)
		}
	}
	v := make([]counts.Vector, len(rows))
	for i, row := range rows {
		v[i].Bit, v[i].Count = f.At(int(row))
	}
	return v, true
}

// bySimilarity is held for a similarity search (package pacia/model/similarity) in place of a model. The score
// of a molecule [N] is its Tanimoto coefficient with the nearest active molecule minus that with the
// nearest inactive one.
func bySimilarity(v []counts.Vector, labels []uint8, by [][]int, first []int) []float64 {
	x, near := counts.NewIndex(v), make([]float64, len(v))
	scores := make([]float64, len(v))
	for _, fold := range by {
		out := omitted(fold, first)
		for _, at := range fold {
			x.Tanimoto(v[at], near)
			var best [2]float64
			for i, label := range labels {
				if !out[i] {
					best[label] = max(best[label], near[i])
				}
			}
			scores[at] += best[1] - best[0]
		}
	}
	for i, n := range times(by, len(v)) {
		scores[i] /= n
	}
	return scores
}

package model

import "pacia/data"

// What one batch of queries may hold. At the presets' widths an atom takes
// 8 kB while a layer of the encoder runs, where no other has its surroundings,
// and a pair, with its share of the nodes of five relation layers, 0.4 kB: 130
// and 50 MB. Longer batches share a little more and gain nothing else.
const (
	atomsPerBatch = 1 << 14
	pairsPerBatch = 1 << 17
)

// QueryBatches cuts rows of a store into runs to be scored together, as long
// as memory should allow, for a task of so many support molecules. The runs
// are parts of rows, in order, of about the same length, since they are scored
// side by side; none is empty.
func QueryBatches(s *data.Store, rows []int32, support int) [][]int32 {
	most := max(1, pairsPerBatch/max(1, support*(support+1)/2))
	runs := cut(s, rows, most)
	if n := len(runs); n > 1 {
		runs = cut(s, rows, (len(rows)+n-1)/n)
	}
	return runs
}

// cut makes runs of at most so many queries.
func cut(s *data.Store, rows []int32, queries int) (runs [][]int32) {
	first, atoms := 0, 0
	for i, row := range rows {
		n := s.Atoms(int(row))
		if i > first && (i-first == queries || atoms+n > atomsPerBatch) {
			runs = append(runs, rows[first:i])
			first, atoms = i, 0
		}
		atoms += n
	}
	if first < len(rows) {
		runs = append(runs, rows[first:])
	}
	return runs
}

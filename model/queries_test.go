package model

import (
	"slices"
	"testing"

	"pacia/data"
)

// chain is a molecule of so many atoms, without bonds.
func chain(atoms int) data.Graph {
	return data.Graph{Atoms: make([]uint8, 2*atoms), RowPtr: make([]int32, atoms+1)}
}

// TestQueryBatches: no run has more atoms or pairs than a batch may hold,
// unless it is one molecule, none could take the next molecule too, and
// together they are the rows.
func TestQueryBatches(t *testing.T) {
	store := data.NewStore([]data.Graph{chain(1), chain(30), chain(300), chain(atomsPerBatch + 1)})
	small, mixed := slices.Repeat([]int32{0, 1}, 20000), slices.Repeat([]int32{1, 2, 0}, 300)
	for _, c := range []struct {
		name    string
		rows    []int32
		support int
	}{
		{"no rows", nil, 20},
		{"small molecules", small, 2},
		{"the paper's support", small, 20},
		{"a large support", mixed, 300},
		{"more pairs than a batch holds", mixed[:9], 2000},
		{"large molecules", slices.Concat(mixed, []int32{3, 3, 0}, mixed, []int32{3}), 20},
	} {
		runs := QueryBatches(store, c.rows, c.support)
		if !slices.Equal(slices.Concat(runs...), c.rows) {
			t.Errorf("%s: the runs together are not the rows", c.name)
		}
		for i, run := range runs {
			if len(run) == 0 || len(run) > 1 && tooMuch(store, run, c.support) {
				t.Errorf("%s: run %d has %d molecules", c.name, i, len(run))
			}
			if i+1 < len(runs) && !tooMuch(store, c.rows[:len(run)+len(runs[i+1])], c.support) {
				t.Errorf("%s: runs %d and %d of %d and %d molecules could be one", c.name, i, i+1, len(run), len(runs[i+1]))
			}
			c.rows = c.rows[len(run):]
		}
	}
}

// tooMuch says whether rows are more than a batch may hold.
func tooMuch(s *data.Store, rows []int32, support int) bool {
	atoms := 0
	for _, row := range rows {
		atoms += s.Atoms(int(row))
	}
	return atoms > atomsPerBatch || len(rows)*support*(support+1)/2 > pairsPerBatch
}

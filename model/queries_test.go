package model_test

import (
	"slices"
	"testing"

	"pacia/data/molecule"
	"pacia/model"
	"pacia/ops"
)

// chain returns a molecule with the given number of atoms, without bonds.
func chain(atoms int) molecule.Graph {
	return molecule.Graph{Atoms: make([]uint8, 2*atoms), RowPtr: make([]int32, atoms+1)}
}

// TestQueryBatches: no run of several molecules has more atoms or pairs than a batch
// may hold, no two neighbouring runs fit in one, and concatenated they are the rows.
func TestQueryBatches(t *testing.T) {
	store := molecule.NewStore([]molecule.Graph{chain(1), chain(30), chain(300), chain(262144 + 1)})
	small, mixed := slices.Repeat([]int32{0, 1}, 20000), slices.Repeat([]int32{1, 2, 0}, 3000)
	for _, c := range []struct {
		name    string
		rows    []int32
		support int
	}{
		{"no rows", nil, 20},
		{"small molecules", small, 2},
		{"the paper's support", small, 20},
		{"a large support", mixed, 300},
		{"more pairs than a batch holds", mixed[:9], 8000},
		{"large molecules", slices.Concat(mixed, []int32{3, 3, 0}, mixed, []int32{3}), 20},
	} {
		for _, d := range []struct {
			device       ops.Device
			atoms, pairs int
		}{{ops.CPU, 16384, 131072}, {1, 262144, 2097152}} {
			tooMuch := func(rows []int32) bool {
				atoms := 0
				for _, row := range rows {
					atoms += store.Atoms(int(row))
				}
				return atoms > d.atoms || len(rows)*c.support*(c.support+1)/2 > d.pairs
			}
			runs := model.QueryBatches(store, c.rows, c.support, d.device)
			if !slices.Equal(slices.Concat(runs...), c.rows) {
				t.Errorf("%s, device %d: the runs together are not the rows", c.name, d.device)
			}
			rows := c.rows
			for i, run := range runs {
				if len(run) == 0 || len(run) > 1 && tooMuch(run) {
					t.Errorf("%s, device %d: run %d has %d molecules", c.name, d.device, i, len(run))
				}
				if i+1 < len(runs) && !tooMuch(rows[:len(run)+len(runs[i+1])]) {
					t.Errorf("%s, device %d: runs %d and %d of %d and %d molecules could be one", c.name, d.device, i, i+1, len(run), len(runs[i+1]))
				}
				rows = rows[len(run):]
			}
		}
	}
}

// TestSharedBatches: an odd number of runs is increased by one if there are enough queries,
// but not on a GPU.
func TestSharedBatches(t *testing.T) {
	store := molecule.NewStore([]molecule.Graph{chain(1), chain(20)})
	for _, c := range []struct {
		queries, before, runs int
		device                ops.Device
	}{
		{0, 0, 0, ops.CPU},
		{255, 1, 1, ops.CPU},
		{256, 1, 2, ops.CPU},
		{624, 1, 2, ops.CPU},
		{625, 2, 2, ops.CPU},
		{1249, 3, 4, ops.CPU},
		{600, 1, 1, 1},
	} {
		rows := slices.Repeat([]int32{0, 1}, c.queries)[:c.queries]
		before, runs := model.QueryBatches(store, rows, 20, c.device), model.SharedBatches(store, rows, 20, c.device)
		if len(before) != c.before || len(runs) != c.runs {
			t.Errorf("%d queries on device %d: %d runs, %d to be shared; want %d and %d", c.queries, c.device, len(before), len(runs), c.before, c.runs)
		}
		if !slices.Equal(slices.Concat(runs...), rows) {
			t.Errorf("%d queries: the runs together are not the rows", c.queries)
		}
		for i, run := range runs {
			if n := len(run); n == 0 || c.runs > 1 && n > c.queries/c.runs+c.runs {
				t.Errorf("%d queries: run %d has %d", c.queries, i, n)
			}
		}
	}
}

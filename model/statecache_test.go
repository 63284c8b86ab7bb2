package model_test

import (
	"slices"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// TestTablesChangeNothing: with a table of states of any size, scores are equal bit for bit,
// after any other batches. A new support set does not use states of the previous one.
func TestTablesChangeNothing(t *testing.T) {
	modeltest.Locked(t, 1)
	const size = 20 // fewer rows have another matrix product, with or without a table
	if least, alone := ops.RowsAlone(); !alone || least > size {
		t.Skip("a library computes the products, or few rows have a product of their own")
	}
	store := modeltest.RandomStore(15, 120)
	var batches [][]int32
	for first := int32(20); first < 120; first += size {
		var rows []int32
		for row := range int32(size) {
			rows = append(rows, first+row)
		}
		batches = append(batches, rows)
	}
	for _, method := range []string{"pacia", "siamese", "proto"} {
		c := small(t, method, model.Reference)
		c.Layers, c.Width = 4, size
		scores := func(table, first int, order ...int) map[int][]float64 {
			defer model.WithTables(table)()
			m := newTest(t, c, model.Options{}) // with its own table
			a, all := modeltest.Adapt(t, m, store, modeltest.Task(first, 4, 0)), map[int][]float64{}
			defer a.Drop()
			for _, i := range order {
				all[i], _ = modeltest.Scores(t, m, a, store, batches[i], size)
			}
			return all
		}
		for _, first := range []int{0, 8} {
			want := scores(0, first, 0, 1, 2, 3, 4)
			for _, table := range []int{3000, 1 << 16} {
				for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 2, 0, 2, 3, 1}, {3}} {
					for i, got := range scores(table, first, order...) {
						if !slices.Equal(got, want[i]) {
							t.Errorf("%s, %d rows, support set at %d, batch %d of %v: P(active) %v, without a table %v", method, table, first, i, order, got, want[i])
						}
					}
				}
			}
		}
	}
}

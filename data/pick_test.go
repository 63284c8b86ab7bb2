package data

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// sameBatch compares all exported fields of two batches.
func sameBatch(t *testing.T, what string, got, want *Batch) {
	t.Helper()
	for i := range reflect.TypeFor[Batch]().NumField() {
		f := reflect.TypeFor[Batch]().Field(i)
		g, w := reflect.ValueOf(*got).Field(i), reflect.ValueOf(*want).Field(i)
		if f.IsExported() && fmt.Sprint(g) != fmt.Sprint(w) {
			t.Errorf("%s: %s is %v, want %v", what, f.Name, g, w)
		}
	}
}

// TestApart: Apart returns the batches that Assemble would make from the parts of a
// step.
func TestApart(t *testing.T) {
	s := batchStore(t)
	for range s.Len() {
		s.Fingerprints().Add([]uint16{1, uint16(2 + s.Fingerprints().Len())}, []uint16{1, 2})
	}
	eps := []Episode{
		{Task: 3, Support: []int32{4, 1}, SupportLabels: []uint8{0, 1}, Query: []int32{0, 2, 3}, QueryLabels: []uint8{1, 0, 1}, Shots: 1},
		{Task: 5, Support: []int32{2, 0}, SupportLabels: []uint8{0, 1}, Query: []int32{1, 4}, QueryLabels: []uint8{0, 1}, Shots: 1},
	}
	b, err := Assemble(s, eps)
	if err != nil {
		t.Fatal(err)
	}
	support, queries := b.Apart()
	if len(support) != 2 || len(queries) != 2 {
		t.Fatalf("%d support sets and %d sets of queries of two tasks", len(support), len(queries))
	}
	for i, e := range eps {
		for what, part := range map[string]Episode{
			"support": {Task: e.Task, Support: e.Support, SupportLabels: e.SupportLabels, Shots: 1},
			"queries": {Task: e.Task, Support: e.Query, SupportLabels: e.QueryLabels, Shots: 1},
		} {
			want, err := AssembleSupport(s, part)
			if err != nil {
				t.Fatal(err)
			}
			got := support[i]
			if what == "queries" {
				got = queries[i]
			}
			sameBatch(t, fmt.Sprintf("%s of task %d", what, i), got, want)
		}
	}
}

// TestPickQueries: queries picked from a batch equal those from a store.
func TestPickQueries(t *testing.T) {
	s := batchStore(t)
	b, err := AssembleSupport(s, Episode{Support: []int32{4, 1, 2}, SupportLabels: []uint8{0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	want, err := AssembleQueries(s, []int32{2, 4})
	if err != nil {
		t.Fatal(err)
	}
	sameBatch(t, "queries", b.PickQueries([]int32{2, 0}), want)
}

// TestSortMolecules: the order of sorted molecules does not depend on the batch.
func TestSortMolecules(t *testing.T) {
	s := batchStore(t)
	order := func(rows ...int32) (sorted []int32) {
		b, err := AssembleQueries(s, rows)
		if err != nil {
			t.Fatal(err)
		}
		molecules := slices.Clone(b.QueryMol)
		b.SortMolecules(molecules)
		for _, m := range molecules {
			sorted = append(sorted, rows[m])
		}
		return sorted
	}
	want := order(0, 1, 2, 3, 4)
	for _, rows := range [][]int32{{4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}} {
		if got := order(rows...); !slices.Equal(got, want) {
			t.Errorf("molecules %v are sorted to %v, want %v", rows, got, want)
		}
	}
}

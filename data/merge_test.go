package data

import (
	"slices"
	"testing"
)

// TestMerge: a molecule with the same label in several tasks is in the merged task once. A molecule
// with two labels is left out. The original data set is unchanged.
func TestMerge(t *testing.T) {
	d := &Dataset{Name: "set", Tasks: []Task{
		{Name: "a", Rows: []int32{4, 1, 7}, Labels: []uint8{1, 0, 1}},
		{Name: "b", Rows: []int32{9}, Labels: []uint8{1}},
		{Name: "c", Rows: []int32{7, 4, 2}, Labels: []uint8{0, 1, 0}},
	}}
	merged, added := d.Merge([]Merger{{Name: "a and c", Tasks: []int{0, 2}}, {Name: "all", Tasks: []int{0, 1, 2}}})
	if !slices.Equal(added, []int{3, 4}) || len(merged.Tasks) != 5 || len(d.Tasks) != 3 {
		t.Fatalf("added %v, %d tasks of %d, want [3 4], 5 of 3", added, len(merged.Tasks), len(d.Tasks))
	}
	for _, want := range []Task{
		{Name: "a and c", Rows: []int32{1, 2, 4}, Labels: []uint8{0, 0, 1}},
		{Name: "all", Rows: []int32{1, 2, 4, 9}, Labels: []uint8{0, 0, 1, 1}},
	} {
		got := merged.Tasks[added[0]]
		added = added[1:]
		if got.Name != want.Name || !slices.Equal(got.Rows, want.Rows) || !slices.Equal(got.Labels, want.Labels) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if !slices.Equal(got.Class(1), classPositions(want.Labels)[1]) {
			t.Errorf("%s: actives at %v", got.Name, got.Class(1))
		}
	}
}

package replicates

import (
	"maps"
	"slices"
	"testing"
)

// TestGroup: SMILES of one molecule are one key, and rows without a key do not repeat each other.
func TestGroup(t *testing.T) {
	var keys []string
	for _, smiles := range []string{"CCO", "", "OCC", "C(", "CC", "", "C(", "C(O)C"} {
		keys = append(keys, Key(t.Context(), smiles))
	}
	molecules, first := Group(keys)
	if want := []int32{0, 1, 0, 2, 3, 4, 2, 0}; !slices.Equal(molecules, want) {
		t.Errorf("molecules %v, want %v", molecules, want)
	}
	if want := []int32{0, 1, 3, 4, 5}; !slices.Equal(first, want) {
		t.Errorf("first rows %v, want %v", first, want)
	}
}

func TestVotes(t *testing.T) {
	all := Count([]int32{0, 1, 0, 2, 0, 1}, []uint8{1, 0, 0, 1, 1, 1})
	if want := map[int32]Votes{0: {1, 2}, 1: {1, 1}, 2: {0, 1}}; !maps.Equal(all, want) {
		t.Fatalf("votes %v, want %v", all, want)
	}
	if v := all[0]; !v.Disagree() || v.Tied() || v.Label() != 1 {
		t.Errorf("%v: disagree %t, tied %t, label %d", v, v.Disagree(), v.Tied(), v.Label())
	}
	if v := all[1]; !v.Disagree() || !v.Tied() {
		t.Errorf("%v: disagree %t, tied %t", v, v.Disagree(), v.Tied())
	}
	if v := all[2]; v.Disagree() || v.Tied() || v.Label() != 1 {
		t.Errorf("%v: disagree %t, tied %t, label %d", v, v.Disagree(), v.Tied(), v.Label())
	}
}

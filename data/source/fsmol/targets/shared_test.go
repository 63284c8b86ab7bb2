package targets

import (
	"maps"
	"slices"
	"testing"
)

// TestSharedBy: all assays in the table have 825 shared targets with 4,246 assays. A target with
// a single assay is not shared.
func TestSharedBy(t *testing.T) {
	names := slices.Sorted(maps.Keys(targetOf()))
	assays := 0
	for _, s := range SharedBy(names) {
		assays += len(s.Tasks)
		for _, i := range s.Tasks {
			if got := targetOf()[names[i]]; got != s.Target {
				t.Errorf("%s is among the assays of target %s, want %s", names[i], s.Target, got)
			}
		}
	}
	if n := len(SharedBy(names)); n != 825 || assays != 4246 {
		t.Errorf("%d targets with %d assays, want 825 with 4246", n, assays)
	}

	// Target 4 has two assays, target 3 seven.
	got := SharedBy([]string{"CHEMBL4234578", "other", "CHEMBL1664615", "CHEMBL760830", "CHEMBL1737966"})
	if len(got) != 2 || got[0].Target != "4" || !slices.Equal(got[0].Tasks, []int{0, 4}) || !slices.Equal(got[1].Tasks, []int{2, 3}) {
		t.Errorf("got %+v", got)
	}
	if got := SharedBy([]string{"CHEMBL4234578", "CHEMBL1664615", "SR-p53"}); len(got) != 0 {
		t.Errorf("assays of different targets share %+v", got)
	}
}

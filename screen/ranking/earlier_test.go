package ranking

import (
	"slices"
	"strings"
	"testing"
)

// TestARankedTableIsALibrary: columns of an earlier ranking keep their cells under other names, and conditions find them.
func TestARankedTableIsALibrary(t *testing.T) {
	o := plain
	o.Ranked, o.Wanted.Where = true, []string{"rank <= 1"}
	table, err := Open(t.Context(), []string{file(t, "ranked.csv", "smiles,rank,probability,rank_before\nCCO,1,0.5,7\nCCN,2,0.4,8\n")}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	want := []string{"smiles", "rank_before_before", "probability_before", "rank_before"}
	if !slices.Equal(table.Header, want) {
		t.Errorf("header %q, want %q", table.Header, want)
	}
	if notes := table.Notes()[0].Notes; len(notes) == 0 || !strings.Contains(notes[len(notes)-1].Text, "_before") {
		t.Errorf("notes %v lack the new names", notes)
	}
}

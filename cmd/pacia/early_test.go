package main

import (
	"slices"
	"testing"
)

// TestMistakesBeforeTheRanking checks that mistakes that are known at the start are reported before the library is
// ranked: its molecule cannot be read, which --on-invalid fail would report.
func TestMistakesBeforeTheRanking(t *testing.T) {
	exampleFolder(t)
	put(t, "support.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\nCCCN,0\n")
	put(t, "library.csv", "smiles\nC(C\n")
	files := []string{"--support", "support.csv", "--candidates", "library.csv", "--out", "out.csv",
		"--on-invalid", "fail", "--method", "gp"}
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"none.csv: cannot be read", []string{"next", "--before", "none.csv"}},
		{"does not state how uncertain it is", []string{"next", "--explore", "1"}},
		{"no column to group by", []string{"predict", "--group", "nothing"}},
		{"no column to group by", []string{"predict", "--group", "nothing", "--shards", "2"}},
	} {
		refused(t, tt.want, slices.Concat(tt.args, files)...)
	}
}

package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestPredictHistoryOfOthers: past assays without a common molecule change nothing, to the byte, and one line states it.
func TestPredictHistoryOfOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	assayFolder(t)
	put(t, "foreign.csv", "smiles,assay\nCCCCCCCC(F)CC,1\nCCCCCCCC(F)CCC,0\nCCCCCCCC(F)CCCC,1\nCCCCCCCC(F)CCCCC,0\nCCCCCCCC(F)CCCCCC,1\n")
	args := []string{"predict", "--support", "support.csv", "--candidates", "library.csv"}
	ok(t, append(args, "--out", "none.csv")...)
	out := ok(t, append(args, "--history", "foreign.csv", "--out", "ranked.csv")...)
	if want := "no molecule of the library or the support set is in foreign.csv: nothing changes"; !strings.Contains(out, want) {
		t.Errorf("the report is without %q:\n%s", want, out)
	}
	none, err := os.ReadFile("none.csv")
	ranked, failed := os.ReadFile("ranked.csv")
	if err != nil || failed != nil || !bytes.Equal(none, ranked) {
		t.Errorf("the tables differ (%v, %v)", err, failed)
	}
}

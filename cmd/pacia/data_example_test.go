package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDataExample checks that every molecule is in the support set or in the library, that the
// support set has --shots of each class, and that the outcome is the library with its labels.
func TestDataExample(t *testing.T) {
	var assay strings.Builder
	assay.WriteString("smiles,CHEMBL1\n")
	label := map[string]string{}
	for n := 1; n <= 12; n++ {
		for k, end := range []string{"O", "N", "S"} {
			smiles := strings.Repeat("C", n) + end
			label[smiles] = map[bool]string{true: "1", false: "0"}[k == 0]
			fmt.Fprintf(&assay, "%s,%s\n", smiles, label[smiles])
		}
	}
	inFolder(t, "assay.csv", assay.String())
	out := ok(t, "data", "example", "assay.csv", "--out", "a", "--shots", "4")
	if want := "a: support.csv with 8 molecules, library.csv and outcome.csv with 28 molecules (8 active)\n"; out != want {
		t.Errorf("it prints %q, want %q", out, want)
	}
	support, library, outcome := readCSV(t, "a/support.csv"), readCSV(t, "a/library.csv"), readCSV(t, "a/outcome.csv")
	if len(support) != 9 || len(library) != 29 || len(outcome) != 29 || len(library[1]) != 1 {
		t.Fatalf("%d, %d and %d rows", len(support), len(library), len(outcome))
	}
	seen := map[string]bool{}
	for i, row := range slices.Concat(support[1:], outcome[1:]) {
		if seen[row[0]] || row[1] != label[row[0]] {
			t.Errorf("%s with label %s: twice, or not its own", row[0], row[1])
		}
		seen[row[0]] = true
		if i < 8 && (row[1] == "1") != (i < 4) {
			t.Errorf("row %d of the support set has label %s; want 4 actives and then 4 inactives", i+1, row[1])
		}
	}
	for i := range library {
		if library[i][0] != outcome[i][0] {
			t.Errorf("row %d is %s in the library and %s in its outcome", i, library[i][0], outcome[i][0])
		}
	}
	ok(t, "data", "example", "assay.csv", "--out", "b", "--shots", "4")
	if again := readCSV(t, "b/outcome.csv"); !slices.EqualFunc(again, outcome, slices.Equal) {
		t.Error("the same seed gave another example")
	}
	wantFault(t, "pacia: assay.csv: --shots 12 of each class would leave no library: there are 24 inactive and 12 active molecules; write a number from 1 to 11",
		"data", "example", "assay.csv", "--out", "a", "--shots", "12")
}

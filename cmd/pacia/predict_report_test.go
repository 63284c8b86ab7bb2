package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/examples"
)

// firstMolecules returns a table's header and its first n molecules.
func firstMolecules(table string, n int) string {
	return strings.Join(strings.SplitAfter(table, "\n")[:1+n], "")
}

// TestPredictAsJSON checks that the report is one object with the figures of the lines. With --top
// the table ends after that many ranks, and all molecules are counted.
func TestPredictAsJSON(t *testing.T) {
	seconds(t)
	outcome, err := filepath.Abs(filepath.Join("..", "..", "examples", "assay", "outcome.csv"))
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, "support.csv", examples.Support)
	put(t, "library.csv", firstMolecules(examples.Library, 60))
	args := []string{"predict", "--support", "support.csv", "--candidates", "library.csv", "--outcome", outcome, "--out", "ranked.csv"}
	var got reported
	if err := json.Unmarshal([]byte(ok(t, append(args, "--json")...)), &got); err != nil {
		t.Fatal(err)
	}
	all := readCSV(t, "ranked.csv")
	lines := ok(t, append(args, "--top", "20")...)
	for _, want := range []string{"60 molecules in", "s, the first 20 of them: ranked.csv", "of the first 20 are active; by chance 6.3, as 19 of 60 are"} {
		if !strings.Contains(lines, want) {
			t.Errorf("with --top 20 the report is without %q:\n%s", want, lines)
		}
	}
	if first := readCSV(t, "ranked.csv"); len(first) != 21 || !slices.EqualFunc(first, all[:21], slices.Equal[[]string]) {
		t.Errorf("with --top 20 there are %d rows, or others than without", len(first))
	}
	if got.Ranked != 60 || got.Unread != 0 || got.Out != "ranked.csv" || got.Invalid != "ranked.invalid.csv" || got.Support.Active != 10 || got.Support.Inactive != 10 ||
		got.Hits == nil || got.Hits.First != 20 || got.Hits.Known != 60 || got.Trust.Check.Folds != 10 || got.Trust.Library.Known == nil || *got.Trust.Library.Known != 0 {
		t.Errorf("got %+v", got)
	}
	for _, want := range []string{
		fmt.Sprintf("%d of the first 20 are active", got.Hits.Active),
		fmt.Sprintf("ROC-AUC %.2f, by similarity %.2f; with labels swapped %.2f", *got.Trust.Check.Model, *got.Trust.Check.Similarity, *got.Trust.Check.Swapped),
		fmt.Sprintf("Tanimoto %.2f (median), %.2f (10th percentile)", *got.Trust.Library.Median, *got.Trust.Library.Tenth),
		got.Trust.Sentence,
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("the lines are without %q:\n%s", want, lines)
		}
	}
}

// TestReportOfRefined checks that --json states how many of the first molecules were scored with vectors, where these
// were not all.
func TestReportOfRefined(t *testing.T) {
	exampleFolder(t)
	put(t, "support.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\nCCCN,0\n")
	put(t, "library.csv", "smiles\nCCCCN\nCCCCO\nCCOCC\n")
	for refine, want := range map[string]bool{"2": true, "0": false} {
		out := ok(t, "predict", "--support", "support.csv", "--candidates", "library.csv", "--out", "ranked.csv",
			"--json", "--refine", refine)
		if strings.Contains(out, `"refined": 2,`) != want {
			t.Errorf("--refine %s reports\n%s", refine, out)
		}
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPredictAsJSON: the report is one object that says what the lines say. With --top the
// table ends after so many ranks, and all are counted.
func TestPredictAsJSON(t *testing.T) {
	seconds(t)
	example, err := filepath.Abs(filepath.Join("..", "..", "examples", "assay"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	args := []string{"predict", "--support", filepath.Join(example, "support.csv"), "--candidates", filepath.Join(example, "library.csv"),
		"--outcome", filepath.Join(example, "outcome.csv"), "--out", "ranked.csv"}
	lines := ok(t, args...)
	all := readCSV(t, "ranked.csv")
	if top := ok(t, append(args, "--top", "20")...); !strings.Contains(top, "197 molecules in") || !strings.Contains(top, "s, the first 20 of them: ranked.csv") || !strings.Contains(top, "of the first 20 are active; by chance 7.7") {
		t.Errorf("with --top 20 the report is\n%s", top)
	}
	if first := readCSV(t, "ranked.csv"); len(first) != 21 || !slices.EqualFunc(first, all[:21], slices.Equal[[]string]) {
		t.Errorf("with --top 20 there are %d rows, or others than without", len(first))
	}
	var got reported
	if err := json.Unmarshal([]byte(ok(t, append(args, "--json")...)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Ranked != 197 || got.Unread != 0 || got.Out != "ranked.csv" || got.Invalid != "ranked.invalid.csv" || got.Support.Active != 10 || got.Support.Inactive != 10 ||
		got.Hits == nil || got.Hits.First != 20 || got.Hits.Known != 197 || got.Trust.Check.Folds != 10 || got.Trust.Library.Known == nil || *got.Trust.Library.Known != 0 {
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

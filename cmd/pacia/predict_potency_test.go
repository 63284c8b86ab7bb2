package main

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOutcomeOfPotency checks that results are active by the threshold of the support set, its median, and not by
// their own median. All of them may be inactive.
func TestOutcomeOfPotency(t *testing.T) {
	exampleFolder(t)
	put(t, "assay.csv", "smiles,IC50 (nM)\nCCO,10\nCCCO,30\nCCCCO,90\nCCN,3000\nCCCN,>10000\nCCCCN,8000\n")
	put(t, "library.csv", "smiles\nCCCCCO\nCCCCCN\nCC(C)O\nCC(C)N\n")
	for results, want := range map[string]string{
		"CCCCCO,50000\nCCCCCN,60000\nCC(C)O,70000\nCC(C)N,80000\n": "0 of the first 4 are active; by chance 0.0, as 0 of 4 are",
		"CCCCCO,1 uM\nCCCCCN,60000\nCC(C)O,7\nCC(C)N,8\n":          "3 of the first 4 are active; by chance 3.0, as 3 of 4 are",
	} {
		put(t, "outcome.csv", "smiles,IC50 (nM)\n"+results)
		out := ok(t, "predict", "--method", "similarity", "--support", "assay.csv", "--candidates", "library.csv", "--potency", "IC50 (nM)",
			"--outcome", "outcome.csv", "--out", "ranked.csv")
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
}

// TestPredictPotency checks that measurements are learnt as numbers. Rows are ranked by predicted
// values, which the table has as logarithms and in the column's unit. The default threshold is the
// median.
func TestPredictPotency(t *testing.T) {
	exampleFolder(t)
	put(t, "assay.csv", "smiles,IC50 (nM)\nCCO,10\nCCCO,30\nCCCCO,90\nCCN,3000\nCCCN,>10000\nCCCCN,8000\n")
	put(t, "library.csv", "smiles\nCCCCCO\nCCCCCN\nCC(C)O\nCC(C)N\n")
	args := []string{"predict", "--support", "assay.csv", "--candidates", "library.csv", "--potency", "IC50 (nM)", "--out", "ranked.csv", "--report", "ranked.html"}
	for _, more := range [][]string{nil, {"--method", "gp"}, {"--method", "forest"}, {"--method", "similarity"}} {
		out := ok(t, append(slices.Clone(args), more...)...)
		if !strings.Contains(out, "column potency is pIC50") || !strings.Contains(out, "column predicted is the same in nM") {
			t.Errorf("%v: the report does not describe the columns:\n%s", more, out)
		}
		rows := readCSV(t, "ranked.csv")
		at := slices.Index(rows[0], "potency")
		if got := strings.Join(rows[0][at:at+7], " "); got != "potency potency_low potency_high predicted predicted_low predicted_high predicted_unit" {
			t.Fatalf("columns %s", got)
		}
		if got := rows[1][at+6]; got != "nM" {
			t.Errorf("%v: the unit is %q", more, got)
		}
		page, err := os.ReadFile("ranked.html")
		if err != nil {
			t.Fatal(err)
		}
		if value := rows[1][at+3][:2]; !regexp.MustCompile(`predicted `+value+`[0-9.e+]* nM \(`).Match(page) || !strings.Contains(string(page), "<dt>potency</dt>") {
			t.Errorf("%v: the page does not state that %s nM are predicted of the first molecule", more, rows[1][at+3])
		}
		last := 99.0
		for _, row := range rows[1:] {
			v, err := strconv.ParseFloat(row[at], 64)
			if err != nil || v > last {
				t.Errorf("%v: potency %s comes after %v (%v)", more, row[at], last, err)
			}
			last = v
		}
		if !strings.HasSuffix(rows[1][0], "O") || !strings.HasSuffix(rows[4][0], "N") {
			t.Errorf("%v: %s is first and %s last: alcohols are potent", more, rows[1][0], rows[4][0])
		}
	}
}

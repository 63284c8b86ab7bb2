package main

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/screen/why"
)

// TestReasons checks that the first rows have columns that add up to the log-odds of their probability,
// and the signs of the neighbors' labels, that the others have empty cells, and that the page shows the
// reasons. Models without exact reasons refuse --reasons.
func TestReasons(t *testing.T) {
	exampleFolder(t)
	put(t, "support.csv", "smiles,active\nCCCO,1\nCCCCO,1\nCCOCC,1\nc1ccccc1,0\nCc1ccccc1,0\n")
	put(t, "library.csv", "smiles\nCCO\nCCCCCO\nc1ccccc1O\nCC[NH3+].[Cl-]\n")
	args := []string{"predict", "--support", "support.csv", "--candidates", "library.csv", "--out", "ranked.csv",
		"--reasons", "3", "--prior", "5%", "--method"}
	ok(t, append(args, "gp", "--report", "ranked.html")...)
	rows := readCSV(t, "ranked.csv")
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for i, row := range rows[1:] {
		if i >= 3 {
			for _, name := range why.ColumnNames() {
				if row[at[name]] != "" {
					t.Errorf("row %d has %q as %s, and no reasons were requested", i+1, row[at[name]], name)
				}
			}
			continue
		}
		sum, odds := number(row[at["other_neighbors"]])+number(row[at["any_assay"]])+number(row[at["prior_shift"]]), number(row[at["log_odds"]])
		for n := range strings.SplitSeq(row[at["neighbors"]], "; ") {
			share := number(n[strings.LastIndexByte(n, ' ')+1:])
			sum += share
			if strings.Contains(n, "(active)") != (share > 0) {
				t.Errorf("row %d: %s has the sign of the other class", i+1, n)
			}
		}
		if math.Abs(sum-odds) > 0.003 { // five shares of three decimals
			t.Errorf("row %d: the columns add up to %v, the log-odds are %v", i+1, sum, odds)
		}
		if p := 1 / (1 + math.Exp(-odds)); math.Abs(p-number(row[at["probability"]])) > 1e-4 {
			t.Errorf("row %d has the probability %s and the log-odds %v", i+1, row[at["probability"]], odds)
		}
	}
	text, err := os.ReadFile("ranked.html")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "<summary>Why</summary>"); n != 3 {
		t.Errorf("the page has the reasons of %d molecules, want 3", n)
	}
	for name, want := range map[string]string{
		"beside_active": "CCCCO", "active_changes": "[*:1]C in place of [*:1][H]", "beside_inactive": "", "inactive_changes": "",
	} {
		i := slices.IndexFunc(rows, func(row []string) bool { return row[0] == "CCCCCO" })
		if got := rows[i][at[name]]; got != want && (want == "" || !strings.HasPrefix(got, want+" ")) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(string(text), "<code>[*:1]C</code> in place of <code>[*:1][H]</code>") {
		t.Error("the page does not name the changed group")
	}
	refused(t, "no exact shares", append(args, "forest")...)
}

// TestReasonsOfATautomer: a molecule that the model knows in another drawing is explained in that drawing, in which it is
// scored.
func TestReasonsOfATautomer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	exampleFolder(t)
	put(t, "support.csv", "smiles,active\nCCCO,1\nc1ccccc1,0\n")
	put(t, "library.csv", "smiles\nCC(=O)CC(c1ccccc1)C1C(=O)c2ccccc2OC1=O\n") // warfarin, drawn as a diketone
	ok(t, "predict", "--support", "support.csv", "--candidates", "library.csv", "--out", "ranked.csv", "--reasons", "1")
	rows := readCSV(t, "ranked.csv")
	cell := func(name string) string { return rows[1][slices.Index(rows[0], name)] }
	sum := 0.0
	for share := range strings.FieldsSeq(cell("atoms")) {
		v, err := strconv.ParseFloat(share, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += v
	}
	whole, err := strconv.ParseFloat(cell("fingerprint_share"), 64)
	if err != nil || math.Abs(sum-whole) > 1e-3 {
		t.Errorf("atoms have %v of the share %q of fingerprints, read as %s", sum, cell("fingerprint_share"), cell("read_as"))
	}
	if cell("known_active") == "" {
		t.Errorf("not known, read as %s", cell("read_as"))
	}
}

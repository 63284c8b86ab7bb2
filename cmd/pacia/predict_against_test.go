package main

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/screen/page"
)

// numbers returns the numbers in a column of a table, by the cells of its first column.
func numbers(t *testing.T, file, name string) map[string]float64 {
	t.Helper()
	rows, of := readCSV(t, file), map[string]float64{}
	at := slices.Index(rows[0], name)
	if at < 0 {
		t.Fatalf("%s has the columns %v, and no %s", file, rows[0], name)
	}
	for _, row := range rows[1:] {
		v, err := strconv.ParseFloat(row[at], 64)
		if err != nil {
			t.Fatal(err)
		}
		of[row[0]] = v
	}
	return of
}

// checkAgainstPage checks that a page states the selectivity of a table's first molecule and its probability
// in each assay, and that it names the selectivity as the score.
func checkAgainstPage(t *testing.T, file, table string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := readCSV(t, table)
	cell := func(column string) string {
		p, err := strconv.ParseFloat(rows[1][slices.Index(rows[0], column)], 64)
		if err != nil {
			t.Fatal(err)
		}
		return page.Percent(p)
	}
	for _, want := range []string{
		"not wanted in counter, third", "<h3>Selectivities</h3>", "<small>selectivity</small> " + cell("selectivity"), "<dt>selectivity</dt>",
		"active in the wanted assay " + cell("probability"), "active in counter " + cell("probability_counter"), "active in third " + cell("probability_third"),
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is without %q", file, want)
		}
	}
}

// TestAgainst checks that a molecule has the same probability in each of several assays as with that assay
// alone. Molecules are ranked by p(wanted) times all 1 − p(unwanted), also if the first ones are scored
// again with vectors of MiniMol.
func TestAgainst(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	exampleFolder(t)
	put(t, "hit.csv", "smiles,active\nCCCO,1\nCCCCO,1\nCCN,0\nc1ccccc1,0\n")
	put(t, "counter.csv", "smiles,active\nCCCl,1\nOCCO,1\nCCCCC,0\nCCOCC,0\n")
	put(t, "third.csv", "smiles,active\nc1ccccc1O,1\nCCCC,0\n")
	put(t, "library.csv", "smiles\nCCO\nOCCCO\nCCCl\nCCCCCO\nc1ccccc1C\nCCNC\n")
	for _, more := range [][]string{{"--method", "gp"}, nil, {"--refine", "0"}} {
		single := func(support string) map[string]float64 {
			ok(t, append([]string{"predict", "--candidates", "library.csv", "--out", "one.csv", "--support", support}, more...)...)
			return numbers(t, "one.csv", "probability")
		}
		ok(t, append([]string{
			"predict", "--candidates", "library.csv", "--out", "all.csv", "--support", "hit.csv",
			"--against", "counter.csv", "--against", "third.csv", "--report", "all.html",
		}, more...)...)
		checkAgainstPage(t, "all.html", "all.csv")
		want := []map[string]float64{single("hit.csv"), single("counter.csv"), single("third.csv")}
		selectivity := numbers(t, "all.csv", "selectivity")
		for k, name := range []string{"probability", "probability_counter", "probability_third"} {
			for smiles, p := range numbers(t, "all.csv", name) {
				if math.Abs(p-want[k][smiles]) > 1e-5 {
					t.Errorf("%v: %s of %s is %v, alone %v", more, name, smiles, p, want[k][smiles])
				}
			}
		}
		last := 1.0
		for _, row := range readCSV(t, "all.csv")[1:] {
			s := selectivity[row[0]]
			if s > last {
				t.Errorf("%v: %s has the selectivity %v after %v", more, row[0], s, last)
			}
			last = s
			if product := want[0][row[0]] * (1 - want[1][row[0]]) * (1 - want[2][row[0]]); math.Abs(s-product) > 1e-5 {
				t.Errorf("%v: the selectivity of %s is %v, want %v", more, row[0], s, product)
			}
		}
	}
	refused(t, "--against has no effect with --prior",
		"predict", "--support", "hit.csv", "--against", "counter.csv", "--prior", "0.1", "--candidates", "library.csv", "--out", "all.csv")
}

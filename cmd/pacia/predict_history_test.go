package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/examples"
	"pacia/screen/request"
)

// pastOf returns a table of past assays of the molecules of tables: an assay a column. An assay has a molecule active by its place.
func pastOf(t *testing.T, tables ...string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("smiles,kinase A,kinase B,toxicity\n")
	n := 0
	for _, table := range tables {
		for _, row := range readCSV(t, table)[1:] {
			if n++; n%7 > 0 {
				b.WriteString(row[0] + "," + strconv.Itoa(n%3/2) + "," + strconv.Itoa(n%2) + "," + []string{"", "1", "0"}[n%4%3] + "\n")
			}
		}
	}
	return b.String()
}

// TestPredictHistory: past assays change the ranking, have columns and a line of the panel, and rank the same in parts.
func TestPredictHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	assayFolder(t)
	put(t, "past.csv", pastOf(t, "support.csv", "library.csv"))
	args := []string{"predict", "--support", "support.csv", "--candidates", "library.csv"}
	ok(t, append(args, "--out", "none.csv")...)
	args = append(args, "--history", "past.csv")
	if out := ok(t, append(args, "--out", "one.csv", "--report", "one.html")...); !strings.Contains(out, "support molecules and ") {
		t.Errorf("the report does not state how many molecules are in past assays:\n%s", out)
	}
	rows, before := readCSV(t, "one.csv"), readCSV(t, "none.csv")
	at, active := slices.Index(rows[0], "past"), slices.Index(rows[0], "past_active")
	if slices.Contains(before[0], "past") || at < 0 || active != at+1 {
		t.Fatalf("columns %v, and without past assays %v", rows[0], before[0])
	}
	measured := 0
	for _, row := range rows[1:] {
		n, err := strconv.Atoi(row[at])
		a, failed := strconv.Atoi(row[active])
		if err != nil || failed != nil || a > n || n > 3 {
			t.Errorf("%q was active in %q of %q past assays", row[0], row[active], row[at])
		}
		if n > 0 {
			measured++
		}
	}
	if measured == 0 || measured == len(rows)-1 {
		t.Errorf("%d of %d molecules are in past assays", measured, len(rows)-1)
	}
	page, err := os.ReadFile("one.html")
	if chip := regexp.MustCompile(`<span class="chip">active before [0-3] of [1-3]</span>`); err != nil || !chip.Match(page) {
		t.Errorf("no card of the report has past assays (%v)", err)
	}
	inParts(t, 3, args...)
}

// TestPredictHistoryOfOthers: past assays without a common molecule change nothing, to the byte, and one line states it.
func TestPredictHistoryOfOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	assayFolder(t)
	put(t, "foreign.csv", "smiles,hERG\nCCCCCCCC(F)CC,1\nCCCCCCCC(F)CCC,0\nCCCCCCCC(F)CCCC,1\nCCCCCCCC(F)CCCCC,0\nCCCCCCCC(F)CCCCCC,1\n")
	put(t, "foreign.sdf", fluorides())
	args := []string{"predict", "--support", "support.csv", "--candidates", "library.csv"}
	ok(t, append(args, "--out", "none.csv")...)
	none, err := os.ReadFile("none.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"foreign.csv", "foreign.sdf"} {
		out := ok(t, append(args, "--history", name, "--out", "ranked.csv")...)
		if want := "no molecule of the library or the support set is in " + name + ": nothing changes"; !strings.Contains(out, want) {
			t.Errorf("the report is without %q:\n%s", want, out)
		}
		if ranked, err := os.ReadFile("ranked.csv"); err != nil || !bytes.Equal(none, ranked) {
			t.Errorf("%s: the tables differ (%v)", name, err)
		}
	}
}

// fluorides returns an SD file of five chains with a fluorine, with two assays as data fields.
func fluorides() string {
	var b strings.Builder
	for n := 9; n < 14; n++ {
		fmt.Fprintf(&b, "F-%d\n\n\n%3d%3d  0  0  0  0  0  0  0  0999 V2000\n", n, n, n-1)
		for i := range n {
			atom := map[bool]string{true: "F", false: "C"}[i == 0]
			fmt.Fprintf(&b, "%10.4f    0.0000    0.0000 %-3s 0  0  0  0  0  0  0  0  0  0  0  0\n", float64(i), atom)
		}
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "%3d%3d  1  0\n", i, i+1)
		}
		fmt.Fprintf(&b, "M  END\n>  <hERG>\n%d\n\n>  <IC50 (nM)>\n%d\n\n$$$$\n", n%2, n*100)
	}
	return b.String()
}

// TestPredictHistoryRefused: fields and models without an effect are refused.
func TestPredictHistoryRefused(t *testing.T) {
	assayFolder(t)
	put(t, "past.csv", pastOf(t, "support.csv"))
	args := []string{"predict", "--support", "support.csv", "--candidates", "library.csv", "--out", "r.csv"}
	without := " has no effect without past assays; also write --history, use a model that remembers some, or leave it out"
	wantFault(t, "pacia: --specific"+without, append(args, "--specific")...)
	wantFault(t, "pacia: --keep-assay"+without, append(args, "--keep-assay")...)
	wantFault(t, "pacia: --history: the model does not compare molecules by past assays; leave it out; the model that ships and kernel do",
		append(args, "--history", "past.csv", "--method", "gp")...)
	wantFault(t, "pacia: past assays are not read from the standard input; write --history FILE", append(args, "--history", "-")...)
	if f, _ := request.Find("history"); f.Files() == 0 {
		t.Error("past assays are not files")
	}
}

// assayFolder makes a folder with the example assay.
func assayFolder(t *testing.T) {
	t.Helper()
	inFolder(t, "library.csv", examples.Library)
	put(t, "support.csv", examples.Support)
}

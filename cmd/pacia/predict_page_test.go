package main

import (
	"os"
	"strings"
	"testing"
)

// TestPredictWritesAPage checks the page beside the table, also by a method without training. It has
// names, picks, notes on the files and settings, and no text of the user as an HTML element. It is
// the same with the table on the standard output.
func TestPredictWritesAPage(t *testing.T) {
	exampleFolder(t)
	put(t, "labelled.csv", "name;smiles;hit\n<b>first</b>;CCCCO;yes\nsecond;CCCCN;no\nthird;CCCO;yes\n")
	var candidates strings.Builder
	candidates.WriteString("smiles,name\n")
	for n := range 120 {
		candidates.WriteString(strings.Repeat("C", 2+n%40) + []string{"O", "N", "Cl"}[n/40] + ",<script>x" + strings.Repeat("y", n%3) + "</script>\n")
	}
	put(t, "candidates.csv", candidates.String())
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv", "--report", "ranked.html", "--diverse", "5", "--prior", "0.05"}
	if out := ok(t, append(args, "--out", "ranked.csv")...); !strings.Contains(out, "\npage     ranked.html\n") {
		t.Errorf("the report does not name the page:\n%s", out)
	}
	page := func() string {
		text, err := os.ReadFile("ranked.html")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := page()
	for _, want := range []string{
		"120 molecules, ranked", "by 2 active and 1 inactive molecules of labelled.csv", "labelled.csv: semicolons", "similarity, which learns from the support set alone",
		"0.05 (--prior)", "Picks: 5 dissimilar molecules", "&lt;b&gt;first&lt;/b&gt;", "&lt;script&gt;xyy&lt;/script&gt;", "The first 100", "candidates.csv",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("the page is without %q", want)
		}
	}
	if strings.Contains(first, "<script") || strings.Contains(first, "<b>first") {
		t.Error("what a user wrote is an element of the page")
	}
	if n := strings.Count(first, `class="card" id="r`); n != 100 {
		t.Errorf("%d rows are shown, want 100", n)
	}
	ok(t, append(args, "--out", "-")...)
	if second := page(); len(second) < len(first)/2 || !strings.Contains(second, "standard output") {
		t.Errorf("with --out - the page has %d bytes, else %d", len(second), len(first))
	}
}

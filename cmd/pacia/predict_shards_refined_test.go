package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"pacia/examples"
)

// TestShardsOfRefinedRows checks that a part keeps all rows that can become the first ones: rows that were
// not refined rank behind refined ones, and before them once these were scored again. Groups and the
// expected actives need further rows.
func TestShardsOfRefinedRows(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "labelled.csv", examples.Support)
	var library strings.Builder
	library.WriteString("smiles,kind\n")
	for _, prefix := range []string{"", "C", "NC", "OC", "FC", "CCC"} {
		for smiles := range strings.Lines(strings.TrimPrefix(examples.Library, "smiles\n")) {
			library.WriteString(prefix + strings.TrimSpace(smiles) + "," + prefix + "\n")
		}
	}
	put(t, "candidates.csv", library.String())
	args := []string{"predict", "--support", "labelled.csv", "--candidates", "candidates.csv", "--top", "20"}
	for _, more := range [][]string{{"--refine", "20", "--reasons", "10"}, {"--refine", "20", "--group", "kind"}} {
		args := append(args, more...)
		one := ok(t, append(args, "--out", "one.csv")...)
		sameReport(t, 2, inParts(t, 2, args...), one)
	}
}

// TestShardsOfMixedDecimals checks that a decimal comma in one part and an ambiguous point in another are refused as
// by one process.
func TestShardsOfMixedDecimals(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCN,0\n")
	var library strings.Builder
	library.WriteString("smiles;price\n")
	for i := range 1100 {
		price := map[int]string{3: "12,50", 1090: "1.200"}[i]
		fmt.Fprintf(&library, "%sO;%s\n", strings.Repeat("C", 1+i%11), cmp.Or(price, "7"))
	}
	put(t, "candidates.csv", library.String())
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv",
		"--out", "ranked.csv", "--where", "price <= 100"}
	t.Setenv(asPacia, "1")
	one := pacia(args...)
	parts := pacia(append(args, "--shards", "2")...)
	if _, err := os.Stat("ranked.csv.parts"); err == nil {
		t.Error("the folder of the parts is left, which refuses the corrected command")
	}
	if one.code != exitBadInput || parts.code != one.code || parts.err != one.err {
		t.Errorf("one process leaves with %d, %q; parts with %d, %q", one.code, one.err, parts.code, parts.err)
	}
}

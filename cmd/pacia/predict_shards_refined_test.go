package main

import (
	"strings"
	"testing"

	"pacia/examples"
)

// TestShardsOfRefinedRows checks that a part keeps all rows that can become the first ones: rows that were
// not refined rank behind refined ones, and before them once these were scored again. Groups and the
// expected actives need further rows.
func TestShardsOfRefinedRows(t *testing.T) {
	seconds(t)
	workplace(t)
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

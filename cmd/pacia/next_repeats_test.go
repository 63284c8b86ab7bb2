package main

import "testing"

// TestNextChoosesAMoleculeOnce checks a library that has a molecule in several rows.
func TestNextChoosesAMoleculeOnce(t *testing.T) {
	exampleFolder(t)
	put(t, "s.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\nCCCN,0\n")
	put(t, "l.csv", "id,smiles\na,CCCCO\nb,OCCCC\nc,CCCCCO\nd,C(CCC)O\ne,CCCCN\n")
	for _, explore := range []string{"0", "0.5"} {
		ok(t, "next", "--support", "s.csv", "--candidates", "l.csv", "--batch", "2", "--out", "next.csv", "--explore", explore)
		rows := readCSV(t, "next.csv")
		if len(rows) != 3 || rows[1][0] != "a" || rows[2][0] != "c" {
			t.Errorf("--explore %s chooses %v, want a and c", explore, rows[1:])
		}
	}
}

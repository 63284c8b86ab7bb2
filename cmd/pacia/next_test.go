package main

import (
	"slices"
	"strings"
	"testing"
)

// TestNext checks that the batch has the best molecules that were not measured. The next round leaves
// out the measured ones, and reports them.
func TestNext(t *testing.T) {
	exampleFolder(t)
	put(t, "round1.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\nCCCN,0\n")
	put(t, "library.csv", "smiles\nCCO\nCCCCO\nCCCCN\nCC(C)O\nCC(C)N\nCCCCCO\n")
	args := []string{"next", "--support", "round1.csv", "--candidates", "library.csv", "--batch", "2", "--out", "next.csv"}
	out := ok(t, args...)
	if !strings.Contains(out, "2 molecules, ") || !strings.Contains(out, "of them expected to be active") {
		t.Errorf("the report does not describe the batch:\n%s", out)
	}
	batch := func() (smiles []string) {
		rows := readCSV(t, "next.csv")
		for _, row := range rows[1:] {
			smiles = append(smiles, row[0])
		}
		return smiles
	}
	first := batch()
	if len(first) != 2 || slices.Contains(first, "CCO") || !strings.HasSuffix(first[0], "O") || !strings.HasSuffix(first[1], "O") {
		t.Fatalf("the batch is %v, want two alcohols that were not measured", first)
	}
	put(t, "round2.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\nCCCN,0\n"+first[0]+",1\n"+first[1]+",0\n")
	args[2] = "round2.csv"
	out = ok(t, append(args, "--before", "round1.csv", "--explore", "1")...)
	if !strings.Contains(out, "2 more molecules than in round1.csv, 1 of them active") {
		t.Errorf("the report does not state what changed:\n%s", out)
	}
	if out = ok(t, append(args, "--before", "round1.csv", "--json")...); !strings.Contains(out, `"batch": {
    "first": 2,`) || !strings.Contains(out, `"changed": "2 more molecules than in round1.csv, 1 of them active"`) {
		t.Errorf("--json lacks the batch or the changes:\n%s", out)
	}
	for _, smiles := range batch() {
		if slices.Contains(first, smiles) {
			t.Errorf("%s is chosen again", smiles)
		}
	}
	similar := append(slices.Clone(args), "--method", "similarity") // its scores do not state how many are active
	if out = ok(t, similar...); !strings.Contains(out, "batch    2 molecules\n") || strings.Contains(out, "expected") {
		t.Errorf("the report expects actives by scores that are not calibrated:\n%s", out)
	}
	if out = ok(t, append(similar, "--json")...); strings.Contains(out, `"batch"`) || !strings.Contains(out, `"picks": 2`) {
		t.Errorf("--json expects actives by scores that are not calibrated:\n%s", out)
	}
	refused(t, "--out round1.csv would overwrite round1.csv", with(append(args, "--before", "round1.csv"), "--out", "round1.csv")...)
	refused(t, "the standard input can be read once only", append(args, "--before", "-", "--candidates", "-")...)
	refused(t, "--batch 0 is not a number of molecules", append(args, "--batch", "0")...)
	for _, factor := range []string{"-1", "NaN", "+Inf", "1001"} {
		refused(t, "--explore "+factor+" is out of range; write 0 to 1000", append(args, "--explore", factor)...)
	}
	refused(t, "does not state how uncertain it is", append(args, "--method", "similarity", "--explore", "1")...)
}

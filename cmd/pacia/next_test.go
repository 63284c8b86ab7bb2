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
	refused(t, "--batch 0 is out of range; write 1 to 10000", append(args, "--batch", "0")...)
	for _, factor := range []string{"-1", "NaN", "+Inf", "1001"} {
		refused(t, "--explore "+factor+" is out of range; write a number from 0 to 1000", append(args, "--explore", factor)...)
	}
	refused(t, "does not state how uncertain it is", append(args, "--method", "similarity", "--explore", "1")...)
}

// TestNextNamesItsBatch checks that the report names molecules of the batch, and states why it is short or empty.
func TestNextNamesItsBatch(t *testing.T) {
	exampleFolder(t)
	put(t, "support.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\nCCCN,0\n")
	put(t, "library.csv", "name,smiles\nA,CCO\nB,CCCCO\nC,CCCO\nD,CC(C)N\nE,CCCCCO\nF,OCCCCC\nG,CCN\nH,nonsense\n")
	args := []string{"next", "--support", "support.csv", "--candidates", "library.csv", "--method", "similarity", "--out", "next.csv"}
	out := ok(t, append(args, "--batch", "2")...)
	if !strings.Contains(out, "first    B, E\n") || strings.Contains(out, "asked for") {
		t.Errorf("the report of a whole batch:\n%s", out)
	}
	const lack = "8 were asked for; of 8 rows, 3 measured before, 1 unreadable, 1 repeated: 3 can be measured"
	if out = ok(t, append(args, "--batch", "8")...); !strings.Contains(out, lack) || !strings.Contains(out, "first    B, E, D\n") {
		t.Errorf("the report of a short batch:\n%s", out)
	}
	if out = ok(t, append(args, "--batch", "8", "--json")...); !strings.Contains(out, `"lack": "`+lack) {
		t.Errorf("--json of a short batch:\n%s", out)
	}
	out = ok(t, append(args, "--exclude", "N", "--batch", "8")...)
	if !strings.Contains(out, "2 measured before, 2 left out by filters") || !strings.Contains(out, "first     B, E\n") {
		t.Errorf("the report with a filter:\n%s", out)
	}
	const nothing = "8 were asked for; of 8 rows, 3 measured before, 4 left out by filters, 1 unreadable: 0 can be measured"
	refused(t, "there is nothing left to measure: "+nothing,
		append(args, "--exclude", "CCCCO", "--exclude", "CC(C)N")...)
}

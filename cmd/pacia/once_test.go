package main

import (
	"slices"
	"strings"
	"testing"
)

// with returns arguments with another value of a flag.
func with(args []string, flag, value string) []string {
	args = slices.Clone(args)
	args[slices.Index(args, flag)+1] = value
	return args
}

// TestFilesGivenTwice: a second file of a flag for one file does not silently replace the first.
func TestFilesGivenTwice(t *testing.T) {
	exampleFolder(t)
	put(t, "a.csv", "smiles,active\nCCO,1\nCCN,0\n")
	args := []string{"predict", "--support", "a.csv", "--candidates", "library.csv", "--out", "r.csv", "--method", "similarity"}
	for flag, want := range map[string]string{
		"--outcome": `--outcome is given twice, as "a.csv" and "b.csv"; leave out one of them`,
		"--out":     `--out is given twice, as "r.csv" and "b.csv"`,
		"--report":  `--report is given twice, as "a.csv" and "b.csv"`,
	} {
		more := slices.Clone(args)
		if !slices.Contains(args, flag) {
			more = append(more, flag, "a.csv")
		}
		refused(t, want, append(more, flag, "b.csv")...)
	}
	refused(t, `--before is given twice, as "a.csv" and "b.csv"`, "next", "--support", "a.csv", "--candidates", "library.csv", "--out", "r.csv", "--before", "a.csv", "--before", "b.csv")
	refused(t, "a.csv: is given twice as --support", append(args, "--support", "a.csv")...)
	ok(t, append(args, "--out", "r.csv")...) // the same
}

// TestSeveralSupportFiles: support files are read as one, each in its own form, and a molecule may have rows in several.
func TestSeveralSupportFiles(t *testing.T) {
	exampleFolder(t)
	put(t, "r1.csv", "name,smiles,IC50 (nM)\nA,CCO,20\nB,CCN,9000\nD,CCCl,5\n")
	put(t, "r2.csv", "name;smiles;IC50 (uM)\nA;OCC;0,03\nB;CCN;0,05\nC;CCCN;12,5\nE;C(;1\n")
	put(t, "w.csv", "smiles,active\nCCO,1\nCCN,0\n")
	args := []string{"predict", "--candidates", "library.csv", "--out", "r.csv", "--method", "similarity", "--support", "r1.csv",
		"--support", "r2.csv"}
	r := pacia(append(args, "--active-below", "1", "--unit", "uM")...)
	for _, want := range []string{
		"rows are numbered through the files: 1 to 4 are of r1.csv, 5 to 9 of r2.csv",
		"warning: rows 3 and 7 (B) are one molecule with both labels, and left out",
		`r2.csv: column "IC50 (uM)" (--label)`, "row 9 (E) left out",
		"rows are of 2 files: r2.csv (4), r1.csv (3)",
		`support  1 inactive and 2 active molecules by column "IC50 (nM)" of r1.csv + r2.csv`,
	} {
		if r.code != 0 || !strings.Contains(r.err+r.out, want) {
			t.Errorf("exit code %d, %s\nlacks %s", r.code, r.err+r.out, want)
		}
	}
	refused(t, "w.csv: column active: holds labels, and r1.csv measurements",
		"predict", "--candidates", "library.csv", "--out", "r.csv", "--method", "similarity", "--support", "r1.csv", "--support", "w.csv",
		"--active-below", "1 uM")
	refused(t, `r2.csv: row 1: no column "IC50 (nM)" for labels`, append(args, "--potency", "IC50 (nM)")...)
	put(t, "r3.csv", "name,smiles,IC50 (nM)\nA,CCO,600\nB,CCN,50\n")
	args[len(args)-1] = "r3.csv"
	refused(t, "rows are of 2 files: r1.csv (3), r3.csv (2); give one of the files, or --repeats merge", append(args, "--active-below",
		"100 nM")...)
	ok(t, append(args, "--potency", "IC50 (nM)", "--repeats", "merge")...)
}

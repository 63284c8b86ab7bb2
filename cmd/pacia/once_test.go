package main

import (
	"slices"
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
		"--support": `--support is given twice, as "a.csv" and "b.csv"; put their rows into one file`,
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
	ok(t, append(args, "--support", "a.csv")...) // the same
}

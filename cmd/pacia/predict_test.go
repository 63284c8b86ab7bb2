package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/harness/chains"
)

func TestPredictRanksEveryCandidate(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n")
	var candidates strings.Builder
	candidates.WriteString("id,SMILES,note\n")
	const n = 1200 // more than two chunks
	for i := range n {
		smiles := strings.Repeat("C", 1+i%7) + chains.Groups[i%len(chains.Groups)]
		if i%100 == 50 {
			smiles = "C(C"
		}
		fmt.Fprintf(&candidates, "m%d,%s,\"a, b\"\n", i, smiles)
	}
	put(t, "candidates.csv", candidates.String())
	args := []string{"predict", "--checkpoint", "run/best.ckpt", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "ranked.csv"}
	out := ok(t, args...)
	if !strings.Contains(out, `1 inactive and 2 active molecules by column "active" of labelled.csv`) {
		t.Errorf("the report does not describe the support set:\n%s", out)
	}
	rows := readCSV(t, "ranked.csv")
	if got := strings.Join(rows[0], " "); got != "id SMILES note rank probability depth in_support" {
		t.Errorf("columns %s", got)
	}
	if len(rows) != 1+n-12 {
		t.Fatalf("%d ranked molecules, want %d", len(rows)-1, n-12)
	}
	seen, last := map[string]bool{}, 1.0
	for i, row := range rows[1:] {
		p, err := strconv.ParseFloat(row[4], 64)
		if err != nil || p > last || p < 0 || row[3] != strconv.Itoa(i+1) || row[2] != "a, b" || (row[5] != "1" && row[5] != "2") || seen[row[0]] {
			t.Fatalf("rank %d: row %q after probability %v (%v)", i+1, row, last, err)
		}
		seen[row[0]], last = true, p
	}
	invalid := readCSV(t, "ranked.invalid.csv")
	if len(invalid) != 13 || invalid[1][0] != "52" || invalid[1][1] != "C(C" || invalid[1][2] == "" {
		t.Errorf("invalid molecules %q, want 12, the first from line 52", invalid)
	}
	if left, err := filepath.Glob("*.tmp"); err != nil || len(left) > 0 {
		t.Errorf("temporary files %v are left (%v)", left, err)
	}
}

func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestPredictFaultsWriteNothing(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	put(t, "one_class.csv", "smiles,active\nCCO,1\n")
	put(t, "unreadable.csv", "smiles,active\nCCO,1\nC(C,0\n")
	put(t, "candidates.csv", "smiles\nCCO\nC(C\n")
	put(t, "ranked_before.csv", "smiles,rank,depth\nCCO,1,2\n")
	put(t, "broken.ckpt", "not a checkpoint")
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, "molecules.invalid.csv", "smiles\nCCO\n")
	const closing = "SMILES Parse Error: extra open parentheses for input: 'C(C'"
	for _, tt := range []struct{ change, value, want string }{
		{"--support", "one_class.csv", "one_class.csv: column active: there is no inactive molecule (label 0); a support set needs one or more of each class"},
		{"--support", "unreadable.csv", "unreadable.csv: row 3: the molecule cannot be read: " + closing + "; correct or remove it"},
		{"--on-invalid", "fail", "candidates.csv: row 3, column smiles: the molecule cannot be read: " + closing + "; correct it, or write --on-invalid skip"},
		{"--on-invalid", "stop", `--on-invalid "stop" is not known; write skip or fail`},
		{"--diverse", "0", "--diverse 0 is out of range; write 1 to 10000"},
		{"--report", "ranked.csv", "--out ranked.csv would overwrite ranked.csv; write another name"},
		{"--report", "-", "--report -: the page is written to a file as it is; write a name such as ranked.html"},
		{"--prior", "0", `--prior "0" is not a share of actives; write a number between 0 and 1, such as 0.02, or per cent, such as 2%`},
		{"--top", "0", "--top 0 is out of range; write 1 or more"},
		{"--prior", "2", `--prior "2" is not a share of actives; write a number between 0 and 1, such as 0.02, or per cent, such as 2%`},
		{"--method", "forest", "--method has no effect with --checkpoint; leave out one of them"},
		{"--outcome", "none.csv", "none.csv: cannot be read: no such file or directory; check the file"},
		{"--out", "candidates.csv", "--out candidates.csv would overwrite candidates.csv; write another name"},
		{"--out", "folder", "folder: is a folder; write the name of a file"},
		{"--out", "molecules.csv", "the list of unreadable molecules, molecules.invalid.csv would overwrite molecules.invalid.csv; write another --out"},
		{"--out", "ranked.csv.gz", "--out ranked.csv.gz: the ranked table is written as plain CSV; leave out .gz"},
		{"--out", "ranked.xlsx", "--out ranked.xlsx: the ranked table is written as plain CSV; write a name that ends in .csv"},
		{"--out", "none/ranked.csv", "none: cannot write into the folder: no such file or directory; choose another --out"},
		{"--report", "none/ranked.html", "none: cannot write into the folder: no such file or directory; choose another --report"},
		{"--prior", "", "--prior is empty; write a value, or leave it out"},
		{"--columns", "", "--columns is empty; write a value, or leave it out"},
		{"--where", "", "--where is empty; write a value, or leave it out"},
		{"--set", "model.width=5", "the setting model.width cannot change a trained model; " +
			"leave it out of --set and of the variable PACIA_MODEL_WIDTH"},
		{"--set", "device=gpu", `device: "gpu" is not known; write cpu, cuda or cuda:N`},
	} {
		flags := map[string]string{
			"--checkpoint": "run/best.ckpt", "--support": "labelled.csv", "--candidates": "candidates.csv", "--out": "ranked.csv",
		}
		flags[tt.change] = tt.value
		if tt.value == "molecules.csv" { // the list of unreadable molecules of an earlier run, corrected
			flags["--candidates"] = "molecules.invalid.csv"
		}
		args := []string{"predict"}
		for name, value := range flags {
			args = append(args, name, value)
		}
		wantFault(t, "pacia: "+tt.want, args...)
		if left, err := filepath.Glob("*ranked.*"); err != nil || len(left) > 0 {
			t.Errorf("%s %s: %v was written (%v)", tt.change, tt.value, left, err)
		}
	}
	wantFault(t, "pacia: pacia predict needs --support; write --support FILE: labelled molecules, a FILE: CSV, SMILES, SD, xlsx; repeated: several, read as one",
		"predict", "--checkpoint", "run/best.ckpt")
	r := pacia("eval", "--checkpoint", "broken.ckpt")
	if r.code != exitBadInput || !strings.HasPrefix(r.err, "pacia: broken.ckpt: ") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("a broken checkpoint: exit code %d, %q", r.code, r.err)
	}
}

// TestPredictIntoADevice checks that an output that is not a file is not replaced, and that no files
// are written beside it.
func TestPredictIntoADevice(t *testing.T) {
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	put(t, "candidates.csv", "smiles\nCCO\nC(C\n")
	if err := os.Symlink(os.DevNull, "null"); err != nil {
		t.Fatal(err)
	}
	before, _ := filepath.Glob("*")
	out := ok(t, "predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "null")
	if !strings.Contains(out, "unread   1, which are listed where --out is a file\n") {
		t.Errorf("the report does not describe the list:\n%s", out)
	}
	if info, err := os.Stat("null"); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Errorf("the device is %v now (%v)", info, err)
	}
	if after, _ := filepath.Glob("*"); len(after) != len(before) {
		t.Errorf("files %v, before %v", after, before)
	}
}

// A library without a molecule that can be ranked is bad input. No verdict and no ranking are written;
// the list has the reasons.
func TestPredictWithNothingToRank(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	for name, tt := range map[string]struct {
		candidates string
		invalid    int
		want       string
	}{
		"empty": {"smiles\n", 0, "candidates.csv: there is no molecule to rank; write one molecule a row"},
		"unreadable": {"smiles\nC(C\nC1\n", 2, "candidates.csv: row 2, column smiles: none of the 2 molecules can be read, the first because: " +
			"SMILES Parse Error: extra open parentheses for input: 'C(C'; name the column of the SMILES with --smiles, or correct the molecules"},
	} {
		put(t, "candidates.csv", tt.candidates)
		wantFault(t, "pacia: "+tt.want, "predict", "--checkpoint", "run/best.ckpt", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "ranked.csv")
		if _, err := os.Stat("ranked.csv"); err == nil {
			t.Errorf("%s: a ranking was written", name)
		}
		if n := len(readCSV(t, "ranked.invalid.csv")) - 1; n != tt.invalid {
			t.Errorf("%s: %d invalid molecules, want %d", name, n, tt.invalid)
		}
	}
}

// TestPredictWithAnExpectedShare checks that ranks and rows stay the same, and that the odds of all
// molecules change by one factor, (2 % : 98 %) / (2 : 1) for a support set with two actives and one
// inactive.
func TestPredictWithAnExpectedShare(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n")
	args := []string{"predict", "--checkpoint", "run/best.ckpt", "--support", "labelled.csv", "--candidates", "library.csv"}
	ok(t, append(args, "--out", "plain.csv")...)
	ok(t, append(args, "--out", "shared.csv", "--prior", "0.02")...)
	plain, shared := readCSV(t, "plain.csv"), readCSV(t, "shared.csv")
	if len(plain) != len(shared) || len(plain) < 10 {
		t.Fatalf("%d and %d rows", len(plain), len(shared))
	}
	column := slices.Index(plain[0], "probability")
	odds := func(row []string) float64 {
		p, err := strconv.ParseFloat(row[column], 64)
		if err != nil {
			t.Fatal(err)
		}
		return p / (1 - p)
	}
	const factor = (0.02 / 0.98) / (2.0 / 1.0)
	for i := 1; i < len(plain); i++ {
		if plain[i][0] != shared[i][0] || plain[i][column-1] != shared[i][column-1] {
			t.Fatalf("rank %d: %q became %q", i, plain[i], shared[i])
		}
		// The files have six digits.
		if got := odds(shared[i]) / odds(plain[i]); math.Abs(got/factor-1) > 1e-4 {
			t.Errorf("rank %d: the odds changed by %v, want %v", i, got, factor)
		}
	}
}

// TestShareIsPrior checks that the former name works, and that a line states the present one.
func TestShareIsPrior(t *testing.T) {
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "library.csv"}
	ok(t, append(args, "--out", "prior.csv", "--prior", "0.02")...)
	r := pacia(append(args, "--out", "share.csv", "--share", "0.02")...)
	if r.code != 0 || !strings.Contains(r.err, "--share is called --prior now") {
		t.Errorf("exit code %d, %s", r.code, r.err)
	}
	refused(t, "--share is called --prior now, and both are given; leave out --share",
		append(args, "--out", "both.csv", "--prior", "0.1", "--share", "0.1")...)
	if a, b := readCSV(t, "prior.csv"), readCSV(t, "share.csv"); !slices.EqualFunc(a, b, slices.Equal[[]string]) || len(a) < 10 {
		t.Errorf("--share and --prior write other tables:\n%v\n%v", a[:2], b[:2])
	}
}

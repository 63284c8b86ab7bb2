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

	"pacia/checkpoint"
	"pacia/data"
)

func TestPredictRanksEveryCandidate(t *testing.T) {
	workplace(t)
	trained(t, "run")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n")
	var candidates strings.Builder
	candidates.WriteString("id,SMILES,note\n")
	const n = 1200 // more than two chunks
	for i := range n {
		smiles := strings.Repeat("C", 1+i%7) + groups[i%len(groups)]
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
	if left, err := filepath.Glob(".pacia-*"); err != nil || len(left) > 0 {
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
	workplace(t)
	trained(t, "run")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	put(t, "one_class.csv", "smiles,active\nCCO,1\n")
	put(t, "unreadable.csv", "smiles,active\nCCO,1\nC(C,0\n")
	put(t, "candidates.csv", "smiles\nCCO\nC(C\n")
	put(t, "short.csv", "smiles,id\nCCO,1\nCCN\n")
	put(t, "ranked_before.csv", "smiles,rank\nCCO,1\n")
	put(t, "broken.ckpt", "not a checkpoint")
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, "molecules.invalid.csv", "smiles\nCCO\n")
	const closing = "SMILES Parse Error: extra open parentheses for input: 'C(C'"
	for _, tt := range []struct{ change, value, want string }{
		{"--support", "one_class.csv", "one_class.csv: column active: there is no inactive molecule (label 0); a support set needs one or more of each class"},
		{"--support", "unreadable.csv", "unreadable.csv: row 3: the molecule cannot be read: " + closing + "; correct or remove it"},
		{"--candidates", "short.csv", "short.csv: row 3: 1 cells where the header has 2; write a comma for each empty cell, and quote cells that hold a comma"},
		{"--candidates", "ranked_before.csv", "ranked_before.csv: row 1, column rank: the ranked table gets a column of this name; rename it"},
		{"--on-invalid", "fail", "candidates.csv: row 3, column smiles: the molecule cannot be read: " + closing + "; correct it, or write --on-invalid skip"},
		{"--on-invalid", "stop", `--on-invalid "stop" is not known; write skip or fail`},
		{"--diverse", "0", "--diverse 0 is no number of picks; write 1 to 10000"},
		{"--report", "ranked.csv", "--out ranked.csv would overwrite ranked.csv; write another name"},
		{"--report", "-", "--report -: the page is written to a file as it is; write a name such as ranked.html"},
		{"--prior", "0", "--prior 0 is no share of actives; write a number between 0 and 1, such as 0.02"},
		{"--top", "0", "--top 0 is no number of ranks; write 1 or more"},
		{"--prior", "2", "--prior 2 is no share of actives; write a number between 0 and 1, such as 0.02"},
		{"--method", "forest", "--method takes the place of a trained model; leave out --method or --checkpoint"},
		{"--outcome", "none.csv", "none.csv: cannot be read: no such file or directory; check the file"},
		{"--out", "candidates.csv", "--out candidates.csv would overwrite candidates.csv; write another name"},
		{"--out", "folder", "folder: is a folder; write the name of a file"},
		{"--out", "molecules.csv", "the list of unreadable molecules, molecules.invalid.csv would overwrite molecules.invalid.csv; write another --out"},
		{"--out", "ranked.csv.gz", "--out ranked.csv.gz: the ranked table is written as plain CSV; leave out .gz"},
		{"--out", "none/ranked.csv", "none: cannot write into the folder: no such file or directory; choose another --out"},
		{"--set", "model.width=5", "settings below model. cannot change a trained model; leave them out"},
		{"--set", "device=gpu", `device: "gpu" is not known; write cpu, cuda or cuda:N`},
	} {
		flags := map[string]string{
			"--checkpoint": "run/best.ckpt", "--support": "labelled.csv", "--candidates": "candidates.csv", "--out": "ranked.csv",
		}
		flags[tt.change] = tt.value
		if tt.value == "molecules.csv" { // what a run before could not read, corrected
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
	wantFault(t, "pacia: pacia predict needs --support; write --support FILE: labelled molecules, a FILE: CSV, SMILES, SD, xlsx",
		"predict", "--checkpoint", "run/best.ckpt")
	r := pacia("eval", "--checkpoint", "broken.ckpt")
	if r.code != exitBadInput || !strings.HasPrefix(r.err, "pacia: broken.ckpt: ") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("a broken checkpoint: exit code %d, %q", r.code, r.err)
	}
}

// TestPredictIntoADevice: what is no file stays what it is, and gets no neighbours.
func TestPredictIntoADevice(t *testing.T) {
	workplace(t)
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	put(t, "candidates.csv", "smiles\nCCO\nC(C\n")
	if err := os.Symlink(os.DevNull, "null"); err != nil {
		t.Fatal(err)
	}
	before, _ := filepath.Glob("*")
	out := ok(t, "predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "null")
	if !strings.Contains(out, "unread   1, which are listed where --out is a file\n") {
		t.Errorf("the report does not say where the list went:\n%s", out)
	}
	if info, err := os.Stat("null"); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Errorf("the device is %v now (%v)", info, err)
	}
	if after, _ := filepath.Glob("*"); len(after) != len(before) {
		t.Errorf("files %v, before %v", after, before)
	}
}

// A library of which nothing can be ranked is no fault: the tables say so.
func TestPredictWithNothingToRank(t *testing.T) {
	workplace(t)
	trained(t, "run")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	for name, tt := range map[string]struct {
		candidates string
		invalid    int
	}{"empty": {"smiles\n", 0}, "unreadable": {"smiles\nC(C\nC1\n", 2}} {
		put(t, "candidates.csv", tt.candidates)
		ok(t, "predict", "--checkpoint", "run/best.ckpt", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "ranked.csv")
		if n := len(readCSV(t, "ranked.csv")) - 1; n != 0 {
			t.Errorf("%s: %d ranked molecules", name, n)
		}
		if n := len(readCSV(t, "ranked.invalid.csv")) - 1; n != tt.invalid {
			t.Errorf("%s: %d invalid molecules, want %d", name, n, tt.invalid)
		}
	}
}

// TestPredictWithAnExpectedShare: ranks and rows stay, and the odds of each molecule
// change by one factor, (2 % : 98 %) / (2 : 1) of a support set with two actives and one
// inactive.
func TestPredictWithAnExpectedShare(t *testing.T) {
	workplace(t)
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

// TestShareIsPrior: the name of before works, and says what it is called now.
func TestShareIsPrior(t *testing.T) {
	workplace(t)
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "library.csv"}
	ok(t, append(args, "--out", "prior.csv", "--prior", "0.02")...)
	r := pacia(append(args, "--out", "share.csv", "--share", "0.02")...)
	if r.code != 0 || !strings.Contains(r.err, "--share is called --prior now") {
		t.Errorf("exit code %d, %s", r.code, r.err)
	}
	if a, b := readCSV(t, "prior.csv"), readCSV(t, "share.csv"); !slices.EqualFunc(a, b, slices.Equal[[]string]) || len(a) < 10 {
		t.Errorf("--share and --prior write other tables:\n%v\n%v", a[:2], b[:2])
	}
}

// TestPredictWithSeveralModels: a model asked with itself says what it says alone, without
// any spread; with another one, probabilities are means, and spreads |a − b|/√2.
func TestPredictWithSeveralModels(t *testing.T) {
	workplace(t)
	trained(t, "run")
	ok(t, "train", "--config", "small.yaml", "--set", "seed=7", "--out", "other")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n")
	told := func(models ...string) map[string][2]float64 {
		args := []string{"predict", "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv"}
		for _, m := range models {
			args = append(args, "--checkpoint", m+"/best.ckpt")
		}
		out := ok(t, args...)
		if several := strings.Contains(out, "2 models, asked together: "); several != (len(models) == 2) {
			t.Errorf("%v: the report says\n%s", models, out)
		}
		rows := readCSV(t, "ranked.csv")
		p, s := slices.Index(rows[0], "probability"), slices.Index(rows[0], "spread")
		if (s >= 0) != (len(models) > 1) {
			t.Errorf("%v: columns %v", models, rows[0])
		}
		all := map[string][2]float64{}
		for _, row := range rows[1:] {
			v := [2]float64{}
			v[0], _ = strconv.ParseFloat(row[p], 64)
			if s >= 0 {
				v[1], _ = strconv.ParseFloat(row[s], 64)
			}
			all[row[0]] = v
		}
		return all
	}
	a, b, twice, both := told("run"), told("other"), told("run", "run"), told("run", "other")
	differ := 0.0
	for smiles := range a {
		if twice[smiles] != [2]float64{a[smiles][0], 0} {
			t.Errorf("%s: %v twice, %v alone", smiles, twice[smiles], a[smiles])
		}
		difference := math.Abs(a[smiles][0] - b[smiles][0])
		want := [2]float64{(a[smiles][0] + b[smiles][0]) / 2, difference / math.Sqrt2}
		// Tables have six and three digits.
		if got := both[smiles]; math.Abs(got[0]-want[0]) > 2e-6 || math.Abs(got[1]-want[1]) > 2e-6+0.005*want[1] {
			t.Errorf("%s: %v of both, want %v", smiles, got, want)
		}
		differ = max(differ, difference)
	}
	if len(a) < 40 || differ < 1e-3 {
		t.Errorf("%d molecules, the models differ by %v at most: nothing was compared", len(a), differ)
	}
}

// TestPredictPicksDiverseMolecules, of a small library no more than are asked for: the first pick is the best molecule that is not in the
// support set; --top leaves all picks in the table.
func TestPredictPicksDiverseMolecules(t *testing.T) {
	workplace(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCCN,0\n")
	put(t, "candidates.csv", "smiles\nOCCCC\nCCCCCO\nCCCCCCO\nCCCCCCCO\nc1ccccc1O\nCCCCCN\nFC(F)(F)S\n")
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "ranked.csv", "--diverse", "3"}
	if out := ok(t, args...); !strings.Contains(out, "\npicks    3 molecules, unlike each other, of the first 4: column pick\n") {
		t.Errorf("the report does not say what was picked:\n%s", out)
	}
	picked := func() (picks []string, rows int) {
		all := readCSV(t, "ranked.csv")
		at := slices.Index(all[0], "pick")
		picks = make([]string, 3)
		for _, row := range all[1:] {
			if row[at] != "" {
				place, _ := strconv.Atoi(row[at])
				picks[place-1] = row[0]
			}
		}
		return picks, len(all) - 1
	}
	all, rows := picked()
	if rows != 7 || all[0] != "CCCCCO" || slices.Contains(all, "OCCCC") || slices.Contains(all, "") {
		t.Errorf("picks %v of %d rows", all, rows)
	}
	ok(t, append(args, "--top", "1")...)
	if first, rows := picked(); !slices.Equal(first, all) || rows != 4 {
		t.Errorf("with --top 1 picks %v of %d rows, want %v and the first one", first, rows, all)
	}
}

// TestPredictWithTheModelThatShips needs no file but the user's two.
func TestPredictWithTheModelThatShips(t *testing.T) {
	workplace(t)
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	args := []string{"predict", "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv"}
	if out := ok(t, args...); !strings.HasPrefix(out, "model    the model that ships: trained on ") {
		t.Errorf("what predicts is not said first:\n%s", out)
	}
	if n := len(readCSV(t, "ranked.csv")) - 1; n != 42 {
		t.Errorf("%d ranked molecules, want all 42 of the library", n)
	}
}

// TestADemonstrationSaysSo: the substructures of the embedded data set are no assays.
func TestADemonstrationSaysSo(t *testing.T) {
	for _, c := range []struct {
		method, path, want string
	}{
		{"pacia", data.Embedded, "best.ckpt: trained on the embedded substructures: a demonstration, not for real assays"},
		{"pacia", "tox21.csv", "best.ckpt: trained on 2 tasks of tox21"},
		{"forest", data.Embedded, "best.ckpt: forest, which learns from the support set alone"},
	} {
		meta := checkpoint.Meta{Dataset: "tox21", Tasks: checkpoint.TaskNames{Train: []string{"a", "b"}}}
		meta.Config.Model.Method, meta.Config.Data.Path = c.method, c.path
		if got := origin("best.ckpt", meta); got != c.want {
			t.Errorf("%s on %s: %q, want %q", c.method, c.path, got, c.want)
		}
	}
}

// TestPredictByAMethodWithoutTraining: similarity finds what is like the actives, and
// the outcome that is known is counted.
func TestPredictByAMethodWithoutTraining(t *testing.T) {
	workplace(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCCN,0\n")
	var candidates, known strings.Builder
	candidates.WriteString("smiles\nCCCCCS\n") // of unknown activity
	known.WriteString("smiles,active\n")
	for n := range 15 {
		chain := strings.Repeat("C", 5+n)
		fmt.Fprintf(&candidates, "%sN\n%sO\n", chain, chain)
		fmt.Fprintf(&known, "N%s,0\n%sO,1\n", chain, chain) // amines are written the other way
	}
	put(t, "candidates.csv", candidates.String())
	put(t, "known.csv", known.String())
	out := ok(t, "predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv", "--outcome", "known.csv", "--out", "ranked.csv")
	for _, want := range []string{
		"model    similarity, which learns from the support set alone\n",
		"hits     15 of the first 20 are active; by chance 10.0, as 15 of 30 are\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
	if first := readCSV(t, "ranked.csv")[1][0]; !strings.HasSuffix(first, "O") {
		t.Errorf("%s is ranked first", first)
	}
	wantFault(t, `pacia: --method "pacia" is none that needs no training; write `+strings.Join(untrained(), ", "),
		"predict", "--method", "pacia", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "ranked.csv")
}

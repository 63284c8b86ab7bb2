package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// folder makes a exampleFolder with task files beside its table. Each task has 42 molecules,
// six of them active.
func folder(t *testing.T) {
	t.Helper()
	exampleFolder(t)
	ok(t, "data", "convert", "library.csv", "tasks", "--split", "0-4/5-6", "--valid", "1")
}

// byProtocol returns flags for FS-Mol's protocol, at the size of a test.
func byProtocol(more ...string) []string {
	var args []string
	for _, s := range append([]string{"data.path=tasks", "data.split=auto", "train.validation_tasks=0", "episode.support=14", "episode.queries=0",
		"train.metric=delta_auprc", "train.evaluation_draws=2", "train.test_every=last"}, more...) {
		args = append(args, "--set", s)
	}
	return args
}

func TestTrainAndTestOnTaskFiles(t *testing.T) {
	seconds(t)
	folder(t)
	out := trained(t, "run", byProtocol()...)
	for _, want := range []string{
		"tasks       4 training, 1 validation, 2 test\n",
		"6 episodes of 2 tasks, 14 stratified support and all other query molecules each, on cpu\n",
		"evaluation  2 draws a task, ΔAUPRC chooses the model, test tasks once, at the end\n",
		"validation ΔAUPRC ", "selected: episode ", "test ΔAUPRC after 6 episodes", "has_5  ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "Best on test") {
		t.Errorf("the output has a note on best on test, which was not measured:\n%s", out)
	}
	wantFault(t, "pacia: --draws has no effect without --results or --values; also write --results or --values, or leave it out",
		"eval", "--checkpoint", "run/best.ckpt", "--draws", "3")
	wantFault(t, "pacia: --sizes 1: a support set has two classes; write 2 or more", "eval", "--checkpoint", "run/best.ckpt", "--results", "r", "--sizes", "16,1")
	if err := os.MkdirAll("only/train", 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, "only/train/a.csv", "smiles,label\nCC,1\nCCC,0\nCCO,1\nCCN,0\n")
	got := tasksMeasured(t, "eval", "--checkpoint", "run/best.ckpt", "--set", "data.path=only", "--set", "episode.support=2")
	if len(got) != 1 || got[0] != "a" {
		t.Errorf("of a folder without test/: measured %q", got)
	}
	wantFault(t, "pacia: --sizes has 16 twice; write each size once",
		"eval", "--checkpoint", "run/best.ckpt", "--results", "r", "--sizes", "16,32,16")
	wantFault(t, "pacia: none of the 2 test tasks is large enough for a support set of [64] molecules and two queries; ask for smaller ones, or choose other tasks",
		"eval", "--checkpoint", "run/best.ckpt", "--results", "none", "--sizes", "64")

	var b protocolTest
	text := ok(t, "eval", "--checkpoint", "run/best.ckpt", "--results", "tables", "--seed", "5", "--json")
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	deltas := map[string][]float64{} // by size
	for _, task := range []string{"has_5", "has_6"} {
		rows := readCSV(t, filepath.Join("tables", task+"_eval_results.csv"))
		if len(rows) != 1+2*10 || rows[1][5] != "5" || rows[20][5] != "14" {
			t.Fatalf("%s: %d rows, seeds from %s to %s; want 20 draws of 16 and 32 molecules, seeds 5 to 14", task, len(rows)-1, rows[1][5], rows[len(rows)-1][5])
		}
		for _, row := range rows[1:] {
			delta, err := strconv.ParseFloat(row[14], 64)
			if err != nil || row[0] != row[1] {
				t.Fatalf("row %q (%v)", row, err)
			}
			n, _ := strconv.Atoi(row[3])
			if size, _ := strconv.Atoi(row[0]); size+n != 42 {
				t.Errorf("%d support molecules and %d queries of 42", size, n)
			}
			deltas[row[0]] = append(deltas[row[0]], delta)
		}
	}
	for i, size := range []string{"16", "32", "64", "128", "256"} {
		s, want := b.Sizes[i], deltas[size]
		if strconv.Itoa(s.Support) != size || s.Draws != len(want) || s.LeftOut != 20-len(want) {
			t.Errorf("%s molecules: %+v, want %d draws", size, s, len(want))
		}
		sum := 0.0
		for _, v := range want {
			sum += v
		}
		// Sums of twenty numbers below 1, in another order.
		if len(want) > 0 && math.Abs(s.Mean[1]-sum/float64(len(want))) > 1e-12 {
			t.Errorf("%s molecules: ΔAUPRC %v, the files' mean is %v", size, s.Mean[1], sum/float64(len(want)))
		}
	}
	summary := readCSV(t, filepath.Join("tables", "summary.csv"))
	if len(summary) != 3 || summary[1][0] != "has_5" || summary[1][5] == "" || summary[1][7] != "" {
		t.Errorf("summary %q", summary)
	}
	table := ok(t, "eval", "--checkpoint", "run/best.ckpt", "--results", "tables", "--draws", "1", "--sizes", "16")
	if !strings.Contains(table, "16       2      2      0         ") {
		t.Errorf("table\n%s", table)
	}
}

// TestPNAFromFolderToPrediction trains a model with FS-Mol's features on task files,
// and ranks the molecules of a CSV with it.
func TestPNAFromFolderToPrediction(t *testing.T) {
	seconds(t)
	folder(t)
	trained(t, "run", byProtocol("model.encoder=pna")...)
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n")
	put(t, "candidates.csv", "smiles\nCCCCO\nC(C\nc1ccccc1\n")
	out := ok(t, "predict", "--checkpoint", "run/best.ckpt", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "ranked.csv")
	if !strings.Contains(out, "1 inactive and 2 active molecules") {
		t.Errorf("report\n%s", out)
	}
	rows := readCSV(t, "ranked.csv")
	var ranked []string
	for _, row := range rows[1:] {
		ranked = append(ranked, row[0])
	}
	slices.Sort(ranked)
	if !slices.Equal(ranked, []string{"CCCCO", "c1ccccc1"}) {
		t.Errorf("ranked %q", rows)
	}
	if invalid := readCSV(t, "ranked.invalid.csv"); len(invalid) != 2 || invalid[1][1] != "C(C" {
		t.Errorf("invalid %q", invalid)
	}
	// The table from which the files were made has the same molecules in another order.
	var e evaluation
	text := ok(t, "eval", "--checkpoint", "run/best.ckpt", "--set", "data.path=library.csv", "--set", "data.split=0-4/5-6", "--json")
	if err := json.Unmarshal([]byte(text), &e); err != nil || !e.Adaptivity.Elsewhere || e.Adaptivity.Static != nil {
		t.Errorf("adaptivity %+v (%v)", e.Adaptivity, err)
	}
	if e.SameData || len(e.Test) != 2 || e.Queries != 2*2*(42-14) {
		t.Errorf("%+v", e)
	}
}

func TestPrepareAndInspectAFolder(t *testing.T) {
	folder(t)
	for _, encoder := range []string{"gin", "pna"} {
		for _, did := range []string{"parsed in", "found in"} {
			out := ok(t, "data", "prepare", "tasks", "--encoder", encoder, "--cache", "graphs")
			if !strings.HasPrefix(out, "tasks: 42 molecules (0 more cannot be read), 7 tasks, "+did) {
				t.Errorf("got %q, want %q", out, did)
			}
		}
	}
	if files, err := os.ReadDir("graphs"); err != nil || len(files) != 2 {
		t.Errorf("%d graph stores (%v), want one of each form", len(files), err)
	}
	out := ok(t, "data", "inspect", "tasks", "--cache", "graphs")
	for _, part := range []string{"train", "valid", "test"} {
		if !strings.Contains(out, "  "+part+" ") {
			t.Errorf("no task is for %s:\n%s", part, out)
		}
	}
	if err := os.Mkdir("empty", 0o700); err != nil {
		t.Fatal(err)
	}
	wantFault(t, "pacia: empty: no task files (*.jsonl.gz or *.csv in train/, valid/, test/); fetch them by pacia data fetch fsmol, or make them by pacia data convert",
		"train", "--config", "small.yaml", "--set", "data.path=empty", "--out", "x")
}

package main

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/harness/chains"
	"pacia/metrics"
)

// newAssays returns a table of chains with two assays and a column that is neither.
func newAssays() string {
	var b strings.Builder
	b.WriteString("Structure,Compound,even,MW,short\n")
	for n := range 40 {
		chain := strings.Repeat("C", 1+n/4) + chains.Groups[n%4]
		fmt.Fprintf(&b, "%s,c%d,%d,%d.5,%d\n", chain, n, n%2, 30+n, n/20)
	}
	return b.String()
}

// TestEvalOfAnotherFile checks that a model is measured on all assays of a file that it was not trained on, with the columns
// of that file, and on those of the training if the file has only moved.
func TestEvalOfAnotherFile(t *testing.T) {
	exampleFolder(t)
	trained(t, "run", "--set", "data.label=has_0;has_1;has_2;has_3;has_4;has_5;has_6", "--set", "data.repeats=keep")
	put(t, "new.csv", newAssays())
	eval := []string{"eval", "--checkpoint", "run/best.ckpt", "--set", "data.path=new.csv"}
	wantFault(t, `pacia: new.csv: row 2, column MW: label "30.5" is a measurement, and 40 of 40 cells are like it; define what is active with data.active_below `+
		"or data.active_above and data.unit, or choose another column with data.label, or leave this one out with data.ignore", eval...)
	eval = append(eval, "--set", "data.ignore=MW")
	r := pacia(eval...)
	const want = "measures all 2 tasks of new.csv, which is not the data set of the training (data.split=all)\n"
	if r.code != 0 || !strings.Contains(r.err, want) {
		t.Errorf("exit code %d, %s", r.code, r.err)
	}
	if got := tasksMeasured(t, eval...); !slices.Equal(got, []string{"even", "short"}) {
		t.Errorf("measured %q", got)
	}
	if got := tasksMeasured(t, append(eval, "--set", "data.split=even/short")...); !slices.Equal(got, []string{"short"}) {
		t.Errorf("with a split: measured %q", got)
	}
	put(t, "one.csv", strings.ReplaceAll(chains.Library(), "has_", "is_"))
	of := func(path string, more ...string) []string {
		return tasksMeasured(t, append([]string{"eval", "--checkpoint", "run/best.ckpt", "--set", "data.path=" + path}, more...)...)
	}
	put(t, "twice.csv", strings.Replace(newAssays(), "\n", "\nCO,again,0,30.5,0\n", 1))
	r = pacia("eval", "--checkpoint", "run/best.ckpt", "--set", "data.path=twice.csv", "--set", "data.ignore=MW", "--json")
	if want := "twice.csv: a row repeats a molecule: it counts once in each task"; r.code != 0 || strings.Count(r.err, want) != 1 {
		t.Errorf("a row twice: exit code %d, %s", r.code, r.err)
	}
	if got := of("one.csv", "--set", "data.label=is_3"); !slices.Equal(got, []string{"is_3"}) {
		t.Errorf("with a column: measured %q", got)
	}
	if err := os.MkdirAll("moved", 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, "moved/same.csv", chains.Library())
	if got := of("moved/same.csv"); !slices.Equal(got, []string{"has_5", "has_6"}) {
		t.Errorf("of the file of the training: measured %q", got)
	}
	ok(t, "data", "convert", "new.csv", "tasks", "--ignore", "MW", "--split", "even/short")
	if got := of("tasks"); !slices.Equal(got, []string{"short"}) {
		t.Errorf("of a folder: measured %q", got)
	}
	if err := os.RemoveAll("tasks/test"); err != nil {
		t.Fatal(err)
	}
	if got := of("tasks"); !slices.Equal(got, []string{"even"}) {
		t.Errorf("of a folder without test/: measured %q", got)
	}
}

func tasksMeasured(t *testing.T, args ...string) (names []string) {
	t.Helper()
	var e evaluation
	if err := json.Unmarshal([]byte(ok(t, append(args, "--json")...)), &e); err != nil {
		t.Fatal(err)
	}
	for _, task := range e.Test {
		names = append(names, task.Task)
	}
	return names
}

// TestEvalPredictions checks that the rows give the figures of the evaluation, and name the molecules of the file.
func TestEvalPredictions(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	put(t, "new.csv", newAssays())
	eval := []string{"eval", "--checkpoint", "run/best.ckpt", "--set", "data.path=new.csv", "--set", "data.ignore=MW",
		"--set", "train.evaluation_draws=2", "--set", "train.adaptivity=never"}
	for _, file := range []string{"run/best.ckpt", "new.csv"} {
		wantFault(t, "pacia: --predictions "+file+" would overwrite "+file+"; write another name", append(eval, "--predictions", file)...)
	}
	wantFault(t, "pacia: --predictions p.xlsx: the table is written as plain CSV; write a name that ends in .csv",
		append(eval, "--predictions", "p.xlsx")...)
	var e evaluation
	if err := json.Unmarshal([]byte(ok(t, append(eval, "--json", "--predictions", "p.csv.gz")...)), &e); err != nil {
		t.Fatal(err)
	}
	rows := predictionRows(t, "p.csv.gz")
	const want = "[even 0 0 4 3 c1 CN 1"
	wanted := func(row []string) bool { return strings.HasPrefix(fmt.Sprint(row), want) }
	if len(rows) != e.Queries || !slices.ContainsFunc(rows, wanted) {
		t.Errorf("%d rows for %d queries, none %s…, the first %s", len(rows), e.Queries, want, rows[0])
	}
	for _, task := range e.Test {
		auc := 0.0
		for _, draw := range []string{"0", "1"} {
			var labels []uint8
			var scores []float64
			for _, row := range rows {
				if row[0] == task.Task && row[1] == draw {
					var p float64
					if _, err := fmt.Sscan(row[8], &p); err != nil {
						t.Fatal(err)
					}
					labels, scores = append(labels, row[7][0]-'0'), append(scores, p)
				}
			}
			auc += metrics.ROCAUC(labels, scores) / 2
		}
		if d := auc - task.Values[0]; d > 0.002 || d < -0.002 {
			t.Errorf("%s: the rows have a ROC-AUC of %v, the evaluation %v", task.Task, auc, task.Values[0])
		}
	}
	ok(t, "data", "convert", "new.csv", "tasks", "--ignore", "MW", "--split", "even/short")
	ok(t, "eval", "--checkpoint", "run/best.ckpt", "--set", "data.path=tasks", "--results", "tables", "--sizes", "16",
		"--draws", "2", "--predictions", "by-size.csv")
	rows = predictionRows(t, "by-size.csv")
	if len(rows) != 2*24 || rows[0][0] != "short" || rows[0][3] != "16" || rows[0][6] == "" || rows[47][2] != "1" {
		t.Errorf("%d rows, %q to %q", len(rows), rows[0], rows[len(rows)-1])
	}
	wantFault(t, "pacia: --predictions tasks/test/p.csv would overwrite a file of the data set in tasks; write another name",
		"eval", "--checkpoint", "run/best.ckpt", "--set", "data.path=tasks", "--predictions", "tasks/test/p.csv")
}

// predictionRows reads a table of --predictions, without its header.
func predictionRows(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := csv.NewReader(f)
	if filepath.Ext(path) == ".gz" {
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		in = csv.NewReader(z)
	}
	rows, err := in.ReadAll()
	if err != nil || len(rows) < 2 || !slices.Equal(rows[0], predictionColumns) {
		t.Fatalf("%d rows (%v)", len(rows), err)
	}
	return rows[1:]
}

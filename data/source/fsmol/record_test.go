package fsmol

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestReadRecordsOfATable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "published.csv")
	text := "\ufeffmethod,support,assay,auprc,delta_auprc\nB,16,CHEMBL1,0.6,0.1\nA,32,CHEMBL2,0.5,-0.25\nB,16,CHEMBL2,0.7,0.2\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := ReadRecords(t.Context(), path)
	want := []Record{
		{"A", 32, map[string]float64{"CHEMBL2": -0.25}},
		{"B", 16, map[string]float64{"CHEMBL1": 0.1, "CHEMBL2": 0.2}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v (%v), want %v", got, err, want)
	}
}

// TestReadRecordsOfResults: records have the means over the draws of each size in files from WriteResults.
func TestReadRecordsOfResults(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "other[1]*")
	for _, name := range []string{dir, filepath.Join(filepath.Dir(dir), "other1")} { // the latter is another folder
		if err := os.Mkdir(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	draw := func(size int, ap float64) Result {
		return Result{Requested: size, AveragePrecision: ap, TestActive: 0.5}
	}
	for task, results := range map[string][]Result{
		"CHEMBL1":  {draw(16, 0.5), draw(16, 0.75), draw(32, 1)},
		"CHEMBL2":  {draw(16, 0.25)},
		"IC50 a/b": {draw(16, 1)},
	} {
		if err := WriteResults(dir, task, results); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadRecords(t.Context(), dir)
	want := []Record{
		{"other[1]*", 16, map[string]float64{"CHEMBL1": 0.125, "CHEMBL2": -0.25, "IC50 a_b": 0.5}},
		{"other[1]*", 32, map[string]float64{"CHEMBL1": 0.5}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v (%v), want %v", got, err, want)
	}
	for task, want := range map[string]float64{"CHEMBL1": 0.125, "IC50 a/b": 0.5} {
		if delta, known := got[0].DeltaAUPRC(task); !known || delta != want {
			t.Errorf("task %s: %v (%t), want %v", task, delta, known, want)
		}
	}
	if _, known := got[1].DeltaAUPRC("CHEMBL2"); known {
		t.Error("a task without results has some")
	}
}

func TestReadRecordsRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "published.csv")
	for _, c := range []struct{ text, want string }{
		{"method,assay,delta_auprc\n", "row 1: there is no column support"},
		{"method,support,assay,delta_auprc\n", "there are no results"},
		{"method,support,assay,delta_auprc\nA,16,CHEMBL1,0.1\nA,16,CHEMBL2,high\n", "row 3: support or delta_auprc is not a number"},
		{"method,support,assay,delta_auprc\nA,16,CHEMBL1,nan\n", "row 2: support or delta_auprc is not a number: it is nan; correct the row"},
		{"method,support,assay,delta_auprc\nA,16,CHEMBL1,-Inf\n", "row 2: support or delta_auprc is not a number: it is -Inf"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadRecords(t.Context(), path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := ReadRecords(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "there are no results") {
		t.Errorf("an empty folder: got %v", err)
	}
}

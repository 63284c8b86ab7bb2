package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestConvertThereAndBack(t *testing.T) {
	inFolder(t, "assays.csv", assays)
	out := ok(t, "data", "convert", "assays.csv", "tasks", "--split", "0/1")
	if want := "tasks: 2 tasks, 5 measurements\nleft out, because they cannot be read: 1 row, see tasks/left-out.csv\n"; out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	if out := ok(t, "data", "convert", "tasks", "back.csv"); out != "back.csv: 2 tasks, 5 measurements\n" {
		t.Errorf("got %q", out)
	}
	got, err := os.ReadFile("back.csv")
	if want := "smiles,assay_a,assay_b\nCCO,1,0\nCCN,0,\nc1ccccc1,0,1\n"; err != nil || string(got) != want {
		t.Errorf("got\n%s\nwant\n%s(%v)", got, want, err)
	}
	put(t, filepath.Join("tasks", "train", "assay_a.jsonl.gz"), "{}\n")
	wantFault(t, "pacia: tasks/train/assay_a.jsonl.gz: row 1: no SMILES; correct or remove the line", "data", "convert", "tasks", "again.csv")
	wantFault(t, "pacia: tasks: is there already; remove it, or name another folder", "data", "convert", "assays.csv", "tasks", "--split", "0/1")
	wantFault(t, "pacia: pacia data convert needs what to convert and where to; write pacia data convert FROM TO", "data", "convert", "tasks")
}

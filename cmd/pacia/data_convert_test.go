package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAFolderIsReadAloud: the assumptions about the files of a folder are shown as those about a file.
func TestAFolderIsReadAloud(t *testing.T) {
	inFolder(t, "empty", "")
	for _, part := range []string{"train", "test"} {
		if err := os.MkdirAll(filepath.Join("in", part), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	put(t, "in/train/a.csv", "smiles,IC50 (uM)\nCCO,0.2\nCCN,>5\nCCCl,n.d.\nCC,3\n")
	put(t, "in/test/b.csv", "smiles,X\nCCCO,1\nCCCN,0\n")
	const want = `train/a.csv: task IC50 (uM): 1 active (below 1000 nM), 2 inactive; values in uM, by the column's name (--value-unit); "n.d." is interpreted as`
	for _, args := range [][]string{{"convert", "in", "tasks"}, {"inspect", "in"}, {"prepare", "in"}} {
		r := pacia(slices.Concat([]string{"data"}, args, []string{"--active-below", "1000", "--unit", "nM"})...)
		if r.code != 0 || !strings.Contains(r.err, want) || args[0] == "inspect" && !strings.Contains(r.out, want) {
			t.Errorf("%s: exit code %d\n%s%s\nwant %s", args[0], r.code, r.out, r.err, want)
		}
	}
}

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

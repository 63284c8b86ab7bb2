package fsmol

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/data"
)

// FromSMILES calls fromSMILES with a fingerprint.
func FromSMILES(smiles string) (Molecule, error) {
	return fromSMILES(context.Background(), smiles, true)
}

// alkanes returns n chains with an end group, every third one active.
func alkanes(t testing.TB, n int, end string) []Molecule {
	t.Helper()
	all := make([]Molecule, n)
	for i := range all {
		m, err := FromSMILES(strings.Repeat("C", i+1) + end)
		if err != nil {
			t.Fatal(err)
		}
		m.Descriptors = []float32{float32(i), 0.5}
		if i%3 == 0 {
			m.Label = 1
		}
		all[i] = m
	}
	return all
}

// folder makes a folder with four tasks.
func folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for path, molecules := range map[string][]Molecule{
		"train/A": alkanes(t, 20, "O"), "train/B": alkanes(t, 10, "C=O"), "valid/C": alkanes(t, 9, "C#N"), "test/D": alkanes(t, 12, "O"),
	} {
		file := write(t, filepath.Join(dir, path+suffix), "")
		if err := writeTask(file, slices.Values(molecules)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read reads a folder, with or without fingerprints.
func read(t testing.TB, dir string, fingerprints bool) *folderData {
	t.Helper()
	d, err := readFolder(dir, 0, fingerprints)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func readFolder(dir string, threads int, fingerprints bool) (*folderData, error) {
	f, err := findFiles(dir)
	if err != nil {
		return nil, err
	}
	return f.read(context.Background(), threads, fingerprints)
}

func TestRead(t *testing.T) {
	dir := folder(t)
	for _, threads := range []int{1, 3} {
		d, err := readFolder(dir, threads, true)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i := range d.tasks {
			names = append(names, fmt.Sprintf("%s %d", d.tasks[i].Name, len(d.tasks[i].Rows)))
		}
		if got := strings.Join(names, ", "); got != "A 20, B 10, C 9, D 12" {
			t.Errorf("tasks %s", got)
		}
		if want := (data.Split{Train: []int{0, 1}, Valid: []int{2}, Test: []int{3}}); !reflect.DeepEqual(d.split, want) {
			t.Errorf("parts %+v", d.split)
		}
		if d.store.Len() != 20+10+9 || len(d.smiles) != 39 { // D's molecules are A's first twelve
			t.Errorf("%d molecules, want 39", d.store.Len())
		}
		if !slices.Equal(d.tasks[3].Rows, d.tasks[0].Rows[:12]) {
			t.Errorf("rows of D %v, of A %v", d.tasks[3].Rows, d.tasks[0].Rows)
		}
		want, _, _ := ParseSMILES(t.Context(), d.smiles, true, 1)
		if !reflect.DeepEqual(everything(t, d.store), everything(t, want)) {
			t.Error("molecules are not those that were written")
		}
	}
	if bare := read(t, dir, false); bare.store.Fingerprints().Len() != 0 {
		t.Error("a bare data set has fingerprints")
	}
}

func equalGraphs(a, b Graph) bool {
	for t := range a.Bonds {
		if !slices.Equal(a.Bonds[t], b.Bonds[t]) {
			return false
		}
	}
	return slices.Equal(a.Atoms, b.Atoms)
}

func TestFolds(t *testing.T) {
	dir := folder(t)
	list := filepath.Join(dir, foldsFile)
	folds := Folds{Train: []string{"B"}, Test: []string{"D" + suffix}}
	if err := folds.Write(list); err != nil {
		t.Fatal(err)
	}
	if read, err := readFolds(list); err != nil || !reflect.DeepEqual(read, Folds{folds.Train, []string{}, folds.Test}) {
		t.Errorf("read back %+v (%v)", read, err)
	}
	d := read(t, dir, true)
	if len(d.tasks) != 2 || d.tasks[0].Name != "B" || d.tasks[1].Name != "D" || len(d.split.Valid) != 0 {
		t.Errorf("the folder's list is not followed: %+v", d)
	}
	t.Chdir(dir)
	for _, tt := range []struct{ text, want string }{
		{`{"train": ["A"], "test": ["A"]}`, foldsFile + ": task A is in train and in test; name each task once"},
		{`{"train": "A"}`, foldsFile + ": broken JSON: json: cannot unmarshal string into Go struct field Folds.train of type []string; " +
			`write {"train": [NAMES], "valid": [NAMES], "test": [NAMES]}`},
		{`{}`, foldsFile + `: no tasks; write {"train": [NAMES], "valid": [NAMES], "test": [NAMES]}`},
		{`{"valid": ["A"]}`, "valid/A.jsonl.gz: the list of tasks names it, but it is not there; fetch it, or take the task off the list"},
	} {
		write(t, foldsFile, tt.text)
		if _, err := readFolder(".", 0, true); err == nil || err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
	if _, err := readFolder(t.TempDir(), 0, true); err == nil || !strings.Contains(err.Error(), "no task files") {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestReadFaults(t *testing.T) {
	dir := folder(t)
	write(t, filepath.Join(dir, "train", "B"+suffix), "{")
	if _, err := readFolder(dir, 0, false); err == nil || !strings.Contains(err.Error(), "B.jsonl.gz: row 1: broken JSON") {
		t.Error(err)
	}
}

package fsmol

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

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

// folder makes a data set of four tasks.
func folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for path, molecules := range map[string][]Molecule{
		"train/A": alkanes(t, 20, "O"), "train/B": alkanes(t, 10, "C=O"), "valid/C": alkanes(t, 9, "C#N"), "test/D": alkanes(t, 12, "O"),
	} {
		file := write(t, filepath.Join(dir, path+suffix), "")
		if err := WriteTask(file, slices.Values(molecules)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOpen(t *testing.T) {
	dir := folder(t)
	for _, threads := range []int{1, 3} {
		d, err := Open(context.Background(), dir, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i := range d.Tasks {
			names = append(names, fmt.Sprintf("%s %d", d.Tasks[i].Name, len(d.Tasks[i].Rows)))
		}
		if got := strings.Join(names, ", "); got != "A 20, B 10, C 9, D 12" {
			t.Errorf("tasks %s", got)
		}
		if !slices.Equal(d.Train, []int{0, 1}) || !slices.Equal(d.Valid, []int{2}) || !slices.Equal(d.Test, []int{3}) {
			t.Errorf("parts %v %v %v", d.Train, d.Valid, d.Test)
		}
		if d.Store.Len() != 20+10+9 { // D's molecules are A's first twelve
			t.Errorf("%d molecules, want 39", d.Store.Len())
		}
		if !slices.Equal(d.Tasks[3].Rows, d.Tasks[0].Rows[:12]) {
			t.Errorf("rows of D %v, of A %v", d.Tasks[3].Rows, d.Tasks[0].Rows)
		}
		want := alkanes(t, 10, "C=O")[4]
		row := int(d.Tasks[1].Rows[4])
		want.Graph.Types = nil
		if got := d.Store.Graph(row); !equalGraphs(got, want.Graph) || d.Store.SMILES(row) != want.SMILES {
			t.Errorf("molecule %s\n got %+v\nwant %s %+v", d.Store.SMILES(row), got, want.SMILES, want.Graph)
		}
		if got := d.Store.Fingerprint([]uint16{9}, row); got[0] != 9 || !slices.Equal(got[1:], want.Fingerprint) {
			t.Errorf("fingerprint of %d, want the written one", len(got))
		}
		if got := d.Store.Descriptors(row); !slices.Equal(got, want.Descriptors) {
			t.Errorf("descriptors %v, want %v", got, want.Descriptors)
		}
	}
	d, err := Open(context.Background(), dir, Options{NoFingerprints: true, NoDescriptors: true})
	if err != nil || len(d.Store.Descriptors(0)) != 0 || slices.Max(d.Store.Fingerprint(nil, 0)) != 0 {
		t.Errorf("a bare data set has fingerprints or descriptors (%v)", err)
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
	if read, err := ReadFolds(list); err != nil || !reflect.DeepEqual(read, Folds{folds.Train, []string{}, folds.Test}) {
		t.Errorf("read back %+v (%v)", read, err)
	}
	d, err := Open(context.Background(), dir, Options{})
	if err != nil || len(d.Tasks) != 2 || d.Tasks[0].Name != "B" || d.Tasks[1].Name != "D" || len(d.Valid) != 0 {
		t.Errorf("the folder's list is not followed: %+v (%v)", d, err)
	}
	t.Chdir(dir)
	for _, tt := range []struct{ text, want string }{
		{`{"train": ["A"], "test": ["A"]}`, "x.json: task A is in train and in test; name each task once"},
		{`{"train": "A"}`, "x.json: broken JSON: json: cannot unmarshal string into Go struct field Folds.train of type []string; " +
			`write {"train": [NAMES], "valid": [NAMES], "test": [NAMES]}`},
		{`{}`, `x.json: no tasks; write {"train": [NAMES], "valid": [NAMES], "test": [NAMES]}`},
		{`{"valid": ["A"]}`, "valid/A.jsonl.gz: the list of tasks names it, but it is not there; fetch it, or take the task off the list"},
	} {
		write(t, "x.json", tt.text)
		if _, err := Open(context.Background(), ".", Options{Folds: "x.json"}); err == nil || err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
	if _, err := Open(context.Background(), t.TempDir(), Options{}); err == nil || !strings.Contains(err.Error(), "no task files") {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestOpenFaults(t *testing.T) {
	dir := folder(t)
	other := alkanes(t, 6, "F")
	for i := range other {
		other[i].Descriptors, other[i].Label = nil, 0
	}
	path := filepath.Join(dir, "valid", "E"+suffix)
	if err := WriteTask(path, slices.Values(other)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), dir, Options{}); err == nil || err.Error() != path+": 0 descriptors a molecule, while task A has 2; take all files from one release" {
		t.Error(err)
	}
	if _, err := Open(context.Background(), dir, Options{NoFingerprints: true, NoDescriptors: true}); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "train", "B"+suffix), "{")
	if _, err := Open(context.Background(), dir, Options{NoFingerprints: true, NoDescriptors: true}); err == nil || !strings.Contains(err.Error(), "B.jsonl.gz: row 1: broken JSON") {
		t.Error(err)
	}
}

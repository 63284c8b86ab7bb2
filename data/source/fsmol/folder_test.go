package fsmol

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/label"
	"pacia/data/molecule"
	"pacia/data/source"
	"pacia/data/split"
	"pacia/data/table"
)

func openFolder(t *testing.T, dir, cache string, form molecule.Featurizer) *data.Dataset {
	t.Helper()
	d, err := OpenFolder(context.Background(), dir, source.Options{Cache: cache, Featurizer: form})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// everything returns one batch with all molecules of a data set.
func everything(t *testing.T, m molecule.List) *data.Batch {
	t.Helper()
	rows := make([]int32, m.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	b, err := data.AssembleQueries(m, rows)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestOpenFolder: with every Featurizer, a folder is read from the graph store the second time, with
// the same molecules, tasks and folds.
func TestOpenFolder(t *testing.T) {
	dir, cache := folder(t), t.TempDir()
	whole, bare := read(t, dir, true), read(t, dir, false)
	parsed := func(form molecule.Featurizer) *data.Dataset {
		d, err := whole.parsed(context.Background(), "tasks", source.Options{Featurizer: form, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, tt := range []struct {
		form molecule.Featurizer
		want *data.Dataset
	}{
		{Featurizer(false), bare.features("tasks")}, {Featurizer(true), whole.features("tasks")},
		{molecule.Featurizer{}, parsed(molecule.Featurizer{})}, {molecule.FingerprintsOnly(), parsed(molecule.FingerprintsOnly())},
	} {
		want := everything(t, tt.want.Store)
		for _, built := range []bool{true, false} {
			d := openFolder(t, dir, cache, tt.form)
			if d.Stored.Built != built || d.Stored.Path == "" {
				t.Errorf("form %q: stored %+v, want built %t", tt.form.Name, d.Stored, built)
			}
			if got := everything(t, d.Store); !reflect.DeepEqual(got, want) {
				t.Errorf("form %q, built %t: other molecules than in the files", tt.form.Name, built)
			}
			if !reflect.DeepEqual(d.Folds, &data.Split{Train: []int{0, 1}, Valid: []int{2}, Test: []int{3}}) {
				t.Errorf("folds %+v", d.Folds)
			}
			if s, err := split.Parse("auto", d); err != nil || !reflect.DeepEqual(s, *d.Folds) {
				t.Errorf("split %+v (%v)", s, err)
			}
			for i := range d.Tasks {
				got, want := &d.Tasks[i], &tt.want.Tasks[i]
				if got.Name != want.Name || !slices.Equal(got.Rows, want.Rows) || !slices.Equal(got.Labels, want.Labels) {
					t.Errorf("task %+v, want %+v", got, want)
				}
			}
			for i := range d.Store.Len() {
				if a, b := d.Store.Atoms(i), d.Store.Bonds(i); a != tt.want.Store.Atoms(i) || b != tt.want.Store.Bonds(i) || b != max(a-1, 0) {
					t.Errorf("molecule %d, a chain: %d atoms and %d bonds", i, a, b)
				}
			}
		}
	}
}

// TestOpenFolderRefuses: labels beside those of task files, fingerprints of some molecules only, and CSV files beside
// task files.
func TestOpenFolderRefuses(t *testing.T) {
	some, other := folder(t), folder(t)
	bare := alkanes(t, 12, "S")
	for i := range bare {
		bare[i].Fingerprint = nil
	}
	for _, path := range []string{filepath.Join(some, "test", "D"), filepath.Join(other, "train", "A")} {
		if err := writeTask(path+suffix, slices.Values(bare)); err != nil {
			t.Fatal(err)
		}
	}
	dir, whole := folder(t), Featurizer(true)
	mixed := folder(t)
	if err := os.WriteFile(filepath.Join(mixed, "train", "own.csv"), []byte("smiles,own\nCCO,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		dir  string
		o    source.Options
		want string
	}{
		{some, source.Options{Featurizer: whole}, "test/D.jsonl.gz: molecule 1, CS, has no fingerprints, those before it have some; write"},
		{other, source.Options{Featurizer: whole}, "train/B.jsonl.gz: molecule 1, CC=O, has fingerprints, those before it have none"},
		{some, source.Options{Featurizer: Featurizer(false)}, ""},
		{some, source.Options{Featurizer: molecule.GraphsAndFingerprints()}, ""},
		{dir, source.Options{Labels: label.Settings{Columns: "A"}}, "task files already have labels; leave out data.label"},
		{dir, source.Options{Rows: source.Rows{Repeats: source.RowsMerge}}, ""},
		{mixed, source.Options{Featurizer: whole}, "train/own.csv; keep files of one kind there"},
	} {
		tt.o.Cache = t.TempDir()
		d, err := OpenFolder(context.Background(), tt.dir, tt.o)
		if d != nil {
			err = d.Close()
		}
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// TestWithoutEffect: options that have no effect on task files get a warning.
func TestWithoutEffect(t *testing.T) {
	for _, tt := range []struct {
		o    source.Options
		want string
	}{
		{source.Options{Rows: source.Rows{Molecules: source.RowsParents}},
			"molecules of task files are as they are drawn: data.molecules=parents has no effect"},
		{source.Options{Rows: source.Rows{Repeats: source.RowsMerge}}, "each line of a task file counts: data.repeats=merge has no effect"},
		{source.Options{Options: table.Options{Header: 2}}, "task files are not tables: data.smiles"},
		{source.Options{Options: table.Options{SMILES: "structure"}}, "task files are not tables: data.smiles"},
		{source.Options{Options: table.Options{SMILES: "smiles"}, Rows: source.Rows{Molecules: source.RowsAuto, Repeats: source.RowsAuto}}, ""},
		{source.Options{Rows: source.Rows{Molecules: source.RowsDrawn, Repeats: source.RowsKeep}}, ""},
	} {
		got := strings.Join(withoutEffect(tt.o), "\n")
		if (got == "") != (tt.want == "") || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%+v: %q, want %q", tt.o.Rows, got, tt.want)
		}
	}
}

// TestFolderHash: the hash depends only on contents, names and parts.
func TestFolderHash(t *testing.T) {
	hash := func(dir string) string { return openFolder(t, dir, t.TempDir(), molecule.Featurizer{}).Hash }
	dir := folder(t)
	first := hash(dir)
	other := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if hash(other) != first {
		t.Error("a copy has another hash")
	}
	rename := func(from, to string) {
		if err := os.Rename(filepath.Join(other, from+suffix), filepath.Join(other, to+suffix)); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]string{first: "the first"}
	for _, move := range [][2]string{{"train/B", "train/Z"}, {"train/Z", "valid/Z"}} {
		rename(move[0], move[1])
		h := hash(other)
		if before, ok := seen[h]; ok {
			t.Errorf("%v: the hash of %s", move, before)
		}
		seen[h] = move[1]
	}
	if err := writeTask(filepath.Join(other, "test", "D"+suffix), slices.Values(alkanes(t, 13, "O"))); err != nil {
		t.Fatal(err)
	}
	if _, ok := seen[hash(other)]; ok {
		t.Error("another content has a known hash")
	}
}

// TestParseSMILES: molecules are those of FromSMILES, in order, over any number
// of goroutines, and those that RDKit refuses have a reason.
func TestParseSMILES(t *testing.T) {
	smiles := []string{"CCO", "C(C", publishedSMILES, "", "C#N"}
	for _, threads := range []int{1, 3, 0} {
		s, index, errs := ParseSMILES(context.Background(), smiles, false, threads)
		if !slices.Equal(index, []int32{0, -1, 1, -1, 2}) || s.Len() != 3 {
			t.Fatalf("index %v of %d molecules", index, s.Len())
		}
		for i := range index {
			_, err := FromSMILES(smiles[i])
			if (errs[i] == nil) != (err == nil) || err != nil && errs[i].Error() != err.Error() {
				t.Errorf("%q: %v, want %v", smiles[i], errs[i], err)
			}
		}
		checkMolecules(t, []string{"CCO", publishedSMILES, "C#N"}, everything(t, s), []data.Episode{{Query: []int32{0, 1, 2}}})
	}
}

package fsmol

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/assay"
	"pacia/data/label"
	"pacia/data/molecule"
	"pacia/data/source"
	"pacia/data/workers"
)

func tables(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tables")
	for name, content := range contents {
		write(t, filepath.Join(dir, name), content)
	}
	return dir
}

// TestOpenTables: a folder of CSV files is a data set with its folders as folds and each molecule
// once, for all Featurizers, parsed and from the store.
func TestOpenTables(t *testing.T) {
	dir := tables(t, map[string]string{
		"train/B.csv":  "smiles,B\nCCO,1\nCCN,0\nC(C,1\n",
		"train/A.csv":  "smiles,label\nCCN,1\nc1ccccc1,0\n",
		"valid/V.csv":  "smiles,V,W\nCCO,0,\nC#N,1,1\n",
		"test/T.csv":   "smiles,T\nc1ccccc1,1\nCCO,0\n",
		"test/RE.ME":   "not a table",
		"elsewhere.md": "neither",
	})
	cache := t.TempDir()
	for _, form := range []molecule.Featurizer{
		{}, Featurizer(false), Featurizer(true), molecule.GraphsAndFingerprints(), molecule.FingerprintsOnly(),
	} {
		for _, built := range []bool{true, false} {
			d := openFolder(t, dir, cache, form)
			if d.Stored.Built != built || d.Name != "tables" {
				t.Errorf("%s stored %+v, want built %t", d.Name, d.Stored, built)
			}
			if want := (&data.Split{Train: []int{0, 1}, Valid: []int{2, 3}, Test: []int{4}}); !reflect.DeepEqual(d.Folds, want) {
				t.Errorf("folds %+v, want %+v", d.Folds, want)
			}
			// Rows: CCN, benzene, CCO, HCN, in the order of the files.
			for i, want := range []data.Task{
				{Name: "A", Rows: []int32{0, 1}, Labels: []uint8{1, 0}},
				{Name: "B", Rows: []int32{2, 0}, Labels: []uint8{1, 0}},
				{Name: "V", Rows: []int32{2, 3}, Labels: []uint8{0, 1}},
				{Name: "W", Rows: []int32{3}, Labels: []uint8{1}},
				{Name: "T", Rows: []int32{1, 2}, Labels: []uint8{1, 0}},
			} {
				got := d.Tasks[i]
				if got.Name != want.Name || !slices.Equal(got.Rows, want.Rows) || !slices.Equal(got.Labels, want.Labels) {
					t.Errorf("task %+v, want %+v", got, want)
				}
			}
			if d.Store.Len() != 4 || len(d.Skipped) != 1 || d.Skipped[0].Row != 4 || !strings.HasPrefix(d.Skipped[0].Reason, "B.csv: ") {
				t.Errorf("%d molecules, left out %+v; want 4, row 4 of B.csv", d.Store.Len(), d.Skipped)
			}
		}
	}
}

// TestTablesAreReadAloud: the assumptions about each file are notes, and a row that cannot be read is listed, is not a
// molecule, and does not take away the molecule that it repeats.
func TestTablesAreReadAloud(t *testing.T) {
	dir := tables(t, map[string]string{
		"train/A.csv": "smiles,Relation,IC50 (uM)\nCCO,=,0.2\nCCN,>,0.5\nCCO,=,0.2,4\nCCCl,=,n.d.\nCC,=,3\n",
		"test/A.csv":  "smiles,X\nCCCO,1\nCCCN,0\nC(C,1\nCCCF,1,2\n",
	})
	cache, by := t.TempDir(), label.Settings{Below: "1000", Units: "nM"}
	for _, built := range []bool{true, false} {
		d, err := OpenFolder(t.Context(), dir, source.Options{Cache: cache, Labels: by})
		if err != nil {
			t.Fatal(err)
		}
		var skipped []string
		for _, s := range d.Skipped {
			file, _, _ := strings.Cut(s.Reason, ": ")
			skipped = append(skipped, fmt.Sprint(file, s.Row, s.SMILES))
		}
		if !slices.Equal(skipped, []string{"A.csv4CCO", "A.csv5CCCF", "A.csv4C(C"}) {
			t.Errorf("left out: %q", skipped)
		}
		notes := strings.Join(d.Notes, "\n")
		for _, want := range []string{
			"train/A.csv: task IC50 (uM): 1 active (below 1000 nM), 1 inactive, 1 not decided; ", `signs from column "Relation" (--sign-column); `,
			`values in uM, by the column's name (--value-unit); "n.d." is interpreted as not tested (row 5; --inactive-words)`,
		} {
			if !strings.Contains(notes, want) {
				t.Errorf("the notes lack %s:\n%s", want, notes)
			}
		}
		if d.Store.Len() != 6 || len(d.Tasks[0].Rows) != 2 || len(d.Tasks[1].Rows) != 2 || d.Stored.Built != built {
			t.Errorf("%d molecules, tasks %+v", d.Store.Len(), d.Tasks)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	of, err := TaskOrigins(t.Context(), dir, "X", assay.Options{}, source.Rows{}, func(smiles string) bool { return smiles == "C(C" })
	if err != nil || len(of) != 2 || of[0].SMILES != "CCCO" || of[1].SMILES != "CCCN" {
		t.Errorf("molecules %+v (%v)", of, err)
	}
}

func TestOpenTablesRefuses(t *testing.T) {
	for _, tt := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"train/A.csv": "smiles,X\nC,1\n", "test/B.csv": "smiles,X\nC,1\n"}, "test/B.csv: column X: a task of this name is in"},
		{map[string]string{"train/A.csv": "ID,X\nC7,1\n"}, `no column holds SMILES among ID, X`},
		{map[string]string{"train/A.csv": "smiles,X\nC,2\n"}, `row 2, column X: label "2" is a measurement`},
		{map[string]string{"train/A.csv": "smiles,X\nC(,1\n"}, "row 2, column smiles: none of the folder's 1 molecules can be parsed"},
		{map[string]string{"train/A.csv": "smiles,X\nC(C,1\nC,1,2\n"},
			"row 3, column smiles: none of the folder's 2 molecules can be parsed, the first because: 3 cells"},
		{map[string]string{"A.csv": "smiles,X\nC,1\n"}, "no task files (*.jsonl.gz or *.csv in train/, valid/, test/)"},
	} {
		_, err := OpenFolder(context.Background(), tables(t, tt.files), source.Options{Cache: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt.files, err, tt.want)
		}
	}
}

// TestOpeningReportsProgressAndStops: opening either kind of folder, with either Featurizer, reports
// progress up to the total of each unit, and stops when its context is done.
func TestOpeningReportsProgressAndStops(t *testing.T) {
	csv := tables(t, map[string]string{"train/A.csv": "smiles,A\nCCO,1\nCCN,0\n", "test/B.csv": "smiles,B\nCCO,1\nC,0\n"})
	for _, dir := range []string{csv, folder(t)} {
		for _, form := range []molecule.Featurizer{{}, Featurizer(false)} {
			last := map[string][2]int{}
			ctx := workers.WithProgress(context.Background(), func(unit string, done, total int) {
				if done <= last[unit][0] || done > total {
					t.Errorf("%s: %d of %d after %v", unit, done, total, last[unit])
				}
				last[unit] = [2]int{done, total}
			})
			d, err := OpenFolder(ctx, dir, source.Options{Cache: t.TempDir(), Featurizer: form})
			if err != nil {
				t.Fatal(err)
			}
			files, molecules := len(d.Tasks), d.Store.Len()
			if err := d.Close(); err != nil {
				t.Error(err)
			}
			if last["files"] != [2]int{files, files} {
				t.Errorf("%s: files %v, want %d", dir, last["files"], files)
			}
			if made := dir == csv || form.Parse == nil; made && last["molecules"] != [2]int{molecules, molecules} {
				t.Errorf("%s: molecules %v, want %d", dir, last["molecules"], molecules)
			}
			for stopAt := range files + 1 {
				ctx, cancel := context.WithCancel(context.Background())
				if stopAt == 0 {
					cancel()
				}
				ctx = workers.WithProgress(ctx, func(unit string, done, _ int) {
					if unit == "files" && done == stopAt {
						cancel()
					}
				})
				cache := t.TempDir()
				d, err := OpenFolder(ctx, dir, source.Options{Cache: cache, Featurizer: form})
				cancel()
				if d != nil {
					// All files were read, and nothing had to be parsed.
					if err := d.Close(); err != nil || stopAt < files || dir == csv || form.Parse == nil {
						t.Errorf("%s, stopped at file %d: opened (%v)", dir, stopAt, err)
					}
					continue
				}
				left, _ := os.ReadDir(cache)
				if !errors.Is(err, context.Canceled) || len(left) > 0 {
					t.Errorf("%s, stopped at file %d: %v, left %v", dir, stopAt, err, left)
				}
			}
		}
	}
}

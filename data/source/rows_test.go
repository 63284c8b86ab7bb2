package source_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/source"
	"pacia/data/split"
)

// repeated has ethylamine in three spellings, one of them its hydrochloride, ethanol with one label of each
// class, and phenol.
const repeated = `smiles,active,other
CCN,1,0
CC[NH3+].[Cl-],1,
NCC,0,
CCO,1,1
OCC,0,1
Oc1ccccc1,0,0
`

// TestRows: several rows of one molecule in a training table.
func TestRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assays.csv")
	if err := os.WriteFile(path, []byte(repeated), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		rows      source.Rows
		molecules int
		atoms     []int // of all molecules
		labels    []string
		notes     string // a part of them
	}{
		{source.Rows{}, 6, []int{3, 4, 3, 3, 3, 7}, []string{"[1 1 0 1 0 0]", "[0 1 1 0]"}, ""},
		{source.Rows{Molecules: source.RowsDrawn, Repeats: source.RowsKeep}, 6, []int{3, 4, 3, 3, 3, 7}, []string{"[1 1 0 1 0 0]", "[0 1 1 0]"}, ""},
		{source.Rows{Molecules: source.RowsParents, Repeats: source.RowsKeep}, 6, []int{3, 3, 3, 3, 3, 7}, []string{"[1 1 0 1 0 0]", "[0 1 1 0]"}, "a salt is read as its parent (data.molecules)"},
		{source.Rows{Molecules: source.RowsDrawn, Repeats: source.RowsMerge}, 4, []int{3, 4, 3, 7}, []string{"[1 0]", "[0 1 0]"}, "are left out (2)"},
		{source.Rows{Molecules: source.RowsAuto, Repeats: source.RowsAuto}, 3, []int{3, 3, 7}, []string{"[1 0]", "[0 1 0]"},
			"3 rows repeat a molecule: it counts once in each task, with the label that most of its rows have; ties are left out (1) (data.repeats)"},
	} {
		t.Run(fmt.Sprint(tt.rows), func(t *testing.T) {
			for _, from := range []string{"the table", "the store"} {
				d, err := source.Open(t.Context(), path, source.Options{Cache: filepath.Dir(path), Rows: tt.rows})
				if err != nil {
					t.Fatal(err)
				}
				defer d.Close()
				var atoms []int
				for i := range d.Store.Len() {
					atoms = append(atoms, d.Store.Atoms(i))
				}
				if !slices.Equal(atoms, tt.atoms) {
					t.Errorf("%s: atoms %v, want %v", from, atoms, tt.atoms)
				}
				for i, want := range tt.labels {
					if got := labelsInOrder(&d.Tasks[i]); got != want {
						t.Errorf("%s: labels of task %s in the order of rows: %s, want %s", from, d.Tasks[i].Name, got, want)
					}
				}
				if notes := strings.Join(d.Notes, "\n"); !strings.Contains(notes, tt.notes) {
					t.Errorf("%s: notes %q, want %q", from, notes, tt.notes)
				}
			}
		})
	}
}

func labelsInOrder(t *data.Task) string {
	order := make([]int, len(t.Rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(t.Rows[a] - t.Rows[b]) })
	var labels []int
	for _, i := range order {
		labels = append(labels, int(t.Labels[i]))
	}
	return fmt.Sprint(labels)
}

// TestRowsOfPublished: auto does not change a data set for which results are published.
func TestRowsOfPublished(t *testing.T) {
	cache := t.TempDir()
	var stores []*data.Dataset
	for _, rows := range []source.Rows{{}, {Molecules: source.RowsAuto, Repeats: source.RowsAuto}} {
		d, err := source.Open(t.Context(), data.Embedded, source.Options{Cache: cache, Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		stores = append(stores, d)
	}
	if a, b := stores[0], stores[1]; a.Store.Len() != b.Store.Len() || !split.IsPublished(b.Hash, b.TaskNames()) || len(b.Notes) > 0 {
		t.Errorf("%d molecules as they are, %d with auto, published %v, notes %q", a.Store.Len(), b.Store.Len(), split.IsPublished(b.Hash, b.TaskNames()), b.Notes)
	}
}

package data_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data"
)

// repeated is ethylamine as a base, its hydrochloride and written otherwise, ethanol with as
// many of both labels, and phenol.
const repeated = `smiles,active,other
CCN,1,0
CC[NH3+].[Cl-],1,
NCC,0,
CCO,1,1
OCC,0,1
Oc1ccccc1,0,0
`

// TestRows: rows of one molecule, as a training table has them.
func TestRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assays.csv")
	if err := os.WriteFile(path, []byte(repeated), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		rows      data.Rows
		molecules int
		atoms     []int // of all molecules
		labels    []string
		told      string
	}{
		{data.Rows{}, 6, []int{3, 4, 3, 3, 3, 7}, []string{"[1 1 0 1 0 0]", "[0 1 1 0]"}, ""},
		{data.Rows{Molecules: data.RowsDrawn, Repeats: data.RowsKeep}, 6, []int{3, 4, 3, 3, 3, 7}, []string{"[1 1 0 1 0 0]", "[0 1 1 0]"}, ""},
		{data.Rows{Molecules: data.RowsParents, Repeats: data.RowsKeep}, 6, []int{3, 3, 3, 3, 3, 7}, []string{"[1 1 0 1 0 0]", "[0 1 1 0]"}, "a salt is read as its parent (data.molecules)"},
		{data.Rows{Molecules: data.RowsDrawn, Repeats: data.RowsMerge}, 4, []int{3, 4, 3, 7}, []string{"[1 0]", "[0 1 0]"}, "are left out (2)"},
		{data.Rows{Molecules: data.RowsAuto, Repeats: data.RowsAuto}, 3, []int{3, 3, 7}, []string{"[1 0]", "[0 1 0]"},
			"7 labels are of 3 molecules, counted in each task: a molecule counts once, with the label that most of its rows have; those with as many of both are left out (1) (data.repeats)"},
	} {
		t.Run(fmt.Sprint(tt.rows), func(t *testing.T) {
			for _, from := range []string{"the table", "the store"} {
				d, err := data.Open(t.Context(), path, data.Options{Cache: filepath.Dir(path), Rows: tt.rows})
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
				if told := strings.Join(d.Told, "\n"); !strings.Contains(told, tt.told) {
					t.Errorf("%s: told %q, want %q", from, told, tt.told)
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

// TestRowsOfPublished: auto leaves a data set for which results are published as it is.
func TestRowsOfPublished(t *testing.T) {
	cache := t.TempDir()
	var stores []*data.Dataset
	for _, rows := range []data.Rows{{}, {Molecules: data.RowsAuto, Repeats: data.RowsAuto}} {
		d, err := data.Open(t.Context(), data.Embedded, data.Options{Cache: cache, Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		stores = append(stores, d)
	}
	if a, b := stores[0], stores[1]; a.Store.Len() != b.Store.Len() || !b.IsPublished() || len(b.Told) > 0 {
		t.Errorf("%d molecules as they are, %d with auto, published %v, told %q", a.Store.Len(), b.Store.Len(), b.IsPublished(), b.Told)
	}
}

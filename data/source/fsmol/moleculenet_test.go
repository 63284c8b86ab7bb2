package fsmol

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"pacia/data"
	"pacia/data/source"
	"pacia/harness/golden"
)

// TestMoleculeNet converts three tasks of SIDER to task files. It compares their labels with
// the table, and their atoms and bonds with RDKit.
func TestMoleculeNet(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	path := golden.Shared(t, "data/moleculenet/sider.csv.gz")
	dir := filepath.Join(t.TempDir(), "tasks")
	o := options("0,1/2")
	o.Valid = 1
	c, err := FromCSV(path, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if c.Tasks != 3 || c.Molecules != 3*1427 || len(c.Skipped) != 0 {
		t.Errorf("%d tasks, %d molecules, left out %v; want 3, 4281, none", c.Tasks, c.Molecules, c.Skipped)
	}
	d := read(t, dir, true)
	if len(d.split.Train) != 1 || len(d.split.Valid) != 1 || len(d.split.Test) != 1 {
		t.Fatalf("parts %v %v %v", d.split.Train, d.split.Valid, d.split.Test)
	}
	table, err := source.Open(context.Background(), path, source.Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	actives := map[string]int{"Hepatobiliary disorders": 743, "Metabolism and nutrition disorders": 996, "Product issues": 22}
	for i := range d.tasks {
		if n := len(d.tasks[i].Class(1)); n != actives[d.tasks[i].Name] {
			t.Errorf("task %s: %d actives, want %d", d.tasks[i].Name, n, actives[d.tasks[i].Name])
		}
	}
	for _, row := range d.tasks[0].Rows {
		i := int(row)
		if d.store.Atoms(i) != table.Store.Atoms(i) || d.store.Bonds(i) != table.Store.Bonds(i) {
			t.Fatalf("%s: %d atoms and %d bonds, RDKit has %d and %d", d.smiles[i], d.store.Atoms(i), d.store.Bonds(i), table.Store.Atoms(i), table.Store.Bonds(i))
		}
	}
	// The rare class of the test task, 22 of 1,427, is only in some of the small draws.
	drawn := 0
	for _, size := range SupportSizes {
		for k := range uint32(Draws) {
			e, err := data.DrawStratified(&d.tasks[2], 2, size, 0, k)
			if err != nil {
				if !errors.Is(err, data.ErrTooSmall) {
					t.Error(err)
				}
				continue
			}
			if drawn++; len(e.Support) != size || len(e.Query) != 1427-size || e.Shots > size/16 {
				t.Errorf("support %d, seed %d: %d and %d molecules, %d shots", size, k, len(e.Support), len(e.Query), e.Shots)
			}
		}
	}
	if drawn < 30 {
		t.Errorf("only %d draws of 50 have both classes", drawn)
	}
}

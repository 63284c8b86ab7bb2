package source

import (
	"context"
	"path/filepath"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/flip"
)

// TestDamagedStores: a changed byte of a graph store is detected, and the store is built
// again.
func TestDamagedStores(t *testing.T) {
	s, _, _ := molecule.GraphsAndFingerprints().ParseSMILES(context.Background(), []string{"CCO", "c1ccccc1N", "F/C=C/F"}, 1)
	d := &data.Dataset{Store: s, Tasks: []data.Task{{Name: "a", Rows: []int32{0, 1, 2}, Labels: []uint8{0, 1, 1}}}}
	file, key := filepath.Join(t.TempDir(), "x.graphs"), storeID{1}
	if err := writeStore(file, key, d); err != nil {
		t.Fatal(err)
	}
	type content struct {
		Atoms  [][]uint8
		Labels []uint8
		Names  string
	}
	flip.Check(t, file, func() (c content, err error) {
		d, err := readStore(file, key)
		if err != nil {
			return c, err
		}
		defer d.Close()
		for i := range d.Store.Len() {
			c.Atoms = append(c.Atoms, append([]uint8{}, d.Store.(*molecule.Store).Graph(i).Atoms...))
		}
		c.Labels, c.Names = d.Tasks[0].Labels, d.Tasks[0].Name
		return c, nil
	})
}

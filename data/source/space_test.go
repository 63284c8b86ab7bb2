package source

import (
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/rdkit"
)

// TestInSpace: molecules have the features and coordinates of their SMILES in order, and the bonds of
// their graphs, in a batch, from the store, and picked from a batch.
func TestInSpace(t *testing.T) {
	var want []rdkit.Conformer
	for _, smiles := range []string{"CCO", "c1ccccc1", "CC(=O)Oc1ccccc1C(=O)O", "C"} {
		c, err := rdkit.Conform(t.Context(), smiles)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, c)
	}
	var graphs, _, _ = molecule.ParseSMILES(t.Context(), counted, 1)
	check := func(what string, s molecule.List, fingerprints bool) {
		t.Helper()
		rows := []int32{3, 1, 2}
		b, err := data.AssembleQueries(s, rows)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := data.AssembleQueries(graphs, rows)
		if err != nil {
			t.Fatal(err)
		}
		var features, places []float32
		for _, row := range rows {
			for _, bits := range want[row].Atoms {
				for i := range rdkit.ConformerFeatures {
					features = append(features, float32(bits>>i&1))
				}
			}
			places = append(places, want[row].Places...)
		}
		if !slices.Equal(b.Floats(molecule.Features), features) || !slices.Equal(b.Floats(molecule.Places), places) || len(b.Atoms) != 0 {
			t.Errorf("%s: a batch has other features than its molecules", what)
		}
		if !slices.Equal(b.RowPtr, plain.RowPtr) || !slices.Equal(b.Col, plain.Col) || !slices.Equal(b.MolPtr, plain.MolPtr) {
			t.Errorf("%s: other bonds than those of the graphs", what)
		}
		if got := b.Fingerprints.Len() > 0; got != fingerprints {
			t.Errorf("%s: fingerprints are there: %v", what, got)
		}
		one := b.PickQueries([]int32{1})
		if !slices.Equal(one.Floats(molecule.Places), want[1].Places) || len(one.Floats(molecule.Features)) != 6*rdkit.ConformerFeatures {
			t.Errorf("%s: benzene, picked from the batch, has other places", what)
		}
	}
	for _, fingerprints := range []bool{false, true} {
		form := molecule.InSpace(fingerprints)
		m, index, errs := form.ParseSMILES(t.Context(), counted, 2)
		if !slices.Equal(index, []int32{0, 1, -1, 2, 3}) || errs[2] == nil {
			t.Fatalf("rows %v, errors %v", index, errs)
		}
		s := m.(*molecule.Store)
		check(form.Name, s, fingerprints)
		file := t.TempDir() + "/store"
		d := &data.Dataset{Store: s, Tasks: []data.Task{{Name: "T", Rows: []int32{0, 3}, Labels: []uint8{1, 0}}}}
		if err := writeStore(file, storeID{1}, d); err != nil {
			t.Fatal(err)
		}
		stored, err := readStore(file, storeID{1})
		if err != nil {
			t.Fatal(err)
		}
		check(form.Name+", stored", stored.Store, fingerprints)
		if err := stored.Close(); err != nil {
			t.Error(err)
		}
	}
	if molecule.InSpace(true).Name == molecule.InSpace(false).Name || !strings.HasPrefix(molecule.InSpace(true).Name, molecule.InSpace(false).Name) {
		t.Error("the two Featurizers share one store")
	}
}

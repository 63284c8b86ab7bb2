package source

import (
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/rdkit"
)

// TestMiniMol: atoms have the bytes of [rdkit.MiniMol] as bits, and bonds its codes, in a batch, from
// the store, and picked from a batch. Bonds join its atoms.
func TestMiniMol(t *testing.T) {
	var want []rdkit.MiniMol
	rdkit.AllMiniMol([]string{"CCO", "c1ccccc1", "CC(=O)Oc1ccccc1C(=O)O", "C"}, func(i int, m rdkit.MiniMol, err error) {
		if err != nil {
			t.Fatal(i, err)
		}
		want = append(want, m)
	})
	check := func(what string, s molecule.List) {
		t.Helper()
		rows := []int32{3, 1, 2}
		b, err := data.AssembleQueries(s, rows)
		if err != nil {
			t.Fatal(err)
		}
		var features []float32
		var codes, got []uint8
		for _, row := range rows {
			for _, value := range want[row].Atoms {
				for bit := range 8 {
					features = append(features, float32(value>>bit&1))
				}
			}
			codes = append(codes, want[row].Codes...)
		}
		for i := 0; i < len(b.Bond); i += 2 {
			got = append(got, b.Bond[i])
		}
		slices.Sort(got)
		codes = append(codes, codes...)
		slices.Sort(codes)
		if !slices.Equal(b.Floats(molecule.Features), features) || len(b.Atoms) != 0 || !slices.Equal(got, codes) {
			t.Errorf("%s: a batch has other features than its molecules", what)
		}
		var joined, bonds [][2]int32
		for m, row := range rows {
			first := b.MolPtr[m]
			for ends := want[row].Ends; len(ends) > 0; ends = ends[2:] {
				bonds = append(bonds, [2]int32{first + ends[0], first + ends[1]}, [2]int32{first + ends[1], first + ends[0]})
			}
		}
		for a := range len(b.RowPtr) - 1 {
			for _, from := range b.Col[b.RowPtr[a]:b.RowPtr[a+1]] {
				joined = append(joined, [2]int32{int32(a), from})
			}
		}
		ascending := func(b, c [2]int32) int { return slices.Compare(b[:], c[:]) }
		slices.SortFunc(joined, ascending)
		slices.SortFunc(bonds, ascending)
		if !slices.Equal(joined, bonds) {
			t.Errorf("%s: bonds %v, want %v", what, joined, bonds)
		}
		one := b.PickQueries([]int32{1})
		if len(one.Floats(molecule.Features)) != 6*molecule.MiniMolFeatures || len(one.Bond) != 24 || one.Bond[0] != want[1].Codes[0] {
			t.Errorf("%s: benzene, picked from the batch, has other features or bonds", what)
		}
	}
	for _, fingerprints := range []bool{false, true} {
		form := molecule.MiniMol(fingerprints)
		m, index, errs := form.ParseSMILES(t.Context(), counted, 2)
		if !slices.Equal(index, []int32{0, 1, -1, 2, 3}) || errs[2] == nil {
			t.Fatalf("rows %v, errors %v", index, errs)
		}
		check(form.Name, m)
		file := t.TempDir() + "/store"
		d := &data.Dataset{Store: m, Tasks: []data.Task{{Name: "T", Rows: []int32{0, 3}, Labels: []uint8{1, 0}}}}
		if err := writeStore(file, storeID{1}, d); err != nil {
			t.Fatal(err)
		}
		stored, err := readStore(file, storeID{1})
		if err != nil {
			t.Fatal(err)
		}
		check(form.Name+", stored", stored.Store)
		if err := stored.Close(); err != nil {
			t.Error(err)
		}
	}
}

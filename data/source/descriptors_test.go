package source

import (
	"context"
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/rdkit"
)

// TestDescribedForms: with every Featurizer, molecules have the descriptors of their SMILES in
// order, in a batch and from the store. Descriptors change nothing else.
func TestDescribedForms(t *testing.T) {
	var want []float32
	for _, smiles := range []string{"CCO", "c1ccccc1", "CC(=O)Oc1ccccc1C(=O)O", "C"} {
		values, err := rdkit.Descriptors(t.Context(), nil, smiles)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			want = append(want, float32(v))
		}
	}
	of := func(row int) []float32 { return want[row*molecule.DescriptorCount : (row+1)*molecule.DescriptorCount] }
	for _, form := range []molecule.Featurizer{{}, molecule.GraphsAndFingerprints(), molecule.FingerprintsOnly()} {
		m, index, errs := form.Described().ParseSMILES(t.Context(), counted, 2)
		if !slices.Equal(index, []int32{0, 1, -1, 2, 3}) || errs[2] == nil {
			t.Fatalf("rows %v, errors %v", index, errs)
		}
		s := m.(*molecule.Store)
		if got, ok := molecule.FloatsOf(s, molecule.Descriptors); !ok || !slices.Equal(got, want) {
			t.Errorf("form %q: %d values, %v; want those of the molecules", form.Name, len(got), ok)
		}
		b, err := data.Assemble(s, []data.Episode{{Support: []int32{3, 1}, SupportLabels: []uint8{0, 1}, Query: []int32{2}, Shots: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(b.Floats(molecule.Descriptors), slices.Concat(of(3), of(1), of(2))) {
			t.Errorf("form %q: a batch has other descriptors than its molecules", form.Name)
		}
		plain, _, _ := form.ParseSMILES(t.Context(), counted, 1)
		if _, ok := molecule.FloatsOf(plain, molecule.Descriptors); ok || plain.(*molecule.Store).Fingerprints().Len() != s.Fingerprints().Len() {
			t.Errorf("form %q: descriptors of molecules without, or other fingerprints beside them", form.Name)
		}
		d := &data.Dataset{Store: s, Tasks: []data.Task{{Name: "T", Rows: []int32{0, 3}, Labels: []uint8{1, 0}}}}
		file := t.TempDir() + "/store"
		if err := writeStore(file, storeID{1}, d); err != nil {
			t.Fatal(err)
		}
		stored, err := readStore(file, storeID{1})
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := molecule.FloatsOf(stored.Store, molecule.Descriptors); !ok || !slices.Equal(got, want) {
			t.Errorf("form %q: the store has other descriptors", form.Name)
		}
		if err := stored.Close(); err != nil {
			t.Error(err)
		}
	}
	if plain, described := molecule.FingerprintsOnly(), molecule.FingerprintsOnly().Described(); plain.Name == described.Name {
		t.Errorf("one name, %q, for stores with and without descriptors", plain.Name)
	}
}

// TestDescribeStops: after the context is done, nothing is computed.
func TestDescribeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := molecule.NewStore([]molecule.Graph{{RowPtr: []int32{0}}, {RowPtr: []int32{0}}})
	molecule.Describer.Fill(ctx, s, []string{"C", "CC"}, 1)
	for _, v := range s.Floats(molecule.Descriptors) {
		if !math.IsNaN(float64(v)) {
			t.Fatalf("a value of %v after the end", v)
		}
	}
}

// TestLargeDescriptors: a number out of the range of float32 stays finite, so that it can be
// ranked, such as Ipc of a dendrimer of some 250 atoms.
func TestLargeDescriptors(t *testing.T) {
	smiles := "C"
	for range 7 {
		smiles = "C(" + smiles + ")" + smiles
	}
	s := molecule.NewStore([]molecule.Graph{{RowPtr: []int32{0}}})
	molecule.Describer.Fill(t.Context(), s, []string{smiles}, 1)
	names, err := rdkit.DescriptorNames(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range s.Floats(molecule.Descriptors) {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			t.Errorf("%s of %d carbon atoms is %v", names[i], 255, v)
		}
	}
}

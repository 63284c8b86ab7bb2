package source

import (
	"reflect"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
)

var counted = []string{"CCO", "c1ccccc1", "not a molecule", "CC(=O)Oc1ccccc1C(=O)O", "C"}

// TestFingerprintForms: graphs do not depend on fingerprints, nor fingerprints on
// graphs, parsed or read from the store. A batch has the fingerprints of its molecules
// in order.
func TestFingerprintForms(t *testing.T) {
	parse := func(f molecule.Featurizer) *molecule.Store {
		m, index, _ := f.ParseSMILES(t.Context(), counted, 2)
		if !slices.Equal(index, []int32{0, 1, -1, 2, 3}) {
			t.Fatalf("rows %v", index)
		}
		return m.(*molecule.Store)
	}
	plain, both, alone := parse(molecule.Featurizer{}), parse(molecule.GraphsAndFingerprints()), parse(molecule.FingerprintsOnly())
	if !reflect.DeepEqual(both.Fingerprints(), alone.Fingerprints()) {
		t.Errorf("with graphs %v, without %v", both.Fingerprints(), alone.Fingerprints())
	}
	for i := range plain.Len() {
		if !reflect.DeepEqual(plain.Graph(i), both.Graph(i)) {
			t.Errorf("molecule %d has another graph where it has a fingerprint", i)
		}
		if alone.Atoms(i) != 0 || alone.Bonds(i) != 0 {
			t.Errorf("molecule %d has %d atoms, want none", i, alone.Atoms(i))
		}
	}
	for _, s := range []*molecule.Store{both, alone} {
		b, err := data.Assemble(s, []data.Episode{{Support: []int32{3, 1}, SupportLabels: []uint8{0, 1}, Query: []int32{2}, Shots: 1}})
		if err != nil {
			t.Fatal(err)
		}
		for at, row := range []int{3, 1, 2} {
			bit, count := b.Fingerprints.At(at)
			wantBit, wantCount := s.Fingerprints().At(row)
			if !slices.Equal(bit, wantBit) || !slices.Equal(count, wantCount) {
				t.Errorf("molecule %d of the batch: %v %v, want %v %v", at, bit, count, wantBit, wantCount)
			}
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
		for i := range s.Len() {
			bit, count := stored.Store.(*molecule.Store).Fingerprints().At(i)
			wantBit, wantCount := s.Fingerprints().At(i)
			if !slices.Equal(bit, wantBit) || !slices.Equal(count, wantCount) {
				t.Errorf("molecule %d from the store: %v %v, want %v %v", i, bit, count, wantBit, wantCount)
			}
		}
		if err := stored.Close(); err != nil {
			t.Error(err)
		}
	}
	if n := plain.Fingerprints().Len(); n != 0 {
		t.Errorf("%d fingerprints of molecules that have none", n)
	}
	if bit, count := both.Fingerprints().At(3); len(bit) != 1 || count[0] != 1 {
		t.Errorf("methane has the environments %v %v, want one", bit, count)
	}
}

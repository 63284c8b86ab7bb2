package source

import (
	"context"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
)

// lengths makes vectors of two numbers: the number of characters of a SMILES, and its square.
var lengths = &molecule.Maker{Name: "lengths 1", Field: molecule.Embeddings.Wide(2), Make: func(_ context.Context, smiles []string) (all []float32, err error) {
	for _, text := range smiles {
		if text == "N" {
			return nil, errors.New("the encoder fails")
		}
		all = append(all, float32(len(text)), float32(len(text)*len(text)))
	}
	return all, nil
}}

// TestEmbeddedForms: with every Featurizer, molecules have the vectors of their SMILES in order, in a batch, in
// a part of a batch, and in a store that is read back.
func TestEmbeddedForms(t *testing.T) {
	smiles := []string{"CCO", "c1ccccc1", "no molecule", "CCCCC"}
	want := []float32{3, 9, 8, 64, 5, 25}
	for _, form := range []molecule.Featurizer{{}, molecule.GraphsAndFingerprints(), molecule.FingerprintsOnly()} {
		m, index, _ := form.With(lengths).ParseSMILES(t.Context(), smiles, 2)
		if !slices.Equal(index, []int32{0, 1, -1, 2}) {
			t.Fatalf("rows %v", index)
		}
		d := &data.Dataset{Store: m, Tasks: []data.Task{{Name: "T", Rows: []int32{0, 2}, Labels: []uint8{1, 0}}}}
		file := t.TempDir() + "/store"
		if err := writeStore(file, storeID{1}, d); err != nil {
			t.Fatal(err)
		}
		stored, err := readStore(file, storeID{1})
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range map[string]molecule.List{"made": m, "stored": stored.Store} {
			b, err := data.Assemble(s, []data.Episode{{Support: []int32{2, 0}, SupportLabels: []uint8{0, 1}, Query: []int32{1}, Shots: 1}})
			if err != nil {
				t.Fatal(err)
			}
			if got := b.EmbeddingsOf([]int32{1, 2, 0}); !slices.Equal(got, want) {
				t.Errorf("form %q, %s: the vectors of a batch are %v, want %v", form.Name, name, got, want)
			}
			if got := b.PickQueries([]int32{2}).Floats(molecule.Embeddings); !slices.Equal(got, want[2:4]) {
				t.Errorf("form %q, %s: the vector of a part is %v, want %v", form.Name, name, got, want[2:4])
			}
		}
		if err := stored.Close(); err != nil {
			t.Error(err)
		}
		plain, _, _ := form.ParseSMILES(t.Context(), smiles, 1)
		b, err := data.AssembleQueries(plain, []int32{0})
		if err != nil || len(b.EmbeddingsOf([]int32{0})) > 0 {
			t.Errorf("form %q: vectors of molecules without (%v)", form.Name, err)
		}
	}
}

// TestEmbeddedStoreCut: a store with vectors of only some of its molecules is refused.
func TestEmbeddedStoreCut(t *testing.T) {
	m, _, _ := molecule.FingerprintsOnly().With(lengths).ParseSMILES(t.Context(), []string{"CCO", "CCN"}, 1)
	file := t.TempDir() + "/store"
	if err := writeStore(file, storeID{1}, &data.Dataset{Store: m}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	h, err := parseHeader(whole, storeID{1})
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{4, 8, 16} {
		rest := whole[headerSize+cut:]
		h.Sum = crc32.Checksum(rest, castagnoli)
		if _, err := parseStore(slices.Concat(h.bytes(), rest), storeID{1}); err == nil || !strings.Contains(err.Error(), "fewer than its arrays") {
			t.Errorf("a store that lacks %d bytes of its vectors: %v", cut, err)
		}
	}
}

// TestEmbedderFails: vectors are NaN if the encoder fails or is not called.
func TestEmbedderFails(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ctx := range map[string]context.Context{"it fails": t.Context(), "the context ended": ended} {
		m := new(molecule.Store)
		lengths.Fill(ctx, m, []string{"N"}, 1)
		if v := m.Floats(molecule.Embeddings); len(v) != 2 || !math.IsNaN(float64(v[0])) || !math.IsNaN(float64(v[1])) {
			t.Errorf("%s: the vector is %v", name, v)
		}
	}
}

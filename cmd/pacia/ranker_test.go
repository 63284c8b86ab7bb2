package main

import (
	"slices"
	"strings"
	"testing"

	"pacia/model"
)

// TestParseManyAtoms: a chunk of large molecules becomes several batches,
// which hold what can be read, in order, and are ready for the model.
func TestParseManyAtoms(t *testing.T) {
	c, err := model.ForPreset(model.Paper)
	if err != nil {
		t.Fatal(err)
	}
	c.Layers, c.Width, c.Relation.Width = 1, 4, 4
	m, err := model.New(c, 1, "cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Drop()
	var smiles []string
	var want, got []int32 // atoms of the molecules
	for i := range 500 {
		n := 60 + i%30
		smiles, want = append(smiles, strings.Repeat("C", n)), append(want, int32(n))
	}
	smiles[100] = "no molecule"
	want = slices.Delete(want, 100, 101)
	p := parse(m, smiles, 20)
	if p.err != nil || len(p.queries) < 2 {
		t.Fatalf("%d batches, error %v; want 2 batches or more", len(p.queries), p.err)
	}
	for _, b := range p.queries {
		for _, q := range b.QueryMol {
			got = append(got, b.MolPtr[q+1]-b.MolPtr[q])
		}
		if len(b.Levels) == 0 {
			t.Error("a batch is not prepared")
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("molecules of %v atoms, want %v", got, want)
	}
	for i, reason := range p.reasons {
		if (reason != nil) != (i == 100) {
			t.Errorf("row %d: %v", i, reason)
		}
	}
}

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/cmd/pacia/internal/ranking"
	"pacia/data/embedded"
	"pacia/model"
)

func smallModel(t testing.TB) *model.Model {
	t.Helper()
	c, err := model.ForPreset(model.Paper)
	if err != nil {
		t.Fatal(err)
	}
	c.Layers, c.Width, c.Relation.Width = 1, 4, 4
	m, err := model.New(c, 1, "cpu")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestParseManyAtoms: a chunk of large molecules becomes several batches,
// which hold what can be read, in order, and are ready for the model.
func TestParseManyAtoms(t *testing.T) {
	m := smallModel(t)
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

// BenchmarkCandidates times everything that predict does with candidates but
// the model: reading, parsing and assembling them, and writing them ranked.
func BenchmarkCandidates(b *testing.B) {
	dir := b.TempDir()
	candidates := filepath.Join(dir, "candidates.csv.gz")
	if err := os.WriteFile(candidates, embedded.CSV(), 0o600); err != nil {
		b.Fatal(err)
	}
	m := smallModel(b)
	defer m.Drop()
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			molecules := 0
			for b.Loop() {
				molecules += rankUnscored(b, m, candidates, filepath.Join(dir, "ranked.csv"), workers)
			}
			b.ReportMetric(float64(molecules)/b.Elapsed().Seconds(), "molecules/s")
		})
	}
}

// rankUnscored ranks all candidates as equally probable and returns how many
// there are.
func rankUnscored(b *testing.B, m *model.Model, candidates, out string, workers int) int {
	b.Helper()
	p := prediction{candidates: candidates, out: out, smiles: "smiles"}
	r, err := p.newRanker(io.Discard)
	if err != nil {
		b.Fatal(err)
	}
	defer r.close()
	err = ranking.Stream(r.table, workers, func(s []string) parsed { return parse(m, s, 20) }, func(c *ranking.Chunk[parsed]) error {
		for _, row := range c.Rows {
			if err := r.spill.Add(row.Fields, 0.5, 1); err != nil {
				return err
			}
		}
		return c.Result.err
	})
	if err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(out)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := r.spill.WriteRanked(f, r.table.Header); err != nil {
		b.Fatal(err)
	}
	return r.spill.Len()
}

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pacia/cmd/pacia/internal/ranking"
	"pacia/data/embedded"
)

// BenchmarkCandidates times everything that predict does with candidates but
// the model: reading, parsing and assembling them, and writing them ranked.
func BenchmarkCandidates(b *testing.B) {
	dir := b.TempDir()
	candidates := filepath.Join(dir, "candidates.csv.gz")
	if err := os.WriteFile(candidates, embedded.CSV(), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			molecules := 0
			for b.Loop() {
				molecules += rankUnscored(b, candidates, filepath.Join(dir, "ranked.csv"), workers)
			}
			b.ReportMetric(float64(molecules)/b.Elapsed().Seconds(), "molecules/s")
		})
	}
}

// rankUnscored ranks all candidates as equally probable and returns how many
// there are.
func rankUnscored(b *testing.B, candidates, out string, workers int) int {
	b.Helper()
	p := prediction{candidates: candidates, out: out, smiles: "smiles"}
	r, err := p.newRanker(io.Discard)
	if err != nil {
		b.Fatal(err)
	}
	defer r.close()
	err = ranking.Stream(r.table, workers, parse, func(c *ranking.Chunk[parsed]) error {
		for _, row := range c.Rows {
			if err := r.spill.Add(row.Fields, 0.5, 1); err != nil {
				return err
			}
		}
		return c.Parsed.err
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

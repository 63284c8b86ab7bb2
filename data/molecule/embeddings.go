package molecule

import (
	"context"
	"log/slog"
	"math"

	"pacia/data/workers"
)

// Embedder computes vectors of molecules with an encoder whose parameters are fixed.
type Embedder struct {
	Name  string // part of a Featurizer's name; changes with the vectors
	Width int    // W
	// Embed returns the vectors [n, W] of n molecules, NaN for a molecule that cannot be read. It computes on
	// the calling thread, and several goroutines may call it.
	Embed func(smiles []string) ([]float32, error)
}

// embeddable is implemented by a [List] that can hold vectors.
type embeddable interface {
	// Embed sets the vectors [n, W] of all molecules.
	Embed(vectors []float32)
}

// Embedded returns a Featurizer that also computes the vectors of e.
func (f Featurizer) Embedded(e *Embedder) Featurizer {
	d := f
	d.Name, d.Embedder = f.Name+", "+e.Name, e
	d.Parse = func(ctx context.Context, smiles []string, threads int) (List, []int32, []error) {
		m, index, errs := f.ParseSMILES(ctx, smiles, threads)
		Embed(ctx, m, e, parsed(smiles, index, m.Len()), threads)
		return m, index, errs
	}
	return d
}

func parsed(smiles []string, index []int32, n int) []string {
	kept := make([]string, 0, n)
	for i, row := range index {
		if row >= 0 {
			kept = append(kept, smiles[i])
		}
	}
	return kept
}

// Embed computes the vectors of all molecules of m from their SMILES, in the same order, over threads
// goroutines (0: one for each core). If the encoder fails, the error is logged and the vectors are NaN.
// After ctx is done, the remaining ones are NaN.
func Embed(ctx context.Context, m List, e *Embedder, smiles []string, threads int) {
	vectors := make([]float32, len(smiles)*e.Width)
	for i := range vectors {
		vectors[i] = float32(math.NaN())
	}
	workers.InChunks(ctx, "vectors", len(smiles), threads, func() func(int, int, int) {
		return func(_, first, end int) {
			if ctx.Err() != nil {
				return
			}
			made, err := e.Embed(smiles[first:end])
			if err != nil {
				slog.Warn("molecules without a vector", "encoder", e.Name, "molecules", end-first, "reason", err)
				return
			}
			copy(vectors[first*e.Width:], made)
		}
	})
	m.(embeddable).Embed(vectors)
}

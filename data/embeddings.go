package data

import (
	"context"
	"log/slog"
	"math"
)

// Embedder makes vectors of molecules by an encoder whose parameters stay as they are.
type Embedder struct {
	Name  string // part of a form's name; changes with the vectors
	Width int    // W
	// Embed returns the vectors [n, W] of n molecules, NaN where one cannot be read. It computes on the
	// calling thread; several goroutines may call it.
	Embed func(smiles []string) ([]float32, error)
}

// embeddable is Molecules that can keep vectors.
type embeddable interface {
	// Embed takes the vectors [n, W] of all molecules.
	Embed(vectors []float32)
}

// Embedded returns the form with the vectors of e beside what molecules have.
func (f Featurizer) Embedded(e *Embedder) Featurizer {
	d := f
	d.Name, d.Embedder = f.Name+", "+e.Name, e
	d.Parse = func(ctx context.Context, smiles []string, threads int) (Molecules, []int32, []error) {
		m, index, errs := f.ParseSMILES(ctx, smiles, threads)
		Embed(ctx, m, e, parsed(smiles, index, m.Len()), threads)
		return m, index, errs
	}
	return d
}

// EmbeddingsOf returns the vectors [m, W] of m molecules of the batch; nothing where they come without.
func (b *Batch) EmbeddingsOf(molecules []int32) (vectors []float32) {
	for _, m := range molecules {
		vectors = append(vectors, rowOf(b.Embeddings, int(m), len(b.MolPtr)-1)...)
	}
	return vectors
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

// Embed gives all molecules of m, whose SMILES are in their order, the vectors of e, over threads
// goroutines (0: one for each core). Once ctx is done, or where the encoder fails, which is logged,
// vectors are NaN.
func Embed(ctx context.Context, m Molecules, e *Embedder, smiles []string, threads int) {
	vectors := make([]float32, len(smiles)*e.Width)
	for i := range vectors {
		vectors[i] = float32(math.NaN())
	}
	InChunks(ctx, "vectors", len(smiles), threads, func() func(int, int, int) {
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

package screen

import (
	"cmp"
	"context"
	"slices"

	"pacia/data/rdkit"
	"pacia/evaluate"
	"pacia/metrics"
	"pacia/screen/ranking"
)

// Batch chooses n molecules to measure next, or as many as there are, of those that are not in the
// support set, by the largest [evaluate.UpperConfidence]. A molecule of several rows is chosen once.
// It sets the Spill's column of picks, and returns how many of the batch are expected to be active by
// the probabilities as shown; Rank has ended before.
func (r *Ranker) Batch(ctx context.Context, n int, explore float64, shown func(float32) float64) (metrics.ExpectedHits, error) {
	type candidate struct {
		number             int
		bound, probability float64
		molecule           string // its canonical SMILES
	}
	var best []candidate // the best so far, the best first
	err := r.Spill.Each(func(row ranking.Ranked) error {
		if row.Mark != 0 || explore == 0 && len(best) == n {
			return nil
		}
		c := candidate{number: row.Number, probability: shown(row.Probability)}
		c.bound = evaluate.UpperConfidence(row.Probability, row.Uncertainty, explore)
		at, _ := slices.BinarySearchFunc(best, c, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.bound, a.bound), -1) // after equal ones
		})
		if at >= n {
			return nil
		}
		smiles, err := r.Table.Parsed(ctx, row)
		if err == nil {
			c.molecule, err = rdkit.Canonical(ctx, smiles)
		}
		if err != nil || slices.ContainsFunc(best, func(b candidate) bool { return b.molecule == c.molecule }) {
			return err
		}
		best = slices.Insert(best, at, c)
		best = best[:min(n, len(best))]
		return nil
	})
	r.Spill.Picked = make(map[int]int, len(best))
	probabilities := make([]float64, len(best))
	for i, c := range best {
		r.Spill.Picked[c.number], probabilities[i] = i+1, c.probability
	}
	return metrics.ExpectHits(probabilities), err
}

package screen

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pacia/data/rdkit"
	"pacia/evaluate"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/screen/ranking"
)

// Batch chooses the n molecules with the largest [evaluate.UpperConfidence], or all if there are fewer,
// to be measured next. Molecules of the support set are excluded. A molecule of several rows is chosen once.
// Batch sets the Spill's column of picks, and returns the number of actives expected in the batch by
// the probabilities as shown. If shown is nil, as probabilities are not calibrated, it returns only the
// number of molecules. It must be called after Rank.
func (r *Ranker) Batch(ctx context.Context, n int, explore float64, shown func(float32) float64) (metrics.ExpectedHits, error) {
	type candidate struct {
		number             int
		bound, probability float64
		molecule           string // its canonical SMILES
	}
	var best []candidate // the best so far, in descending order
	r.measured = 0
	err := r.Spill.Each(func(row ranking.Ranked) error {
		if row.Mark != 0 {
			r.measured++
		}
		if row.Mark != 0 || explore == 0 && len(best) == n {
			return nil
		}
		c := candidate{number: row.Number}
		if shown != nil {
			c.probability = shown(row.Probability)
		}
		c.bound = evaluate.UpperConfidence(row.Probability, row.LogOdds, row.Uncertainty, explore)
		at, _ := slices.BinarySearchFunc(best, c, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.bound, a.bound), -1) // after equal ones
		})
		if at >= n {
			return nil
		}
		smiles, err := r.Table.Molecule(ctx, &row)
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
	if shown == nil {
		return metrics.ExpectedHits{First: len(best)}, err
	}
	return metrics.ExpectHits(probabilities), err
}

// Lack states why Batch chose fewer than n molecules. It is empty if it did not.
func (r *Ranker) Lack(n int) string {
	chosen := len(r.Spill.Picked)
	if chosen >= n {
		return ""
	}
	rows := r.Spill.Len() + r.Invalid.Len() + r.LeftOut
	text := fmt.Sprintf("%s were asked for; of %s", ui.Grouped(n), ui.Count(rows, "row"))
	for _, one := range []struct {
		n   int
		why string
	}{
		{r.measured, "measured before"}, {r.LeftOut, "left out by filters"}, {r.Invalid.Len(), "unreadable"},
		{r.Spill.Len() - r.measured - chosen, "repeated"},
	} {
		if one.n > 0 {
			text += fmt.Sprintf(", %s %s", ui.Grouped(one.n), one.why)
		}
	}
	return text + fmt.Sprintf(": %s can be measured", ui.Grouped(chosen))
}

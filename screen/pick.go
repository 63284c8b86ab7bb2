package screen

import (
	"context"
	"errors"

	"pacia/data/molecule"
	"pacia/data/rdkit"
	"pacia/screen/ranking"
)

// MostPicks is the maximum number of molecules that [Ranker.Pick] picks. They are picked from up to ten times as many.
const MostPicks = maxPool / 10

// pool returns the number of first ranks from which n molecules are picked: 10·n or 500, whichever is larger,
// but at most a quarter of the library, so that all of them rank high. It is never less than n.
func pool(n, library int) int { return max(n, min(max(10*n, 500), library/4)) }

// Pick picks n dissimilar molecules among the first ranks, or fewer if there are not enough. The first pick is
// the best molecule; each further one is the molecule least similar to its most similar pick
// (maxMin). Molecules of the support set, which were measured before, are skipped. Pick
// sets the Spill's column of picks and Pool. It must be called after Rank.
func (r *Ranker) Pick(ctx context.Context, n int) error {
	var numbers []int
	var smiles []string
	err := r.Spill.Each(func(row ranking.Ranked) error {
		if len(numbers) == pool(n, r.Spill.Len()) {
			return ranking.ErrEnough
		}
		r.Pool = row.Rank
		if row.Mark != 0 {
			return nil
		}
		text, err := r.Table.Molecule(ctx, &row)
		if err == nil {
			numbers, smiles = append(numbers, row.Number), append(smiles, text)
		}
		return err
	})
	if err != nil {
		return err
	}
	prints, rows, errs := molecule.FingerprintsOnly().ParseSMILES(ctx, smiles, 0)
	if err := errors.Join(errs...); err != nil {
		return err // impossible: the molecules were read before
	}
	f, _ := molecule.FingerprintsOf(prints)
	counts := make([]rdkit.Counts, len(rows))
	for i, at := range rows {
		counts[i].Bit, counts[i].Count = f.At(int(at))
	}
	picks, err := maxMin(counts, n)
	if err != nil {
		return err
	}
	r.Spill.Picked = make(map[int]int, len(picks))
	for place, at := range picks {
		r.Spill.Picked[numbers[at]] = place + 1
	}
	return nil
}

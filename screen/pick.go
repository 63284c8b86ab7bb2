package screen

import (
	"context"
	"errors"

	"pacia/data"
	"pacia/data/rdkit"
	"pacia/screen/ranking"
)

// MostPicks is how many molecules [Ranker.Pick] picks at most: ten times as many are what
// RDKit picks from.
const MostPicks = rdkit.MaxPool / 10

// pool is how many of the first ranks n picks are from: ten for each, or 500, and yet no more
// than a quarter of the library, which would not be the best of it.
func pool(n, library int) int { return max(n, min(max(10*n, 500), library/4)) }

// Pick picks n molecules, or as many as there are, that are unlike each other among the
// first ranks: the best, then always the one whose most similar pick is least similar to it
// ([rdkit.MaxMin]). Those of the support set, which have been measured, are passed over. It
// sets the Spill's column of picks and Pool; Rank has ended before.
func (r *Ranker) Pick(ctx context.Context, n int) error {
	var numbers []int
	var smiles []string
	err := r.Spill.Each(func(row ranking.Ranked) error {
		if len(numbers) == pool(n, r.Spill.Len()) {
			return errEnough
		}
		r.Pool = row.Rank
		if row.Mark != 0 {
			return nil
		}
		text, err := r.Table.Parsed(ctx, row)
		if err == nil {
			numbers, smiles = append(numbers, row.Number), append(smiles, text)
		}
		return err
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	prints, rows, errs := data.FingerprintsOnly().ParseSMILES(ctx, smiles, 0)
	if err := errors.Join(errs...); err != nil {
		return err // which have been read before
	}
	f, _ := data.FingerprintsOf(prints)
	counts := make([]rdkit.Counts, len(rows))
	for i, at := range rows {
		counts[i].Bit, counts[i].Count = f.Of(int(at))
	}
	picks, err := rdkit.MaxMin(counts, n)
	if err != nil {
		return err
	}
	r.Spill.Picked = make(map[int]int, len(picks))
	for place, at := range picks {
		r.Spill.Picked[numbers[at]] = place + 1
	}
	return nil
}

var errEnough = errors.New("there are enough rows")

package screen

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"pacia/evaluate"
	"pacia/screen/ranking"
	"pacia/screen/why"
)

// explained is the number of molecules that are explained in one batch.
const explained = 25

// explain finds the reasons for the scores of the first molecules. Each molecule is explained as it was scored
// last, with or without vectors of a pretrained encoder.
func (r *Ranker) explain(ctx context.Context, scorer *evaluate.Scorer, threads int) error {
	if r.options.Reasons == 0 {
		return nil
	}
	rows, err := r.first(ctx, r.options.Reasons)
	if err != nil {
		return err
	}
	with, without := rows, []candidate(nil)
	if r.bare {
		with = slices.DeleteFunc(slices.Clone(rows), func(c candidate) bool { return !r.again[c.number] })
		without = slices.DeleteFunc(rows, func(c candidate) bool { return r.again[c.number] })
	}
	builder := why.NewBuilder(r.Support.SMILES, r.Support.Names, r.Support.Labels, r.Tasks)
	all := make(map[int]*why.Reasons, len(rows))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(threads)
	for i, list := range [][]candidate{with, without} {
		for chunk := range slices.Chunk(list, explained) {
			group.Go(func() error {
				reasons, err := reasonsOf(ctx, scorer, builder, chunk, i == 1)
				mu.Lock()
				defer mu.Unlock()
				for k, one := range reasons {
					all[chunk[k].number] = one
				}
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	r.State(all)
	return nil
}

// State sets the reasons of rows, by the rows' numbers, and adds their columns to the ranked table. It does
// nothing if there are no reasons.
func (r *Ranker) State(all map[int]*why.Reasons) {
	if len(all) == 0 {
		return
	}
	r.Reasons = all
	cells := func(row ranking.Ranked) []string { return all[row.Number].Cells() }
	r.Spill.Extra = append(r.Spill.Extra, ranking.Extra{Names: why.Columns, Cells: cells})
}

// reasonsOf returns the reasons of rows whose molecules could be read before; bare: without vectors of a
// pretrained encoder.
func reasonsOf(ctx context.Context, scorer *evaluate.Scorer, b *why.Builder, rows []candidate, bare bool) ([]*why.Reasons, error) {
	molecules, index, err := parsedAgain(ctx, scorer, rows, bare)
	if err != nil {
		return nil, err
	}
	all, err := scorer.Explain(molecules, index)
	if err != nil {
		return nil, err
	}
	reasons := make([]*why.Reasons, len(rows))
	for i := range reasons {
		if reasons[i], err = b.Of(ctx, rows[i].smiles, &all[i]); err != nil {
			return nil, err
		}
	}
	return reasons, nil
}

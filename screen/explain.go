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

// explained is how many molecules are taken apart together.
const explained = 25

// explain states the reasons for the first molecules, as they were scored last: with vectors of a
// pretrained encoder or without.
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
	teller := &why.Teller{SMILES: r.Support.SMILES, Names: r.Support.Names, Labels: r.Support.Labels, Tasks: r.Tasks}
	all := make(map[int]*why.Reasons, len(rows))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(threads)
	for i, list := range [][]candidate{with, without} {
		for chunk := range slices.Chunk(list, explained) {
			group.Go(func() error {
				stated, err := reasonsOf(ctx, scorer, teller, chunk, i == 1)
				mu.Lock()
				defer mu.Unlock()
				for k, one := range stated {
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

// State gives rows, by their numbers, their reasons, and the ranked table the columns for them; of none,
// nothing.
func (r *Ranker) State(all map[int]*why.Reasons) {
	if len(all) == 0 {
		return
	}
	r.Reasons = all
	cells := func(row ranking.Ranked) []string { return all[row.Number].Cells() }
	r.Spill.Extra = append(r.Spill.Extra, ranking.Extra{Names: why.Columns, Cells: cells})
}

// reasonsOf are those of rows that could be read before.
func reasonsOf(ctx context.Context, scorer *evaluate.Scorer, teller *why.Teller, rows []candidate, bare bool) ([]*why.Reasons, error) {
	molecules, index, err := parsedAgain(ctx, scorer, rows, bare)
	if err != nil {
		return nil, err
	}
	all, err := scorer.Explain(molecules, index)
	if err != nil {
		return nil, err
	}
	stated := make([]*why.Reasons, len(rows))
	for i := range stated {
		if stated[i], err = teller.Of(ctx, rows[i].smiles, &all[i]); err != nil {
			return nil, err
		}
	}
	return stated, nil
}

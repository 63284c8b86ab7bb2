package screen

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"pacia/data/molecule"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/model"
	"pacia/screen/ranking"
	"pacia/screen/request"
)

// A model that compares vectors of a pretrained encoder ranks a library in two passes: all molecules without
// vectors, and then the first ones again with them. One vector takes the time of scoring fifty molecules
// without vectors.

// Usual as Options.Refine stands for two fifths of the ranked molecules, at least 2,000 and at most
// MostRefined. On validation assays of FS-Mol, the first tenth then contains as many actives as when all
// molecules are scored again (docs/lab/screening.md).
const Usual = request.Usual

// MostRefined is the upper limit of Usual, in molecules: 15 s on two cores.
const MostRefined = 10_000

// refines reports whether the first pass of the models is without vectors.
func (r *Ranker) refines(members []*model.Model) bool {
	return r.options.Refine != 0 && evaluate.Refinable(members)
}

// toRefine returns the number of molecules, of n, that are scored again.
func (o Options) toRefine(n int) int {
	if o.Refine == Usual {
		return min(max(n*2/5, 2_000), MostRefined)
	}
	return o.Refine
}

// candidate is a row to be scored again.
type candidate struct {
	number int
	smiles string
}

// refine scores the first molecules again with vectors, and sorts the rows by the new probabilities. Rows with one SMILES
// are scored once, so that they have one probability.
func (r *Ranker) refine(ctx context.Context, scorer *evaluate.Scorer, threads int) error {
	rows, err := r.firstWithTies(ctx, r.options.toRefine(r.Spill.Len()))
	if err != nil {
		return err
	}
	of := make(map[string]ranking.Score, len(rows))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(threads)
	for chunk := range slices.Chunk(unique(rows), scorer.Batch()) {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			again, err := r.scoredAgain(ctx, scorer, chunk)
			mu.Lock()
			defer mu.Unlock()
			for i, score := range again {
				of[chunk[i].smiles] = score
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	scores := make(map[int]ranking.Score, len(rows))
	r.again = make(map[int]bool, len(rows))
	for _, c := range rows {
		scores[c.number], r.again[c.number] = of[c.smiles], true
	}
	r.Refined = len(scores)
	r.Spill, err = r.Spill.Rescored(scores)
	return err
}

// unique returns the first row of each SMILES.
func unique(rows []candidate) (all []candidate) {
	met := make(map[string]bool, len(rows))
	for _, c := range rows {
		if !met[c.smiles] {
			met[c.smiles], all = true, append(all, c)
		}
	}
	return all
}

// first returns the rows at the first n ranks.
func (r *Ranker) first(ctx context.Context, n int) ([]candidate, error) {
	return r.until(ctx, func(row, _ ranking.Ranked) bool { return row.Rank > n })
}

// firstWithTies returns the rows at the first n ranks, and those with the same score as the last of them: equal molecules
// are all among them, or none.
func (r *Ranker) firstWithTies(ctx context.Context, n int) ([]candidate, error) {
	return r.until(ctx, func(row, before ranking.Ranked) bool { return row.Rank > n && !row.Ties(before.Score) })
}

// until returns the rows before the first one that is beyond, given the row before it.
func (r *Ranker) until(ctx context.Context, beyond func(row, before ranking.Ranked) bool) (rows []candidate, err error) {
	var before ranking.Ranked
	err = r.Spill.Each(func(row ranking.Ranked) error {
		if beyond(row, before) {
			return ranking.ErrEnough
		}
		smiles, err := r.Table.Molecule(ctx, &row)
		rows, before = append(rows, candidate{row.Number, smiles}), row
		return err
	})
	return rows, err
}

// parsedAgain parses the molecules of rows again, and returns the SMILES that it reads; bare: without vectors of a
// pretrained encoder.
func parsedAgain(
	ctx context.Context, scorer *evaluate.Scorer, rows []candidate, bare bool,
) (molecules molecule.List, index []int32, drawn []string, err error) {
	smiles := each.Of(rows, func(c candidate) string { return c.smiles })
	parse := scorer.Parse
	if bare {
		parse = scorer.ParseBare
	}
	drawn, _ = scorer.Drawings(ctx, smiles)
	molecules, index, errs := parse(ctx, drawn, 1)
	return molecules, index, drawn, errors.Join(errs...)
}

// scoredAgain returns the scores of rows with vectors.
func (r *Ranker) scoredAgain(ctx context.Context, scorer *evaluate.Scorer, rows []candidate) ([]ranking.Score, error) {
	molecules, index, _, err := parsedAgain(ctx, scorer, rows, false)
	if err != nil {
		return nil, err
	}
	all, err := scorer.ScoreAll(molecules, index)
	if err != nil {
		return nil, err
	}
	against, err := r.scoreAgainst(molecules, index)
	if err != nil {
		return nil, err
	}
	scores := make([]ranking.Score, len(rows))
	for i := range scores {
		scores[i] = scoreOf(all, against, i)
	}
	return scores, nil
}

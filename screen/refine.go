package screen

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/model"
	"pacia/screen/ranking"
)

// A model that compares vectors of a pretrained encoder ranks a library in two passes: all molecules without
// vectors, and then the first ones again with them. One vector takes the time of scoring fifty molecules
// without vectors.

// Usual as Options.Refine stands for two fifths of the ranked molecules, at least 2,000 and at most
// MostRefined. On validation assays of FS-Mol, the first tenth then contains as many actives as when all
// molecules are scored again (docs/lab/screening.md).
const Usual = -1

// MostRefined is the upper limit of Usual, in molecules: 15 s on two cores.
const MostRefined = 10_000

// refines reports whether the first pass of the model is without vectors.
func (r *Ranker) refines(m *model.Model) bool { return r.options.Refine != 0 && m.Config().Embeds() }

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

// refine scores the first molecules again with vectors, and sorts the rows by the new probabilities.
func (r *Ranker) refine(ctx context.Context, scorer *evaluate.Scorer, threads int) error {
	rows, err := r.first(ctx, r.options.toRefine(r.Spill.Len()))
	if err != nil {
		return err
	}
	scores := make(map[int]ranking.Score, len(rows))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(threads)
	for chunk := range slices.Chunk(rows, scorer.Batch()) {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			again, err := r.scoredAgain(ctx, scorer, chunk)
			mu.Lock()
			defer mu.Unlock()
			for i, score := range again {
				scores[chunk[i].number] = score
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	r.Refined, r.again = len(scores), make(map[int]bool, len(scores))
	for number := range scores {
		r.again[number] = true
	}
	r.Spill, err = r.Spill.Rescored(scores)
	return err
}

func (r *Ranker) first(ctx context.Context, n int) (rows []candidate, err error) {
	err = r.Spill.Each(func(row ranking.Ranked) error {
		if row.Rank > n {
			return errEnough
		}
		smiles, err := r.Table.Parsed(ctx, row)
		rows = append(rows, candidate{row.Number, smiles})
		return err
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return rows, err
}

// parsedAgain parses the molecules of rows again, and returns the SMILES that it reads; bare: without vectors of a
// pretrained encoder.
func parsedAgain(
	ctx context.Context, scorer *evaluate.Scorer, rows []candidate, bare bool,
) (molecules data.Molecules, index []int32, drawn []string, err error) {
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
		scores[i] = scoreOf(&all, against, i)
	}
	return scores, nil
}

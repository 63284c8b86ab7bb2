package screen

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/model"
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
	support, _ := scorer.Drawings(ctx, r.Support.SMILES)
	e := explainer{
		scorer: scorer, builder: why.NewBuilder(support, r.Support.Names, r.Support.Labels, r.Tasks, shift(r.Support, r.options.Prior)).WithPast(r.pastNames),
		threads: threads, all: make(map[int]*why.Reasons, len(rows)),
	}
	for i, list := range [][]candidate{with, without} {
		if err := e.explain(ctx, list, i == 1); err != nil {
			return err
		}
	}
	r.State(e.all)
	return nil
}

// An explainer finds the reasons for the scores of rows.
type explainer struct {
	scorer  *evaluate.Scorer
	builder *why.Builder
	threads int

	mu  sync.Mutex
	all map[int]*why.Reasons // by the numbers of rows
}

// explain finds the reasons of rows; bare: without vectors of a pretrained encoder. The support molecules beside
// which the rows are shown are explained like rows.
func (e *explainer) explain(ctx context.Context, rows []candidate, bare bool) error {
	beside := map[int]*model.Explanation{} // by the indices of support molecules
	err := e.chunks(ctx, len(rows), func(ctx context.Context, from, to int) error {
		explained, drawn, err := e.explanations(ctx, rows[from:to], bare)
		if err != nil {
			return err
		}
		for i, row := range rows[from:to] {
			reasons, err := e.builder.Reasons(ctx, drawn[i], &explained[i])
			if err != nil {
				return err
			}
			e.mu.Lock()
			e.all[row.number] = reasons
			for _, index := range reasons.References() {
				beside[index] = nil
			}
			e.mu.Unlock()
		}
		return nil
	})
	if err != nil {
		return err
	}
	indices := slices.Sorted(maps.Keys(beside))
	support := each.Of(indices, func(i int) candidate { return candidate{smiles: e.builder.SMILES(i)} })
	err = e.chunks(ctx, len(support), func(ctx context.Context, from, to int) error {
		explained, _, err := e.explanations(ctx, support[from:to], bare)
		e.mu.Lock()
		defer e.mu.Unlock()
		for i := range explained {
			beside[indices[from+i]] = &explained[i]
		}
		return err
	})
	if err != nil {
		return err
	}
	return e.chunks(ctx, len(rows), func(ctx context.Context, from, to int) error {
		for _, row := range rows[from:to] {
			e.mu.Lock()
			reasons := e.all[row.number]
			e.mu.Unlock()
			if err := e.builder.Contrast(ctx, reasons, func(i int) *model.Explanation { return beside[i] }); err != nil {
				return err
			}
		}
		return nil
	})
}

// chunks calls work for parts of n rows, on several threads.
func (e *explainer) chunks(ctx context.Context, n int, work func(ctx context.Context, from, to int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(e.threads)
	for from := 0; from < n; from += explained {
		group.Go(func() error { return work(ctx, from, min(from+explained, n)) })
	}
	return group.Wait()
}

// explanations explains molecules that could be read before. It also returns their SMILES as the model reads them.
func (e *explainer) explanations(ctx context.Context, rows []candidate, bare bool) (all []model.Explanation, drawn []string, err error) {
	molecules, index, drawn, err := parsedAgain(ctx, e.scorer, rows, bare)
	if err != nil {
		return nil, nil, err
	}
	all, err = e.scorer.Explain(molecules, index)
	return all, drawn, err
}

// State sets the reasons of rows, by the rows' numbers, and adds their columns to the ranked table. It does
// nothing if there are no reasons.
func (r *Ranker) State(all map[int]*why.Reasons) {
	if len(all) == 0 {
		return
	}
	r.Reasons = all
	for i, column := range why.Columns {
		c := ranking.Column{Name: column.Name, Cell: func(to []byte, _ *ranking.View, row *ranking.Ranked) []byte {
			if reasons := all[row.Number]; reasons != nil {
				to = append(to, column.Cell(reasons)...)
			}
			return to
		}}
		if i == 0 {
			c.Member, c.Value = "reasons", func(_ *ranking.View, row *ranking.Ranked) any {
				if reasons := all[row.Number]; reasons != nil {
					return reasons
				}
				return nil
			}
		}
		r.Spill.Extra = append(r.Spill.Extra, c)
	}
}

package measured

import (
	"cmp"
	"context"
	"slices"

	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/model"
)

// Campaign defines a series of rounds. In each round a model chooses the molecules to measure next.
type Campaign struct {
	Seed    uint32 // of draw 0
	Draws   int    // of each assay
	Start   int    // support molecules of the first round
	Rounds  int
	Batch   int     // molecules of a round
	Explore float64 // weight of the uncertainty, as in pacia next
}

// Found holds how many actives the rounds found in an assay, as means over draws.
type Found struct {
	Task   string    `json:"task"`
	Known  float64   `json:"known"`
	Hits   []float64 `json:"hits"`   // after each round, without those of the start
	Chance []float64 `json:"chance"` // expected for molecules chosen at random
}

// Run simulates the rounds on each assay in which they measure at most two thirds of the molecules, and
// calls each with the result. It leaves out assays without a draw. It must be called from within ops.Pinned.
func (c Campaign) Run(ctx context.Context, m *model.Model, a *Assays, each func(Found) error) error {
	limit := new(evaluate.QueryLimit)
	for at := range a.Tasks {
		t := &a.Tasks[at]
		if 3*(c.Start+c.Rounds*c.Batch) > 2*len(t.Rows) {
			continue
		}
		f := Found{Task: t.Name, Known: a.Known[at], Hits: make([]float64, c.Rounds), Chance: make([]float64, c.Rounds)}
		drawn, err := evaluate.Draws(c.Draws, a.drawing(at, c.Start, c.Seed), func(_ int, ep data.Episode) error {
			ep.SupportValues = nil
			share := 0.0
			for _, label := range ep.QueryLabels {
				share += float64(label) / float64(len(ep.QueryLabels))
			}
			hits, err := c.rounds(ctx, m, a, ep, limit)
			for r, n := range hits {
				f.Hits[r] += float64(n)
				f.Chance[r] += share * float64((r+1)*c.Batch)
			}
			return err
		})
		if err != nil {
			return err
		}
		if drawn == 0 {
			continue
		}
		for r := range f.Hits {
			f.Hits[r], f.Chance[r] = f.Hits[r]/float64(drawn), f.Chance[r]/float64(drawn)
		}
		if err := each(f); err != nil {
			return err
		}
	}
	return nil
}

// rounds returns the total number of actives found after each round.
func (c Campaign) rounds(
	ctx context.Context, m *model.Model, a *Assays, ep data.Episode, limit *evaluate.QueryLimit,
) (hits []int, err error) {
	found := 0
	for range c.Rounds {
		bounds, err := c.bounds(ctx, m, a, ep, limit)
		if err != nil {
			return nil, err
		}
		order := each.Order[int](len(bounds))
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(bounds[j], bounds[i]) })
		rows, labels := slices.Clone(ep.Support), slices.Clone(ep.SupportLabels)
		chosen := make([]bool, len(order))
		for _, i := range order[:c.Batch] {
			rows, labels = append(rows, ep.Query[i]), append(labels, ep.QueryLabels[i])
			found += int(ep.QueryLabels[i])
			chosen[i] = true
		}
		hits = append(hits, found)
		next, err := data.NewSupport(rows, labels)
		if err != nil {
			return nil, err
		}
		for i, row := range ep.Query {
			if !chosen[i] {
				next.Query, next.QueryLabels = append(next.Query, row), append(next.QueryLabels, ep.QueryLabels[i])
			}
		}
		ep = next
	}
	return hits, nil
}

// bounds returns the upper confidence bound of each query: its log-odds plus Explore times its uncertainty.
func (c Campaign) bounds(
	ctx context.Context, m *model.Model, a *Assays, ep data.Episode, limit *evaluate.QueryLimit,
) ([]float64, error) {
	all, err := evaluate.ScoreEpisode(ctx, evaluate.AdapterOf(m), a.Molecules, ep, limit, c.Explore > 0)
	if err != nil {
		return nil, err
	}
	return each.Of(all, func(s model.Score) float64 {
		return evaluate.UpperConfidence(s.Probability, s.LogOdds, s.Uncertainty, c.Explore)
	}), nil
}

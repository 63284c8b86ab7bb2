package evaluate

import (
	"cmp"
	"context"
	"slices"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/model"
	"pacia/ops"
)

// Ranking holds a model's scores of the queries of an episode, from the
// smallest molecule to the largest.
type Ranking struct {
	Rows   []int32   // of the store
	Labels []uint8   // as measured
	Scores []float32 // P(active)
	Order  []float64 // see [Order]
	Depths []int32   // of the relation graph, 1 to L_rel
}

// RankEpisode adapts to the support set of an episode and ranks its queries. It
// must be called from within ops.Pinned.
func RankEpisode(ctx context.Context, adapt Adapter, s molecule.List, ep data.Episode, limit *QueryLimit) (r Ranking, err error) {
	for _, at := range BySize(s, ep.Query) {
		r.Rows, r.Labels = append(r.Rows, ep.Query[at]), append(r.Labels, ep.QueryLabels[at])
	}
	ep.Query, ep.QueryLabels = r.Rows, r.Labels
	all, err := ScoreEpisode(ctx, adapt, s, ep, limit, false)
	r.Scores, r.Order, r.Depths = all.Probabilities(), Order(all), all.Depths()
	return r, err
}

// Rank returns P(active) of rows of a store, and the depths that were used. It
// must be called from within ops.Pinned.
func Rank(ctx context.Context, a Adapted, l *QueryLimit, s molecule.List, rows []int32) ([]float32, []int32, error) {
	all, err := rankAll(ctx, a, l, s, rows)
	return all.Probabilities(), all.Depths(), err
}

// rankAll is like Rank but returns all outputs of the model.
func rankAll(ctx context.Context, a Adapted, l *QueryLimit, s molecule.List, rows []int32) (model.Scored, error) {
	batches := model.SharedBatches(s, rows, a.Support(), a.Device())
	scores := make([]model.Scored, len(batches))
	err := ops.Share(ctx, a.Device(), len(batches), func(i int) error {
		i = len(batches) - 1 - i // the largest molecules first, so that threads end at about the same time
		var err error
		scores[i], err = score(a, l, s, batches[i])
		if err == nil {
			count(ctx, len(batches[i]))
		}
		return err
	})
	return slices.Concat(scores...), err
}

// BySize returns the positions in rows from the smallest molecule to the largest.
// Molecules of a batch are then of similar size and share more atom environments.
func BySize(s molecule.List, rows []int32) []int32 {
	order := make([]int32, len(rows))
	atoms := make([]int, len(rows))
	for i, row := range rows {
		order[i], atoms[i] = int32(i), s.Atoms(int(row))
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(atoms[a], atoms[b]) })
	return order
}

package evaluate

import (
	"context"
	"fmt"

	"pacia/data"
	"pacia/metrics"
)

// Grade returns a model's scores of the queries of each task (numbers of ds.Tasks), for
// calibration. A score is the log-odds of the model minus the log-odds of the class shares of
// the support set, which are its prior. Every task has the same total weight. Grade must be
// called from within ops.Pinned.
func Grade(ctx context.Context, adapt Adapter, ds *data.Dataset, tasks []int, o Options) ([]metrics.Graded, error) {
	limit := new(QueryLimit)
	var all []metrics.Graded
	for _, task := range tasks {
		first := len(all)
		draw := func(k int) (data.Episode, error) { return o.Draw(ds, task, k) }
		draws, err := Draws(max(1, o.Draws), draw, func(_ int, ep data.Episode) error {
			r, err := RankEpisode(ctx, adapt, ds.Store, ep, limit)
			prior := metrics.Prior(ep.SupportLabels)
			for i, p := range r.Scores {
				all = append(all, metrics.Graded{
					Score: bounded(float64(p)) - prior, Prior: prior, Label: r.Labels[i], Weight: 1 / float64(len(r.Scores)),
				})
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("scoring %s: %w", ds.Tasks[task].Name, err)
		}
		for i := range all[first:] {
			all[first+i].Weight /= float64(draws) // draws that the task is large enough for
		}
	}
	return all, nil
}

// bounded returns the finite logit of a float32 probability, which may be rounded to 0 or 1.
func bounded(p float64) float64 {
	const least = 1e-7
	return logit(min(max(p, least), 1-least))
}

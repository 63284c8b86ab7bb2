package tune

import (
	"context"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat"

	"pacia/internal/each"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/shared/past"
)

// Other weights than the usual ones must be better by surely standard errors of the difference, as the best of many is better by
// chance. Fewer trials than fewestTrials tell nothing.
const (
	surely       = 2
	fewestTrials = 12
)

// grid returns the weights that are tried after the usual ones.
func grid() []past.Weights {
	all := []past.Weights{past.Usual}
	for _, agreement := range []float64{3, 0} {
		for _, profile := range []float64{0, 1, 2, 4, 6, 8, 12} {
			for _, hits := range []float64{0, 0.25, 0.5, 0.75, 1, 1.5} {
				if profile+agreement > 0 {
					all = append(all, past.Weights{Profile: profile, Hits: hits, Agreement: agreement})
				}
			}
		}
	}
	return all
}

// figures are ROC-AUC and ΔAUPRC of a trial.
type figures [2]float64

// Choose ranks the queries of each trial by the other past assays in m, and returns the weights with which these serve the trials best,
// and figures. They are halfway between the usual weights and those that are best if near copies of a trial's assay are left out.
// Weights that are worse than the usual ones if all related assays are left out are not among these.
func Choose(ctx context.Context, of *model.Model, m *past.Memory, trials []Trial) (*Choice, error) {
	b := &bench{of, m, trials}
	c := &Choice{Assays: len(m.Assays), Trials: len(trials)}
	if len(trials) == 0 {
		return c, nil
	}
	weights := grid()
	with, err := b.run(ctx, near, nil, weights...)
	if err != nil {
		return nil, err
	}
	without, err := b.run(ctx, related, nil, weights...)
	if err != nil {
		return nil, err
	}
	for part, name := range parts {
		alone, err := b.run(ctx, near, func(m *model.Model) *model.Model { return m.PastPart(model.PastPart(part)) }, past.Usual)
		if err != nil {
			return nil, err
		}
		c.add(name, alone[0])
	}
	c.add(together, with[0])
	if best := bestOf(with, without); best > 0 {
		c.Weights = halfway(weights[best], past.Usual)
		with, err := b.run(ctx, near, nil, c.Weights)
		if err != nil {
			return nil, err
		}
		c.add(tuned, with[0])
	}
	return c, nil
}

// bestOf returns the number of the best weights, given figures [weights, trials] with related past assays and without them; 0 if none
// are surely better than the usual ones.
func bestOf(with, without [][]figures) int {
	best, most := 0, 0.0
	for i := range with {
		gain, deviation := stat.MeanStdDev(gains(with, i), nil)
		err := deviation / math.Sqrt(float64(len(with[i])))
		if gain > most && gain > surely*err && stat.Mean(gains(without, i), nil) >= 0 {
			best, most = i, gain
		}
	}
	if len(with[0]) < fewestTrials {
		return 0
	}
	return best
}

// gains returns the differences of ΔAUPRC from that with the usual weights.
func gains(all [][]figures, i int) []float64 {
	return each.Of(each.Order[int](len(all[i])), func(t int) float64 { return all[i][t][1] - all[0][t][1] })
}

func halfway(a, b past.Weights) past.Weights {
	return past.Weights{Profile: (a.Profile + b.Profile) / 2, Hits: (a.Hits + b.Hits) / 2, Agreement: (a.Agreement + b.Agreement) / 2}
}

// bench ranks the queries of trials by past assays.
type bench struct {
	model  *model.Model
	past   *past.Memory
	trials []Trial
}

// partly returns a model by a part of what past assays give.
type partly func(*model.Model) *model.Model

// run returns figures [weights, trials], with those past assays whose correlation with that of a trial is below a limit, by a part of
// these if it is not nil.
func (b *bench) run(ctx context.Context, limit float64, part partly, weights ...past.Weights) ([][]figures, error) {
	all := each.Of(weights, func(past.Weights) []figures { return make([]figures, len(b.trials)) })
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range b.trials {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			t := &b.trials[i]
			m := b.model.Recall(others(b.past, t, limit))
			if part != nil {
				m = part(m)
			}
			scores, err := m.Judge(&t.Trial, t.Keys, weights)
			for at, s := range scores {
				labels := t.Labels[t.Support:]
				all[at][i] = figures{metrics.ROCAUC(labels, s), metrics.DeltaAUPRC(labels, s)}
			}
			return err
		})
	}
	return all, group.Wait()
}

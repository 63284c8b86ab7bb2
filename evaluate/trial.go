package evaluate

import (
	"context"
	"errors"
	"math/rand/v2"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/metrics"
	"pacia/model"
)

// Adapting adapts a model to the support set of an episode, calls use, and drops what was adapted. It must be called
// from within ops.Pinned.
func Adapting(adapt Adapter, s molecule.List, ep data.Episode, use func(Adapted) error) error {
	support, err := data.AssembleSupport(s, ep)
	if err != nil {
		return err
	}
	a, err := adapt(support)
	if err != nil {
		return Advised(err)
	}
	defer a.Drop()
	return use(a)
}

// ScoreEpisode adapts to the support set of an episode and returns all outputs of the model for its queries [Q], with
// uncertainties if asked. It must be called from within ops.Pinned.
func ScoreEpisode(
	ctx context.Context, adapt Adapter, s molecule.List, ep data.Episode, limit *QueryLimit, uncertain bool,
) (all model.Scored, err error) {
	err = Adapting(adapt, s, ep, func(a Adapted) (err error) {
		if u, can := a.(UncertaintyScorer); can && uncertain {
			if _, err := u.EnableUncertainty(); err != nil {
				return err
			}
		}
		all, err = rankAll(ctx, a, limit, s, ep.Query)
		return err
	})
	return all, err
}

// Draws calls trial with n support sets of a task, with their numbers from 0. It leaves out those for which the task is
// too small, and returns how many there are.
func Draws(n int, draw func(k int) (data.Episode, error), trial func(k int, ep data.Episode) error) (drawn int, err error) {
	for k := range n {
		ep, err := draw(k)
		if errors.Is(err, data.ErrTooSmall) {
			continue
		}
		if err == nil {
			err = trial(k, ep)
		}
		if err != nil {
			return drawn, err
		}
		drawn++
	}
	return drawn, nil
}

// trials rank the queries of support sets and measure the rankings.
type trials struct {
	adapt  Adapters
	data   *data.Dataset
	limit  *QueryLimit
	probes *prober
	each   func(Tested) error // nil: not called

	seed  uint64
	draws int // of a task
	draw  func(task, k int) (data.Episode, error)
	// random chooses the queries of the controls of a task.
	random  func(task string, k int) *rand.Rand
	measure func(k int, ep data.Episode, r Ranking) (metrics.Values, error)
}

// run returns the figures of a task, tasks[at], and the number of molecules ranked.
func (t *trials) run(ctx context.Context, tasks []int, at int) (f metrics.Figures, ranked int, err error) {
	task := tasks[at]
	f.Task = t.data.Tasks[task].Name
	var probes []*metrics.Adaptivity
	adapt, err := t.adapt.For(task)
	if err != nil {
		return f, 0, err
	}
	draw := func(k int) (data.Episode, error) { return t.draw(task, k) }
	f.Draws, err = Draws(t.draws, draw, func(k int, ep data.Episode) error {
		r, err := RankEpisode(ctx, adapt, t.data.Store, ep, t.limit)
		if err != nil {
			return err
		}
		values, err := t.measure(k, ep, r)
		if err != nil {
			return err
		}
		f.Values = f.Plus(1, values)
		ranked += len(r.Rows)
		if t.each != nil {
			if err := t.each(Tested{Task: task, Draw: k, Seed: t.seed, Support: len(ep.Support), Ranking: r}); err != nil {
				return err
			}
		}
		if !t.probes.covers(k) || !both(r.Labels) {
			return nil
		}
		other := otherTask(tasks, at, func(task int) (data.Episode, error) { return t.draw(task, k) })
		a, err := t.probes.probe(ctx, adapt, ep, r, other, t.random(f.Task, k))
		probes = append(probes, a)
		return err
	})
	f.Values, f.Adaptivity = f.Over(float64(f.Draws)), metrics.MeanAdaptivity(probes)
	return f, ranked, err
}

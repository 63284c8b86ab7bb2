package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"pacia/data"
	"pacia/internal/badinput"
	"pacia/metrics"
	"pacia/run/runconfig"
)

// Options define how the support sets of an evaluation are drawn.
type Options struct {
	Seed uint64
	// Number distinguishes evaluations with one seed: each draws its own support
	// sets. An evaluation during training has the number of its episode. An
	// evaluation of its checkpoint with this number gives the same figures.
	Number        uint64
	Rule          data.Draw
	Draws         int  // of a task, whose figures are averaged; 0: one
	ShuffleLabels bool // shuffle the labels of the support sets, as a control

	Limit    *QueryLimit // shared by several evaluations; nil: a new one
	Controls *Controls   // of adaptivity; nil: not measured

	Each func(Tested) error // called with each ranking of a support set; nil: not called
}

// Tested is the ranking of a task's queries with one support set.
type Tested struct {
	Task    int    // number in the data set
	Draw    int    // number of the support set, from 0
	Seed    uint64 // of the draw: with Draw, or in a [Benchmark] alone
	Support int    // molecules
	Ranking
}

// OptionsOf returns the options of a run's evaluation with that number.
func OptionsOf(c runconfig.Config, number uint64) Options {
	return Options{
		Seed: c.Seed, Number: number, Rule: data.Draw{Shots: c.Episode.Shots, Support: c.Episode.TestSize()}, Draws: c.Train.EvaluationDraws,
		ShuffleLabels: c.Train.ShuffleLabels,
	}
}

// Tasks returns the figures of each task (numbers of ds.Tasks) and the number of
// molecules ranked. The model is adapted to a support set and ranks all other
// molecules of the task. Tasks leaves out stratified draws that a task is too small
// for, and tasks without a draw. It must be called from within ops.Pinned.
func Tasks(ctx context.Context, adapt Adapters, ds *data.Dataset, tasks []int, o Options) ([]metrics.Figures, int, error) {
	o.Limit = cmp.Or(o.Limit, new(QueryLimit))
	asked := len(tasks)
	tasks = slices.DeleteFunc(slices.Clone(tasks), func(task int) bool {
		return errors.Is(o.Rule.CheckTest(&ds.Tasks[task]), data.ErrTooSmall)
	})
	ts := &trials{
		adapt: adapt, data: ds, limit: o.Limit, probes: newProber(o.Controls, ds, tasks, o.Limit), each: o.Each,
		seed: o.Seed, draws: max(1, o.Draws),
		draw:   func(task, k int) (data.Episode, error) { return o.Draw(ds, task, k) },
		random: func(task string, k int) *rand.Rand { return o.rand("queries of "+task, k) },
		measure: func(_ int, _ data.Episode, r Ranking) (metrics.Values, error) {
			values := metrics.Measure(r.Labels, r.Order)
			if slices.ContainsFunc(values, math.IsNaN) {
				return nil, errors.New("a score is not a number")
			}
			return values, nil
		},
	}
	var ranked int
	var all []metrics.Figures
	for at := range tasks {
		t, n, err := ts.run(ctx, tasks, at)
		if err != nil {
			return nil, 0, fmt.Errorf("evaluating %s: %w", ds.Tasks[tasks[at]].Name, err)
		}
		if t.Draws > 0 {
			all = append(all, t)
		}
		ranked += n
	}
	if len(all) == 0 && asked > 0 {
		return nil, 0, &badinput.Error{
			What: fmt.Sprintf("none of %d tasks gives a support set of %d molecules and queries, with both classes in each", asked, o.Rule.Support),
			Fix:  "write another episode.test_support, or choose other tasks",
		}
	}
	return all, ranked, nil
}

// Draw draws a task's support set number k, counted from 0. All other molecules
// of the task are queries. If the task is too small for a stratified draw, the error
// wraps data.ErrTooSmall.
func (o Options) Draw(ds *data.Dataset, task, k int) (ep data.Episode, err error) {
	t := &ds.Tasks[task]
	if ep, err = o.Rule.Test(t, task, o.rand("evaluation of "+t.Name, k)); err != nil {
		return data.Episode{}, err
	}
	if o.ShuffleLabels {
		ep.ShuffleSupport(o.rand("shuffled labels of "+t.Name, k))
	}
	return ep, nil
}

// rand returns the random generator for a purpose in draw number k.
func (o Options) rand(purpose string, k int) *rand.Rand {
	if k > 0 {
		purpose += fmt.Sprintf(", draw %d", k)
	}
	return data.Rand(o.Seed, purpose, o.Number)
}

package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pacia/data"
	"pacia/fault"
	"pacia/metrics"
	"pacia/runconfig"
)

// Options say how the support sets of an evaluation are drawn.
type Options struct {
	Seed uint64
	// Number tells evaluations of one seed apart: each draws its own support
	// sets. An evaluation during training has the number of its episode, so
	// that one of its checkpoint with that number gives the same figures.
	Number        uint64
	Rule          data.Draw
	Draws         int  // of a task, whose figures are averaged; 0: one
	ShuffleLabels bool // a control: labels of the support sets are shuffled

	Limit *QueryLimit // that evaluations have in common; nil: found out anew
}

// OptionsOf returns those of a run's evaluation with that number.
func OptionsOf(c runconfig.Config, number uint64) Options {
	return Options{
		Seed: c.Seed, Number: number, Rule: data.Draw{Shots: c.Episode.Shots, Support: c.Episode.TestSize()}, Draws: c.Train.EvaluationDraws,
		ShuffleLabels: c.Train.ShuffleLabels,
	}
}

// Tasks returns the figures of each task (numbers of ds.Tasks): the model adapts
// to a support set and ranks all other molecules of the task. Stratified draws
// that a task is too small for are left out, and so are tasks without a draw. The
// second result is the number of molecules ranked. It must be called from within
// ops.Pinned.
func Tasks(ctx context.Context, adapt Adapter, ds *data.Dataset, tasks []int, o Options) ([]metrics.Figures, int, error) {
	if o.Limit == nil {
		o.Limit = new(QueryLimit)
	}
	var ranked int
	var all []metrics.Figures
	for _, number := range tasks {
		t, n, err := evaluateTask(ctx, adapt, ds, number, o)
		if err != nil {
			return nil, 0, fmt.Errorf("evaluating %s: %w", ds.Tasks[number].Name, err)
		}
		if t.Draws > 0 {
			all = append(all, t)
		}
		ranked += n
	}
	if len(all) == 0 && len(tasks) > 0 {
		return nil, 0, &fault.Error{What: fmt.Sprintf("none of %d tasks holds a support set of %d molecules", len(tasks), o.Rule.Support),
			Fix: "lower episode.test_support, or choose other tasks"}
	}
	return all, ranked, nil
}

// evaluateTask averages the figures of a task over its draws.
func evaluateTask(ctx context.Context, adapt Adapter, ds *data.Dataset, task int, o Options) (metrics.Figures, int, error) {
	t, ranked := metrics.Figures{Task: ds.Tasks[task].Name}, 0
	for k := range max(1, o.Draws) {
		ep, err := o.Draw(ds, task, k)
		if errors.Is(err, data.ErrTooSmall) {
			continue
		}
		if err != nil {
			return t, 0, err
		}
		r, err := RankEpisode(ctx, adapt, ds.Store, ep, o.Limit)
		if err != nil {
			return t, 0, err
		}
		auc := metrics.ROCAUC(r.Labels, r.Scores)
		if math.IsNaN(auc) {
			return t, 0, errors.New("a score is not a number")
		}
		t.AUC += auc
		t.DeltaAUPRC += metrics.DeltaAUPRC(r.Labels, r.Scores)
		t.Draws++
		ranked += len(r.Rows)
	}
	if t.Draws > 0 {
		t.AUC /= float64(t.Draws)
		t.DeltaAUPRC /= float64(t.Draws)
	}
	return t, ranked, nil
}

// Draw draws a task's support set number k, counted from 0; all its other
// molecules are queries. Where the task does not hold a stratified one, the error
// wraps data.ErrTooSmall.
func (o Options) Draw(ds *data.Dataset, task, k int) (ep data.Episode, err error) {
	t := &ds.Tasks[task]
	name := t.Name
	if k > 0 {
		name += fmt.Sprintf(", draw %d", k)
	}
	r := data.Rand(o.Seed, "evaluation of "+name, o.Number)
	if ep, err = o.Rule.Test(t, task, r); err != nil {
		return data.Episode{}, err
	}
	if o.ShuffleLabels {
		ep.ShuffleSupport(data.Rand(o.Seed, "shuffled labels of "+name, o.Number))
	}
	return ep, nil
}

package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"pacia/data"
	"pacia/fault"
	"pacia/metrics"
	"pacia/model"
	"pacia/runconfig"
)

// EvalOptions says how the support sets of an evaluation are drawn.
type EvalOptions struct {
	Seed uint64
	// Number tells evaluations of one seed apart: each draws its own support
	// sets. An evaluation during training has the number of its episode, so
	// that one of its checkpoint with that number gives the same figures.
	Number        uint64
	Rule          data.Draw
	Draws         int  // of a task, whose figures are averaged; 0: one
	ShuffleLabels bool // a control: labels of the support sets are shuffled

	// Adapted is told how long it took to adapt to each task's support set; or nil.
	Adapted func(time.Duration)

	limit *queryLimit // of the run; nil: found out anew
}

// EvalOptionsOf returns those of a run's evaluation with that number.
func EvalOptionsOf(c runconfig.Config, number uint64) EvalOptions {
	return EvalOptions{
		Seed: c.Seed, Number: number, Rule: data.Draw{Shots: c.Episode.Shots, Support: c.Episode.TestSize()}, Draws: c.Train.EvaluationDraws,
		ShuffleLabels: c.Train.ShuffleLabels,
	}
}

// Evaluate returns the figures of each task (numbers of ds.Tasks): the model
// adapts to a support set and ranks all other molecules of the task. Stratified
// draws that a task does not hold are left out, and so are tasks without a draw.
// The second result is the number of molecules ranked. It must be called from
// within Pinned.
func Evaluate(ctx context.Context, m *model.Model, ds *data.Dataset, tasks []int, o EvalOptions) ([]metrics.Figures, int, error) {
	return evaluate(ctx, func(b *data.Batch) (adapted, error) {
		begun := time.Now()
		a, err := adapt(m, b)
		if o.Adapted != nil {
			o.Adapted(time.Since(begun))
		}
		return a, err
	}, ds, tasks, o)
}

// adapter makes the model that a support set stands for.
type adapter func(support *data.Batch) (adapted, error)

func evaluate(ctx context.Context, adapt adapter, ds *data.Dataset, tasks []int, o EvalOptions) ([]metrics.Figures, int, error) {
	if o.limit == nil {
		o.limit = new(queryLimit)
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
func evaluateTask(ctx context.Context, adapt adapter, ds *data.Dataset, task int, o EvalOptions) (metrics.Figures, int, error) {
	t, ranked := metrics.Figures{Task: ds.Tasks[task].Name}, 0
	for k := range max(1, o.Draws) {
		ep, err := o.Draw(ds, task, k)
		if errors.Is(err, data.ErrTooSmall) {
			continue
		}
		if err != nil {
			return t, 0, err
		}
		labels, scores, err := rankTask(ctx, adapt, ds, ep, o.limit)
		if err != nil {
			return t, 0, err
		}
		auc := metrics.ROCAUC(labels, scores)
		if math.IsNaN(auc) {
			return t, 0, errors.New("a score is not a number")
		}
		t.AUC += auc
		t.DeltaAUPRC += metrics.DeltaAUPRC(labels, scores)
		t.Draws++
		ranked += len(scores)
	}
	if t.Draws > 0 {
		t.AUC /= float64(t.Draws)
		t.DeltaAUPRC /= float64(t.Draws)
	}
	return t, ranked, nil
}

// rankTask adapts to the support set of an episode and returns the labels and
// P(active) of its queries, from the smallest molecule to the largest.
func rankTask(ctx context.Context, adapt adapter, ds *data.Dataset, ep data.Episode, limit *queryLimit) ([]uint8, []float32, error) {
	support, err := data.AssembleSupport(ds.Store, ep)
	if err != nil {
		return nil, nil, err
	}
	a, err := adapt(support)
	if err != nil {
		return nil, nil, advised(err)
	}
	defer a.Drop()
	order := bySize(ds.Store, ep.Query)
	rows, labels := make([]int32, len(order)), make([]uint8, len(order))
	for i, at := range order {
		rows[i], labels[i] = ep.Query[at], ep.QueryLabels[at]
	}
	scores, err := rank(ctx, a, limit, ds.Store, rows, len(ep.Support))
	return labels, scores, err
}

// Draw draws a task's support set number k, counted from 0; all its other
// molecules are queries. Where the task does not hold a stratified one, the error
// wraps data.ErrTooSmall.
func (o EvalOptions) Draw(ds *data.Dataset, task, k int) (ep data.Episode, err error) {
	t := &ds.Tasks[task]
	name := t.Name
	if k > 0 {
		name += fmt.Sprintf(", draw %d", k)
	}
	r := data.Rand(o.Seed, streamEvaluation+name, o.Number)
	if ep, err = o.Rule.Test(t, task, r); err != nil {
		return data.Episode{}, err
	}
	if o.ShuffleLabels {
		shuffleSupport(ep, data.Rand(o.Seed, streamShuffle+" of "+name, o.Number))
	}
	return ep, nil
}

// bySize returns the positions in rows from the smallest molecule to the
// largest, so that the molecules of a batch are of one size: they share more.
func bySize(s data.Molecules, rows []int32) []int32 {
	order := make([]int32, len(rows))
	atoms := make([]int, len(rows))
	for i, row := range rows {
		order[i], atoms[i] = int32(i), s.Atoms(int(row))
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(atoms[a], atoms[b]) })
	return order
}

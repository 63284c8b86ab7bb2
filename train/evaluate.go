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
	"pacia/metrics"
	"pacia/model"
)

// EvalOptions says how the support sets of an evaluation are drawn.
type EvalOptions struct {
	Seed uint64
	// Number tells evaluations of one seed apart: each draws its own support
	// sets. An evaluation during training has the number of its episode, so
	// that one of its checkpoint with that number gives the same figures.
	Number        uint64
	Shots         int  // K
	ShuffleLabels bool // a control: labels of the support sets are shuffled

	// Adapted is told how long it took to adapt to each task's support set; or nil.
	Adapted func(time.Duration)

	limit *queryLimit // of the run; nil: found out anew
}

// Evaluate returns the ROC-AUC of each task (numbers of ds.Tasks): the model
// adapts to K inactive and K active molecules and ranks all others of the
// task. The second result is the number of molecules ranked. It must be called
// from within Pinned.
func Evaluate(ctx context.Context, m *model.Model, ds *data.Dataset, tasks []int, o EvalOptions) ([]TaskAUC, int, error) {
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

func evaluate(ctx context.Context, adapt adapter, ds *data.Dataset, tasks []int, o EvalOptions) ([]TaskAUC, int, error) {
	if o.limit == nil {
		o.limit = new(queryLimit)
	}
	var ranked int
	aucs := make([]TaskAUC, len(tasks))
	for i, number := range tasks {
		task := &ds.Tasks[number]
		auc, n, err := evaluateTask(ctx, adapt, ds, number, o)
		if err != nil {
			return nil, 0, fmt.Errorf("evaluating %s: %w", task.Name, err)
		}
		aucs[i] = TaskAUC{task.Name, auc}
		ranked += n
	}
	return aucs, ranked, nil
}

func evaluateTask(ctx context.Context, adapt adapter, ds *data.Dataset, task int, o EvalOptions) (float64, int, error) {
	ep, err := o.draw(ds, task)
	if err != nil {
		return 0, 0, err
	}
	support, err := data.AssembleSupport(ds.Store, ep)
	if err != nil {
		return 0, 0, err
	}
	a, err := adapt(support)
	if err != nil {
		return 0, 0, advised(err)
	}
	defer a.Drop()
	order := bySize(ds.Store, ep.Query)
	rows := make([]int32, len(order))
	for i, at := range order {
		rows[i] = ep.Query[at]
	}
	scores, err := rank(ctx, a, o.limit, ds.Store, rows, len(ep.Support))
	if err != nil {
		return 0, 0, err
	}
	labels := make([]uint8, len(order))
	for i, at := range order {
		labels[i] = ep.QueryLabels[at]
	}
	auc := metrics.ROCAUC(labels, scores)
	if math.IsNaN(auc) {
		return 0, 0, errors.New("a score is not a number")
	}
	return auc, len(scores), nil
}

// draw draws the support set of a task; all its other molecules are queries.
func (o EvalOptions) draw(ds *data.Dataset, task int) (data.Episode, error) {
	t := &ds.Tasks[task]
	ep, err := data.DrawTest(t, task, o.Shots, data.Rand(o.Seed, streamEvaluation+t.Name, o.Number))
	if err != nil {
		return data.Episode{}, err
	}
	if o.ShuffleLabels {
		shuffleSupport(ep, data.Rand(o.Seed, streamShuffle+" of "+t.Name, o.Number))
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

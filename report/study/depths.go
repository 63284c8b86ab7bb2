package study

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/model"
	"pacia/ops"
	"pacia/report/scores"
	"pacia/run/checkpoint"
)

// Groups are the molecules to which a model assigned one of two depths, A and B.
type Groups struct {
	Depths [2]int
	Tasks  []Reading
}

// A Reading holds molecules of one task, classified after every relation layer.
type Reading struct {
	Task    string
	Rows    []int32
	Labels  []uint8
	Depths  []int32     // assigned depth, one of the two
	ByDepth [][]float32 // [molecules][L] P(active)
}

// Reading returns the molecules of a task.
func (g *Groups) Reading(task string) *Reading {
	for i := range g.Tasks {
		if g.Tasks[i].Task == task {
			return &g.Tasks[i]
		}
	}
	return &Reading{Task: task}
}

// Layers returns the number of relation layers.
func (g *Groups) Layers() int {
	for _, t := range g.Tasks {
		if len(t.ByDepth) > 0 {
			return len(t.ByDepth[0])
		}
	}
	return 0
}

// least is the number of molecules of each class that a group needs in a task for a meaningful ROC-AUC.
const least = 5

// ReadGroups classifies the molecules of two groups at every depth. The groups have depths 1
// and 4, as in the paper, or the two most different depths that enough
// molecules have. It returns nil if there are no two such depths. Most is the approximate number
// of molecules that are read. It must be called from within ops.Pinned.
func ReadGroups(ctx context.Context, m *model.Model, meta checkpoint.Meta, tasks []scores.Task, most int) (*Groups, error) {
	depths, ok := groupDepths(tasks)
	if !ok {
		return nil, nil
	}
	src, err := scores.Open(ctx, meta)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	g := &Groups{Depths: depths}
	for _, number := range src.Test {
		at := slices.IndexFunc(tasks, func(t scores.Task) bool { return t.Name == src.Data.Tasks[number].Name })
		if at < 0 {
			continue // the task is too small for a support set
		}
		r := inGroups(tasks[at], depths, max(1, most/len(tasks)))
		if len(r.Rows) > 0 {
			if err := r.read(ctx, m, src, number); err != nil {
				return nil, err
			}
		}
		g.Tasks = append(g.Tasks, r)
	}
	return g, nil
}

func groupDepths(tasks []scores.Task) (depths [2]int, ok bool) {
	var enough []int
	for _, t := range tasks {
		counts := map[int32][2]int{}
		for i, d := range t.Depths {
			c := counts[d]
			c[t.Labels[i]]++
			counts[d] = c
		}
		for d, c := range counts {
			if min(c[0], c[1]) >= least && !slices.Contains(enough, int(d)) {
				enough = append(enough, int(d))
			}
		}
	}
	switch {
	case slices.Contains(enough, 1) && slices.Contains(enough, 4):
		return [2]int{1, 4}, true
	case len(enough) < 2:
		return depths, false
	}
	return [2]int{slices.Min(enough), slices.Max(enough)}, true
}

// inGroups selects the molecules of the two depths, evenly spaced ones if there are more than most.
func inGroups(t scores.Task, depths [2]int, most int) Reading {
	var at []int
	for i, d := range t.Depths {
		if slices.Contains(depths[:], int(d)) {
			at = append(at, i)
		}
	}
	r := Reading{Task: t.Name}
	for k := range min(most, len(at)) {
		i := at[k*len(at)/min(most, len(at))]
		r.Rows, r.Labels, r.Depths = append(r.Rows, t.Rows[i]), append(r.Labels, t.Labels[i]), append(r.Depths, t.Depths[i])
	}
	return r
}

// read classifies the molecules at every depth, in parallel on all cores, or one batch
// after the other on a GPU.
func (r *Reading) read(ctx context.Context, m *model.Model, src *scores.Source, number int) error {
	ep, err := src.Draw(number)
	if err != nil {
		return err
	}
	batches := model.QueryBatches(src.Data.Store, r.Rows, len(ep.Support), m.Device())
	parts := make([][][]float32, len(batches))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	if m.Device() != ops.CPU {
		group.SetLimit(1)
	}
	for i, rows := range batches {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return ops.Pinned(1, func() (err error) {
				parts[i], err = readBatch(m, src.Data.Store, ep, rows)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	r.ByDepth = slices.Concat(parts...)
	return nil
}

func readBatch(m *model.Model, store molecule.List, ep data.Episode, rows []int32) ([][]float32, error) {
	support, err := data.AssembleSupport(store, ep)
	if err != nil {
		return nil, err
	}
	queries, err := data.AssembleQueries(store, rows)
	if err != nil {
		return nil, err
	}
	got, err := m.ReadDepths(support, queries)
	if err != nil {
		return nil, err
	}
	return cut(got.Probability, len(got.Probability)/len(rows)), nil
}

// Mean returns the mean of a measure for a group, 0 or 1, over the tasks in which it has
// enough molecules of both classes, and the number of these tasks. Score returns the score of molecule i of a
// task; molecules without a score are left out.
func (g *Groups) Mean(of Measure, group int, score func(task string, i int) (float32, bool)) (mean float64, tasks int) {
	for _, t := range g.Tasks {
		var labels []uint8
		var values []float32
		counts := [2]int{}
		for i := range t.Rows {
			v, ok := score(t.Task, i)
			if !ok || int(t.Depths[i]) != g.Depths[group] {
				continue
			}
			labels, values = append(labels, t.Labels[i]), append(values, v)
			counts[t.Labels[i]]++
		}
		if min(counts[0], counts[1]) >= least {
			mean += of(labels, values)
			tasks++
		}
	}
	return mean / float64(cmp.Or(tasks, 1)), tasks
}

// A Measure is a metric of a ranking, such as metrics.ROCAUC.
type Measure func(labels []uint8, scores []float32) float64

// Count returns the number of molecules in a group.
func (g *Groups) Count(group int) (n int) {
	for _, t := range g.Tasks {
		for _, d := range t.Depths {
			if int(d) == g.Depths[group] {
				n++
			}
		}
	}
	return n
}

package evaluate

import (
	"context"
	"errors"
	"fmt"

	"pacia/data"
	"pacia/data/fsmol"
	"pacia/fault"
)

// BenchmarkOptions say what Benchmark draws of each task.
type BenchmarkOptions struct {
	Seed  uint32 // of draw 0; draw k has Seed + k
	Sizes []int  // of the support sets, both classes together
	Draws int    // of each size
}

// Benchmark tests a model as the FS-Mol benchmark does: of each task (numbers of
// ds.Tasks) every draw of every size, in the benchmark's own order of molecules,
// with all others as queries. It calls each with the results of a task, without
// the draws that it is too small for, and returns the number of molecules
// ranked. It must be called from within ops.Pinned.
func Benchmark(ctx context.Context, adapt Adapter, ds *data.Dataset, tasks []int, o BenchmarkOptions, each func(fsmol.TaskResults) error) (ranked int, err error) {
	limit, drawn := new(QueryLimit), 0
	for _, number := range tasks {
		t := &ds.Tasks[number]
		all := fsmol.TaskResults{Task: t.Name}
		for _, size := range o.Sizes {
			for k := range o.Draws {
				seed := o.Seed + uint32(k)
				ep, err := data.DrawStratified(t, number, size, 0, seed)
				if errors.Is(err, data.ErrTooSmall) {
					continue
				}
				if err != nil {
					return ranked, err
				}
				r, err := RankEpisode(ctx, adapt, ds.Store, ep, limit)
				if err != nil {
					return ranked, fmt.Errorf("testing %s with %d support molecules, seed %d: %w", t.Name, size, seed, err)
				}
				all.Results = append(all.Results, fsmol.Score(size, seed, ep.SupportLabels, r.Labels, r.Scores))
				ranked += len(r.Rows)
			}
		}
		drawn += len(all.Results)
		if err := each(all); err != nil {
			return ranked, err
		}
	}
	if drawn == 0 {
		return 0, &fault.Error{What: fmt.Sprintf("none of the %d test tasks is large enough for a support set of %v molecules and two queries", len(tasks), o.Sizes),
			Fix: "ask for smaller ones, or choose other tasks"}
	}
	return ranked, nil
}

package train

import (
	"context"
	"errors"
	"fmt"

	"pacia/data"
	"pacia/data/fsmol"
	"pacia/fault"
	"pacia/model"
)

// BenchmarkOptions say what Benchmark draws of each task.
type BenchmarkOptions struct {
	Seed  uint32 // of draw 0; draw k has Seed + k
	Sizes []int  // of the support sets, both classes together
	Draws int    // of each size
}

// Benchmark tests a model as the FS-Mol benchmark does: of each task (numbers of
// ds.Tasks) every draw of every size, in the benchmark's own order of molecules,
// with all others as queries. It calls each with the results of a task, which has
// none of the draws that it does not hold, and returns the number of molecules
// ranked. It must be called from within Pinned.
func Benchmark(ctx context.Context, m *model.Model, ds *data.Dataset, tasks []int, o BenchmarkOptions, each func(fsmol.TaskResults) error) (ranked int, err error) {
	adapt, limit, drawn := func(b *data.Batch) (adapted, error) { return adapt(m, b) }, new(queryLimit), 0
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
				labels, scores, err := rankTask(ctx, adapt, ds, ep, limit)
				if err != nil {
					return ranked, fmt.Errorf("testing %s with %d support molecules, seed %d: %w", t.Name, size, seed, err)
				}
				all.Results = append(all.Results, fsmol.Score(size, seed, ep.SupportLabels, labels, scores))
				ranked += len(scores)
			}
		}
		drawn += len(all.Results)
		if err := each(all); err != nil {
			return ranked, err
		}
	}
	if drawn == 0 {
		return 0, &fault.Error{What: fmt.Sprintf("none of %d test tasks holds a support set of %v molecules beside two queries", len(tasks), o.Sizes),
			Fix: "ask for smaller ones, or choose other tasks"}
	}
	return ranked, nil
}

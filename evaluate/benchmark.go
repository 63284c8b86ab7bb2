package evaluate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"pacia/data"
	"pacia/data/source/fsmol"
	"pacia/internal/badinput"
	"pacia/metrics"
)

// BenchmarkOptions define what Benchmark draws of each task.
type BenchmarkOptions struct {
	Seed  uint32 // of draw 0; draw k has Seed + k
	Sizes []int  // of the support sets, both classes together
	Draws int    // of each size

	Controls *Controls          // of adaptivity; nil: not measured
	Each     func(Tested) error // called with each ranking of a support set; nil: not called
}

// A BenchmarkedTask is the result of Benchmark for one task.
type BenchmarkedTask struct {
	fsmol.TaskResults
	Figures map[int]metrics.Figures // by the size of the support set, without sizes that have no draw
}

// Benchmark tests a model as the FS-Mol benchmark does. For each task (numbers of
// ds.Tasks) it makes every draw of every size, in the benchmark's own order of
// molecules, with all other molecules as queries. It calls each with the results of
// a task, without the draws that the task is too small for, and returns the number
// of molecules ranked. It must be called from within ops.Pinned.
func Benchmark(ctx context.Context, adapt Adapters, ds *data.Dataset, tasks []int, o BenchmarkOptions, each func(BenchmarkedTask) error) (ranked int, err error) {
	limit, drawn := new(QueryLimit), 0
	var size int
	var seed uint32
	var all BenchmarkedTask
	t := &trials{
		adapt: adapt, data: ds, limit: limit, probes: newProber(o.Controls, ds, tasks, limit), draws: o.Draws,
		draw: func(task, k int) (data.Episode, error) {
			seed = o.Seed + uint32(k)
			return data.DrawStratified(&ds.Tasks[task], task, size, 0, seed)
		},
		random: func(task string, _ int) *rand.Rand { return data.Rand(uint64(seed), "queries of "+task, uint64(size)) },
		measure: func(_ int, ep data.Episode, r Ranking) (metrics.Values, error) {
			all.Results = append(all.Results, fsmol.Score(size, seed, ep.SupportLabels, r.Labels, r.Order))
			return measured(r), nil
		},
	}
	if o.Each != nil {
		t.each = func(one Tested) error {
			one.Seed = uint64(seed)
			return o.Each(one)
		}
	}
	for at, number := range tasks {
		all = BenchmarkedTask{TaskResults: fsmol.TaskResults{Task: ds.Tasks[number].Name}, Figures: map[int]metrics.Figures{}}
		for _, size = range o.Sizes {
			f, n, err := t.run(ctx, tasks, at)
			if ranked += n; err != nil {
				return ranked, fmt.Errorf("testing %s with %d support molecules, seed %d: %w", all.Task, size, seed, err)
			}
			if f.Draws > 0 {
				all.Figures[size] = f
			}
		}
		drawn += len(all.Results)
		if err := each(all); err != nil {
			return ranked, err
		}
	}
	if drawn == 0 {
		return 0, &badinput.Error{What: fmt.Sprintf("none of the %d test tasks is large enough for a support set of %v molecules and two queries", len(tasks), o.Sizes),
			Fix: "ask for smaller ones, or choose other tasks"}
	}
	return ranked, nil
}

// measured returns the metrics of a ranking. Those that need both classes are 0 without, as in the benchmark.
func measured(r Ranking) metrics.Values {
	values := metrics.Measure(r.Labels, r.Order)
	if !both(r.Labels) {
		for i, v := range values {
			if math.IsNaN(v) {
				values[i] = 0
			}
		}
	}
	return values
}

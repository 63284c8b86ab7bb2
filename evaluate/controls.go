package evaluate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/each"
	"pacia/metrics"
	"pacia/model/methods"
	"pacia/run/runconfig"
)

// Controls define how adaptivity is measured: tasks are ranked again with misleading
// support sets.
type Controls struct {
	Draws   int   // of each task, the first ones; 0: all
	Queries int   // of each draw, with the class shares of the task; 0: all
	Train   []int // tasks that supply the labels of the static score
	Depths  bool  // the model may choose a depth for each query

	Elsewhere bool   // the training tasks are not in the data set
	Known     []bool // molecules of the store that the model has learnt from, beside those with labels in Train
}

// ControlsOf returns the controls that the settings of a run define.
func ControlsOf(c runconfig.Config, train []int) *Controls {
	return &Controls{
		Draws: c.Train.AdaptivityDraws, Queries: c.Train.AdaptivityQueries, Train: train,
		Depths: methods.Traits(c.Model.Method).Depth,
	}
}

// A prober measures the adaptivity of tasks.
type prober struct {
	Controls
	store  molecule.List
	limit  *QueryLimit
	known  []bool    // molecules of the store that have labels in the training tasks, or that Controls has
	static []float32 // static score of each molecule of the store; nil: tasks share few molecules
}

// newProber returns a prober for these test tasks, or nil if c is nil.
func newProber(c *Controls, ds *data.Dataset, tests []int, limit *QueryLimit) *prober {
	if c == nil {
		return nil
	}
	p := &prober{Controls: *c, store: ds.Store, limit: limit}
	p.known, p.static = staticScores(ds, c.Train, tests)
	for row, known := range c.Known {
		p.known[row] = p.known[row] || known
	}
	return p
}

// covers reports whether the controls include draw number k, counted from 0.
func (p *prober) covers(k int) bool { return p != nil && (p.Draws == 0 || k < p.Draws) }

// probe measures the adaptivity of one draw of a task, by the adapter for the task. own is the model's ranking of it,
// foreign the draw of another task, or nil. r chooses the queries if Queries limits them.
func (p *prober) probe(ctx context.Context, adapt Adapter, ep data.Episode, own Ranking, foreign *data.Episode, r *rand.Rand) (*metrics.Adaptivity, error) {
	own = own.subset(p.Queries, r)
	a := &metrics.Adaptivity{Draws: 1, Queries: len(own.Rows), Elsewhere: p.Elsewhere, Own: metrics.Measure(own.Labels, own.Order)}
	swapped, err := p.rank(ctx, adapt, ep.SwapSupport(), own)
	if err != nil {
		return nil, fmt.Errorf("with swapped labels: %w", err)
	}
	a.Swapped = metrics.Measure(swapped.Labels, swapped.Order)
	if foreign != nil {
		other, err := p.rank(ctx, adapt, *foreign, own.without(foreign.Support))
		if err != nil {
			return nil, fmt.Errorf("with the support set of another task: %w", err)
		}
		a.Foreign = metrics.Measure(other.Labels, other.Order)
	}
	for _, row := range own.Rows {
		if p.known[row] {
			a.Known++
		}
	}
	if p.static != nil {
		a.Static = metrics.Measure(own.Labels, each.At(p.static, own.Rows))
	}
	if p.Depths {
		for _, depth := range own.Depths {
			for len(a.Depths) < int(depth) {
				a.Depths = append(a.Depths, 0)
			}
			if depth > 0 {
				a.Depths[depth-1]++
			}
		}
	}
	return metrics.MeanAdaptivity([]*metrics.Adaptivity{a}), nil
}

func (p *prober) rank(ctx context.Context, adapt Adapter, ep data.Episode, queries Ranking) (Ranking, error) {
	ep.Query, ep.QueryLabels = queries.Rows, queries.Labels
	return RankEpisode(uncounted(ctx), adapt, p.store, ep, p.limit)
}

// otherTask returns the draw of the task half the list further on, or of the first task
// after it that is large enough. Neighbouring tasks are avoided, because they are often
// of one publication and share molecules. It returns nil if no other task is large enough.
func otherTask(tasks []int, at int, draw func(task int) (data.Episode, error)) *data.Episode {
	for i := range len(tasks) - 1 {
		further := 1 + (len(tasks)/2-1+i)%(len(tasks)-1)
		if ep, err := draw(tasks[(at+further)%len(tasks)]); err == nil {
			return &ep
		}
	}
	return nil
}

func both(labels []uint8) bool { return slices.Contains(labels, 0) && slices.Contains(labels, 1) }

func (r Ranking) pick(positions []int) (some Ranking) {
	for _, at := range positions {
		some.Rows, some.Labels, some.Scores = append(some.Rows, r.Rows[at]), append(some.Labels, r.Labels[at]), append(some.Scores, r.Scores[at])
		if r.Order != nil {
			some.Order = append(some.Order, r.Order[at])
		}
		if r.Depths != nil {
			some.Depths = append(some.Depths, r.Depths[at])
		}
	}
	return some
}

// subset returns n random molecules, in their order. The classes keep their shares,
// with at least one molecule of each. It returns all molecules if n is 0 or there
// are at most n.
func (r Ranking) subset(n int, random *rand.Rand) Ranking {
	if n == 0 || n >= len(r.Rows) {
		return r
	}
	var of [2][]int
	for i, label := range r.Labels {
		of[label] = append(of[label], i)
	}
	actives := (n*len(of[1]) + len(r.Rows)/2) / len(r.Rows)
	if len(of[0]) > 0 && len(of[1]) > 0 && n > 1 {
		actives = min(max(actives, 1), n-1)
	}
	var chosen []int
	for label, want := range [2]int{n - actives, actives} {
		random.Shuffle(len(of[label]), func(i, j int) { of[label][i], of[label][j] = of[label][j], of[label][i] })
		chosen = append(chosen, of[label][:min(want, len(of[label]))]...)
	}
	slices.Sort(chosen)
	return r.pick(chosen)
}

// without leaves out the molecules in rows, a support set of another task: a model could
// return their labels there as scores here. If a class would be missing, it returns all.
func (r Ranking) without(rows []int32) Ranking {
	var kept []int
	for i, row := range r.Rows {
		if !slices.Contains(rows, row) {
			kept = append(kept, i)
		}
	}
	if left := r.pick(kept); both(left.Labels) {
		return left
	}
	return r
}

// familiar is the smallest share of the test tasks' molecules with a label in the training
// tasks for which the static score is computed.
const familiar = 0.5

// staticScores returns which molecules of the store have labels in the training tasks, and
// the share of active labels of each. A molecule without labels gets the share over all
// molecules. scores is nil if fewer than familiar of the test molecules have a label.
func staticScores(ds *data.Dataset, train, tests []int) (known []bool, scores []float32) {
	n := ds.Store.Len()
	known = make([]bool, n)
	active, labels := make([]int, n), make([]int, n)
	allActive, all := 0, 0
	for _, task := range train {
		t := &ds.Tasks[task]
		for i, row := range t.Rows {
			labels[row]++
			known[row] = true
			active[row] += int(t.Labels[i])
			allActive += int(t.Labels[i])
		}
		all += len(t.Rows)
	}
	shared, tested := 0, 0
	for _, task := range tests {
		for _, row := range ds.Tasks[task].Rows {
			if tested++; known[row] {
				shared++
			}
		}
	}
	if all == 0 || float64(shared) < familiar*float64(tested) {
		return known, nil
	}
	scores = make([]float32, n)
	for row := range scores {
		if scores[row] = float32(allActive) / float32(all); known[row] {
			scores[row] = float32(active[row]) / float32(labels[row])
		}
	}
	return known, scores
}

package train

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"pacia/data"
	"pacia/evaluate"
	"pacia/run/runconfig"
)

// Length is how long the rest of a run is likely to take.
type Length struct {
	Steps             int     // to come
	StepSeconds       float64 // of one step
	Evaluations       int     // to come, including the one after the last step
	EvaluationSeconds float64 // of one evaluation
	FinalSeconds      float64 // of the evaluation of the selected model at the end
}

// Seconds returns the total time.
func (l Length) Seconds() float64 {
	return float64(l.Steps)*l.StepSeconds + float64(l.Evaluations)*l.EvaluationSeconds + l.FinalSeconds
}

// The run's length is reported after this many steps and seconds: the first steps take
// longer than others, and a single step is not representative.
const (
	forecastSteps   = 5
	forecastSeconds = 3.0
)

// forecast passes an estimate of the run's length to the reporter, once. The time of a step
// is the median so far. The time of an evaluation follows from ranking a few molecules, which
// does not change the run.
func (r *run) forecast(ctx context.Context) {
	f, ok := r.rep.(Forecaster)
	if !ok {
		r.forecasted = true
	}
	if r.forecasted || len(r.first) < forecastSteps || sum(r.first) < forecastSeconds || r.progress.steps() >= r.lastStep() {
		return
	}
	r.forecasted = true
	cost, err := r.sample(ctx)
	if err != nil {
		slog.Debug("no forecast of the run's length", "reason", err)
		return // the next evaluation reports the error in full
	}
	// The median without the first step, which takes the longest by far.
	steps := slices.Sorted(slices.Values(r.first[1:]))
	l := Length{Steps: r.lastStep() - r.progress.steps(), StepSeconds: steps[len(steps)/2]}
	for _, set := range r.evaluated() {
		l.EvaluationSeconds += r.seconds(cost, set, r.cfg.Train.Adaptivity == runconfig.AdaptivityAlways)
	}
	l.Evaluations = r.evaluationsAfter(r.progress.steps())
	if last := r.cfg.Train.TestEvery == runconfig.TestLast; last || r.cfg.Train.Adaptivity == runconfig.AdaptivityLast {
		l.FinalSeconds = r.seconds(cost, r.testing(), r.cfg.Train.Adaptivity != runconfig.AdaptivityNever)
	}
	f.Length(l)
}

// evaluationsAfter counts the evaluations to come after a step that is not the last one. It includes
// the evaluation of the step itself if the run was stopped before it.
func (r *run) evaluationsAfter(step int) (n int) {
	if r.due(step, r.cfg.Train.EvaluateEvery) && !r.progress.evaluated() {
		n++
	}
	every := r.cfg.Train.EvaluateEvery * r.episodes.steps()
	if every == 0 {
		return n + 1
	}
	if n += r.lastStep()/every - step/every; r.lastStep()%every != 0 {
		n++ // after the last step
	}
	return n
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

// cost holds the times from which the length of an evaluation is estimated.
type cost struct {
	adapt, molecule float64 // seconds per support set and per query
}

// sample measures the cost on the first test or validation task that is large enough for a
// support set, with up to 256 queries of all sizes.
func (r *run) sample(ctx context.Context) (c cost, err error) {
	const queries = 256
	o := r.testing().options
	var ep data.Episode
	for _, task := range slices.Concat(r.tasks.test, r.tasks.validation) {
		if ep, err = o.Draw(r.data, task, 0); err == nil {
			break
		}
	}
	if err != nil {
		return c, err
	}
	support, err := data.AssembleSupport(r.data.Store, ep)
	if err != nil {
		return c, err
	}
	begun := time.Now()
	a, err := r.learner.Adapt(support)
	if err != nil {
		return c, err
	}
	defer a.Drop()
	c.adapt = time.Since(begun).Seconds()
	var rows []int32
	sizes := evaluate.BySize(r.data.Store, ep.Query)
	for k := range min(queries, len(sizes)) {
		rows = append(rows, ep.Query[sizes[k*len(sizes)/min(queries, len(sizes))]])
	}
	begun = time.Now()
	_, _, err = evaluate.Rank(ctx, a, &r.limit, r.data.Store, rows)
	c.molecule = time.Since(begun).Seconds() / float64(max(1, len(rows)))
	return c, err
}

// seconds returns how long the evaluation of a task set takes, with or without controls.
func (r *run) seconds(c cost, p taskSet, controls bool) float64 {
	tasks, o := p.tasks, p.options
	draws := float64(len(tasks) * max(1, o.Draws))
	s := draws*c.adapt + float64(evaluate.Molecules(r.data, tasks, o))*c.molecule
	if controls { // ranked again with swapped labels, and with another task's support set
		n := max(1, o.Draws)
		if most := r.cfg.Train.AdaptivityDraws; most > 0 {
			n = min(n, most)
		}
		for _, task := range tasks {
			queries := len(r.data.Tasks[task].Rows)
			if most := r.cfg.Train.AdaptivityQueries; most > 0 {
				queries = min(queries, most)
			}
			s += 2 * float64(n) * (c.adapt + float64(queries)*c.molecule)
		}
	}
	return s
}

// ranking returns a context that passes the progress of an evaluation of these task sets
// to the reporter.
func (r *run) ranking(ctx context.Context, sets ...taskSet) context.Context {
	f, ok := r.rep.(Forecaster)
	if !ok {
		return ctx
	}
	done, total := 0, 0
	for _, p := range sets {
		total += evaluate.Molecules(r.data, p.tasks, p.options)
	}
	return evaluate.WithProgress(ctx, func(n int) {
		done += n
		f.Ranking(min(done, total), total)
	})
}

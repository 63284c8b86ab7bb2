package train

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"pacia/durable"
	"pacia/metrics"
	"pacia/runconfig"
	"pacia/rundir"
)

// evaluate measures the model and finds out whether it is the best so far.
func (r *run) evaluate(ctx context.Context) error {
	begun := time.Now()
	info := rundir.Evaluation{Episode: r.progress.Episode, Metric: r.cfg.Train.Metric}
	if r.cfg.Train.TestEvery != runconfig.TestLast {
		if err := r.measure(ctx, r.tasks.test, &info, info.TakeTest); err != nil {
			return err
		}
	}
	if len(r.tasks.validation) > 0 {
		if err := r.measure(ctx, r.tasks.validation, &info, info.TakeValidation); err != nil {
			return err
		}
	}
	info.Seconds = time.Since(begun).Seconds()
	r.unsaved = true
	if r.progress.take(info, r.cfg.Train.Selection) {
		r.best = true
	}
	r.rep.Evaluation(info)
	return r.log.add(info)
}

// measure evaluates tasks and gives the figures to take.
func (r *run) measure(ctx context.Context, tasks []int, info *rundir.Evaluation, take func([]metrics.Figures)) error {
	o := EvalOptionsOf(r.cfg, uint64(info.Episode))
	o.limit = &r.limit
	all, n, err := evaluate(ctx, r.learner.Adapt, r.data, tasks, o)
	if err != nil {
		return fmt.Errorf("episode %d: %w", info.Episode, err)
	}
	take(all)
	info.Queries += n
	info.LeftOut += len(tasks) * max(1, o.Draws)
	for _, t := range all {
		info.LeftOut -= t.Draws
	}
	return nil
}

// testSelected evaluates the test tasks with the model that was selected, where
// that was left to the end. last.ckpt has the last model already, and metrics.jsonl
// nothing of this: a finished run that is resumed does it again.
func (r *run) testSelected(ctx context.Context) error {
	c, err := open(filepath.Join(r.dir, rundir.BestFile))
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.restore(forPrediction(r.cfg, r.learner.State())); err != nil {
		return err
	}
	begun := time.Now()
	info := rundir.Evaluation{Episode: c.Episode(), Metric: r.cfg.Train.Metric, Selected: true}
	if err := r.measure(ctx, r.tasks.test, &info, info.TakeTest); err != nil {
		if ctx.Err() != nil {
			return r.stop()
		}
		return err
	}
	info.Seconds = time.Since(begun).Seconds()
	r.progress.tested(info)
	r.rep.Evaluation(info)
	return nil
}

// finish writes the summary.
func (r *run) finish(info StartInfo) (rundir.Summary, error) {
	s := r.progress.summary(r.cfg)
	s.Dataset, s.Adaptive, s.Parameters = info.Dataset, info.Adaptive, map[string]int{}
	for _, part := range info.Parameters {
		s.Parameters[part.Part] = part.Count
		s.Total += part.Count
	}
	if err := durable.WriteJSON(filepath.Join(r.dir, rundir.SummaryFile), s); err != nil {
		return rundir.Summary{}, err
	}
	r.rep.Done(s)
	return s, nil
}

// meta describes the run as it stands.
func (r *run) meta() Meta {
	r.progress.Seconds = (r.before + time.Since(r.begun)).Seconds()
	return Meta{
		Config: r.cfg, Dataset: r.data.Name, DataHash: r.data.Hash, Tasks: r.taskNames(),
		Progress: r.progress, AdamSteps: r.learner.Steps(),
	}
}

func (r *run) taskNames() TaskNames {
	names := func(numbers []int) []string {
		list := make([]string, len(numbers))
		for i, n := range numbers {
			list[i] = r.data.Tasks[n].Name
		}
		return list
	}
	return TaskNames{names(r.tasks.train), names(r.tasks.validation), names(r.tasks.test)}
}

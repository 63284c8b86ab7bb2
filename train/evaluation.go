package train

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"pacia/checkpoint"
	"pacia/evaluate"
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
	o := evaluate.OptionsOf(r.cfg, uint64(info.Episode))
	o.Limit = &r.limit
	all, n, err := evaluate.Tasks(ctx, r.learner.Adapt, r.data, tasks, o)
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
	c, err := checkpoint.Open(filepath.Join(r.dir, rundir.BestFile))
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Restore(checkpoint.ForPrediction(r.cfg, r.learner.State())); err != nil {
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

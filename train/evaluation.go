package train

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"pacia/evaluate"
	"pacia/metrics"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// taskSet holds the tasks of an evaluation, test or validation tasks, and its options.
type taskSet struct {
	tasks   []int
	options evaluate.Options
}

// testing returns the test tasks, with the options for the current episode.
func (r *run) testing() taskSet {
	return taskSet{r.tasks.test, evaluate.OptionsOf(r.cfg, uint64(r.progress.Episode))}
}

// validating returns the validation tasks, with the options for the current episode.
func (r *run) validating() taskSet {
	p := taskSet{r.tasks.validation, evaluate.OptionsOf(r.cfg, uint64(r.progress.Episode))}
	p.options.Draws = r.cfg.Train.DrawsOfValidation()
	return p
}

// evaluated returns the task sets of each evaluation.
func (r *run) evaluated() (sets []taskSet) {
	if r.cfg.Train.TestEvery != runconfig.TestLast {
		sets = append(sets, r.testing())
	}
	if len(r.tasks.validation) > 0 {
		sets = append(sets, r.validating())
	}
	return sets
}

// evaluate measures the model, where this is due, and records whether it is the best so far.
func (r *run) evaluate(ctx context.Context) error {
	if !r.due(r.progress.steps(), r.cfg.Train.EvaluateEvery) || r.progress.evaluated() {
		return nil
	}
	begun := time.Now()
	info := rundir.Evaluation{Episode: r.progress.Episode, Step: r.progress.Step, Metric: r.cfg.Train.Metric}
	ctx = r.ranking(ctx, r.evaluated()...)
	var controls *evaluate.Controls
	if r.cfg.Train.Adaptivity == runconfig.AdaptivityAlways {
		controls = r.controls()
	}
	err := r.learner.Averaged(func() error {
		if r.cfg.Train.TestEvery != runconfig.TestLast {
			if err := r.measure(ctx, r.testing(), &info, controls, info.AddTest); err != nil {
				return err
			}
		}
		if len(r.tasks.validation) == 0 {
			return nil
		}
		return r.measure(ctx, r.validating(), &info, controls, info.AddValidation)
	})
	if err != nil {
		return err
	}
	info.Seconds = time.Since(begun).Seconds()
	r.unsaved = true
	if r.progress.addEvaluation(info, r.cfg.Train.Selection) {
		r.best = true
	}
	r.rep.Evaluation(info)
	return r.log.Add(info)
}

// controls returns the controls that measure adaptivity.
func (r *run) controls() *evaluate.Controls { return evaluate.ControlsOf(r.cfg, r.tasks.train) }

// measure evaluates a task set, with controls unless they are nil, and passes the figures
// to take.
func (r *run) measure(ctx context.Context, p taskSet, info *rundir.Evaluation, controls *evaluate.Controls, take func([]metrics.Figures)) error {
	o := p.options
	o.Limit, o.Controls = &r.limit, controls
	all, n, err := evaluate.Tasks(ctx, evaluate.Adapter(r.learner.Adapt), r.data, p.tasks, o)
	if err != nil {
		return fmt.Errorf("episode %d: %w", info.Episode, err)
	}
	take(all)
	info.Queries += n
	info.LeftOut += len(p.tasks) * max(1, o.Draws)
	for _, t := range all {
		info.LeftOut -= t.Draws
	}
	return nil
}

// testSelected evaluates the test tasks with the selected model at the end of a run, if
// test_every or adaptivity is "last". The result is not in last.ckpt, which was written
// before. Its line in metrics.jsonl is removed when the run continues. Resuming a finished
// run repeats the evaluation.
func (r *run) testSelected(ctx context.Context) error {
	first := r.cfg.Train.TestEvery == runconfig.TestLast
	if !first && r.cfg.Train.Adaptivity != runconfig.AdaptivityLast {
		return nil
	}
	path := filepath.Join(r.dir, rundir.BestFile)
	if _, err := os.Lstat(path); !first && errors.Is(err, fs.ErrNotExist) {
		return nil // best.ckpt was removed since: the run still has its figures, without adaptivity
	}
	c, err := checkpoint.Open(path)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := r.learner.Flush(); err != nil {
		return err
	}
	if err := c.Restore(checkpoint.ForPrediction(r.cfg, r.learner.State())); err != nil {
		return err
	}
	var controls *evaluate.Controls
	if r.cfg.Train.Adaptivity != runconfig.AdaptivityNever {
		controls = r.controls()
	}
	begun := time.Now()
	info := rundir.Evaluation{Episode: c.Episode(), Step: c.Progress.Step, Metric: r.cfg.Train.Metric, Selected: true}
	p := taskSet{r.tasks.test, evaluate.OptionsOf(r.cfg, uint64(info.Episode))}
	ctx = r.ranking(ctx, p)
	if err := r.measure(ctx, p, &info, controls, info.AddTest); err != nil {
		if ctx.Err() != nil {
			return r.stop()
		}
		return err
	}
	info.Seconds = time.Since(begun).Seconds()
	r.progress.tested(info)
	r.rep.Evaluation(info)
	return r.log.Add(info)
}

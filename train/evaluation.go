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

// taskSet is what an evaluation is of: the test tasks or the validation tasks.
type taskSet struct {
	tasks   []int
	options evaluate.Options
}

// testing is that of the test tasks, after the current episode.
func (r *run) testing() taskSet {
	return taskSet{r.tasks.test, evaluate.OptionsOf(r.cfg, uint64(r.progress.Episode))}
}

// validating is that of the validation tasks, after the current episode.
func (r *run) validating() taskSet {
	p := taskSet{r.tasks.validation, evaluate.OptionsOf(r.cfg, uint64(r.progress.Episode))}
	p.options.Draws = r.cfg.Train.DrawsOfValidation()
	return p
}

// evaluated are the parts of each evaluation.
func (r *run) evaluated() (sets []taskSet) {
	if r.cfg.Train.TestEvery != runconfig.TestLast {
		sets = append(sets, r.testing())
	}
	if len(r.tasks.validation) > 0 {
		sets = append(sets, r.validating())
	}
	return sets
}

// evaluate measures the model and finds out whether it is the best so far.
func (r *run) evaluate(ctx context.Context) error {
	begun := time.Now()
	info := rundir.Evaluation{Episode: r.progress.Episode, Step: r.progress.Step, Metric: r.cfg.Train.Metric}
	ctx = r.ranking(ctx, r.evaluated()...)
	var controls *evaluate.Controls
	if r.cfg.Train.Adaptivity == runconfig.AdaptivityAlways {
		controls = r.controls()
	}
	err := r.learner.Averaged(func() error {
		if r.cfg.Train.TestEvery != runconfig.TestLast {
			if err := r.measure(ctx, r.testing(), &info, controls, info.TakeTest); err != nil {
				return err
			}
		}
		if len(r.tasks.validation) == 0 {
			return nil
		}
		return r.measure(ctx, r.validating(), &info, controls, info.TakeValidation)
	})
	if err != nil {
		return err
	}
	info.Seconds = time.Since(begun).Seconds()
	r.unsaved = true
	if r.progress.take(info, r.cfg.Train.Selection) {
		r.best = true
	}
	r.rep.Evaluation(info)
	return r.log.add(info)
}

// controls are those of the run's adaptivity.
func (r *run) controls() *evaluate.Controls { return evaluate.ControlsOf(r.cfg, r.tasks.train) }

// measure evaluates a part, with controls where there are any, and gives the figures
// to take.
func (r *run) measure(ctx context.Context, p taskSet, info *rundir.Evaluation, controls *evaluate.Controls, take func([]metrics.Figures)) error {
	o := p.options
	o.Limit, o.Controls = &r.limit, controls
	all, n, err := evaluate.Tasks(ctx, r.learner.Adapt, r.data, p.tasks, o)
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

// testSelected evaluates the test tasks with the model that was selected, where that,
// or its adaptivity, was left to the end. last.ckpt has the last model already, and
// nothing of this; metrics.jsonl has a line that goes when the run goes on. A finished
// run that is resumed does it again.
func (r *run) testSelected(ctx context.Context) error {
	first := r.cfg.Train.TestEvery == runconfig.TestLast
	if !first && r.cfg.Train.Adaptivity != runconfig.AdaptivityLast {
		return nil
	}
	path := filepath.Join(r.dir, rundir.BestFile)
	if _, err := os.Lstat(path); !first && errors.Is(err, fs.ErrNotExist) {
		return nil // taken away since: the figures that select a model are there
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
	if err := r.measure(ctx, p, &info, controls, info.TakeTest); err != nil {
		if ctx.Err() != nil {
			return r.stop()
		}
		return err
	}
	info.Seconds = time.Since(begun).Seconds()
	r.progress.tested(info)
	r.rep.Evaluation(info)
	return r.log.add(info)
}

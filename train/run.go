package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// ErrStopped is returned by Run when its context ends before the last episode:
// the steps under way were finished and saved.
var ErrStopped = errors.New("stopped before the last episode")

// ErrNotBegun is the [ErrStopped] of a run that was stopped before its data set was
// open.
var ErrNotBegun = fmt.Errorf("%w, while the data set was opened", ErrStopped)

// Run trains a model as cfg says and leaves config.yaml, metrics.jsonl, the same as
// events for TensorBoard, last.ckpt, best.ckpt and summary.json in dir. With resume it
// continues the run that dir holds, or starts one where there is none yet; without
// resume a dir that holds a run is refused. It returns an error that wraps ErrStopped
// when ctx ends, and one that wraps a *badinput.Error for bad input.
func Run(ctx context.Context, cfg runconfig.Config, dir string, resume bool, rep Reporter) (s rundir.Summary, err error) {
	if cfg.Train.Replicas > 1 {
		return rundir.Summary{}, &badinput.Error{What: fmt.Sprintf("train.replicas: here one model is trained, not %d", cfg.Train.Replicas),
			Fix: "write train.replicas=1"}
	}
	err = ops.Pinned(cfg.Threads, func() error {
		cfg.SetPrecision()
		s, err = runWith(ctx, newTrainee, cfg, dir, resume, rep)
		return err
	})
	return s, err
}

func runWith(ctx context.Context, build builder, cfg runconfig.Config, dir string, resume bool, rep Reporter) (rundir.Summary, error) {
	r, info, err := prepare(ctx, build, nil, cfg, dir, resume)
	if err != nil {
		return rundir.Summary{}, err
	}
	return r.toEnd(ctx, info, rep)
}

// toEnd makes a prepared run and closes it.
func (r *run) toEnd(ctx context.Context, info StartInfo, rep Reporter) (s rundir.Summary, err error) {
	defer func() { err = errors.Join(err, r.Close()) }()
	r.rep = rep
	rep.Start(info)
	if err := r.train(ctx); err != nil {
		return rundir.Summary{}, r.explained(err)
	}
	if err := r.testSelected(ctx); err != nil {
		return rundir.Summary{}, r.explained(err)
	}
	return r.finish(info)
}

func (r *run) finish(info StartInfo) (rundir.Summary, error) {
	s := r.progress.summary(r.cfg)
	s.Dataset, s.Adaptive, s.Parameters = info.Dataset, info.Adaptive, map[string]int{}
	for _, part := range info.Parameters {
		s.Parameters[part.Part] = part.Count
		s.Total += part.Count
	}
	if err := r.forgetFailure(); err != nil {
		return rundir.Summary{}, err
	}
	s, err := rundir.WriteSummary(r.dir, s)
	if err != nil {
		return rundir.Summary{}, err
	}
	r.rep.Done(s)
	return s, nil
}

// run is a training run under way.
type run struct {
	cfg      runconfig.Config
	dir      string
	rep      Reporter
	data     *data.Dataset
	ownData  bool        // to be closed with the run
	from     os.FileInfo // of the last.ckpt that the run goes on from; nil: it begins
	tasks    tasks
	episodes episodes
	learner  learner
	log      *metricsLog
	progress progress
	saved    int  // episode that last.ckpt holds, once no write is under way; -1: there is none
	lost     bool // the device is, and all tensors with it
	unsaved  bool // last.ckpt does not hold, nor will, all that was done and found
	best     bool // best.ckpt does not hold, nor will, the model, which is the best so far
	limit    evaluate.QueryLimit
	first    []float64 // seconds of the first steps, until the run's length was told
	told     bool      // it was
	writer   writer    // of checkpoints
	write    func(path string, meta checkpoint.Meta, variables []checkpoint.Variable) error
	before   time.Duration // training time of the processes before this one
	begun    time.Time
}

// train is the episode loop. Evaluations and saves come first in it, so that a
// run that was stopped before one of them makes up for it when it is resumed.
func (r *run) train(ctx context.Context) error {
	if err := r.superviseFirst(ctx); err != nil {
		return err
	}
	ahead, stop := r.batches()
	defer stop()
	if err := r.saveFirst(); err != nil {
		return err
	}
	for {
		if r.due(r.progress.steps(), r.cfg.Train.EvaluateEvery) && !r.progress.evaluated() {
			if err := r.evaluate(ctx); err != nil && !errors.Is(err, ctx.Err()) {
				return err
			}
		}
		if ctx.Err() != nil {
			return r.stop()
		}
		if err := r.save(); err != nil {
			return err
		}
		if r.progress.steps() >= r.lastStep() {
			return r.writer.wait()
		}
		if err := r.steps(ctx, ahead); err != nil {
			return err
		}
		r.forecast(ctx)
	}
}

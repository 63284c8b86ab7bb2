package train

import (
	"context"
	"errors"
	"fmt"
	"os"

	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/run/loop"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// ErrStopped is returned by Run when its context ends before the last episode.
// The steps under way were finished and saved.
var ErrStopped = errors.New("stopped before the last episode")

// ErrNotBegun is the [ErrStopped] of a run that was stopped while its data set was
// being opened.
var ErrNotBegun = fmt.Errorf("%w, while the data set was opened", ErrStopped)

// Run trains a model with the settings cfg. It writes config.yaml, metrics.jsonl, the
// same metrics as events for TensorBoard, last.ckpt, best.ckpt and summary.json to dir.
// With resume it continues the run in dir, or starts one if dir holds none. Without
// resume it refuses a dir that holds a run. The error wraps ErrStopped if ctx ends, and
// a *badinput.Error for bad input.
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

// toEnd executes a prepared run and closes it.
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
	if err := rundir.ForgetFailure(r.dir); err != nil {
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
	from     os.FileInfo // of the last.ckpt that the run is resumed from; nil: a new run
	tasks    tasks
	episodes episodes
	learner  learner
	log      *metricsLog
	progress progress
	saved    int  // episode of last.ckpt, once no write is under way; -1: no file
	lost     bool // the device is lost, and all tensors with it
	unsaved  bool // there are steps or evaluations since the content of last.ckpt
	best     bool // the model is the best so far, and not yet passed to the writer
	limit    evaluate.QueryLimit
	first    []float64 // seconds of the first steps, until the forecast
	writer   writer    // of checkpoints
	write    func(path string, meta checkpoint.Meta, variables []checkpoint.Variable) error
	loop.Clock

	forecasted bool // the run's length was reported
}

// train makes the steps of the run.
func (r *run) train(ctx context.Context) error {
	if err := r.superviseFirst(ctx); err != nil {
		return err
	}
	ahead, stop := r.batches()
	defer stop()
	if err := r.saveFirst(); err != nil {
		return err
	}
	return loop.Loop{
		Measure: r.evaluate,
		Save:    r.save,
		Done:    func() bool { return r.progress.steps() >= r.lastStep() },
		Steps:   func(ctx context.Context) error { return r.steps(ctx, ahead) },
		Stop:    r.stop,
		End:     r.writer.wait,
	}.Run(ctx)
}

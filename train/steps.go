package train

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"pacia/run/rundir"
)

// batches assembles and prepares the batches of the next steps while steps run. After
// stop returns, no goroutine reads molecules, and the data set can be closed.
func (r *run) batches() (values <-chan prepared[step], stop func()) {
	return ahead(r.progress.steps()+1, r.lastStep(), func(number int) (step, error) {
		s, err := r.episodes.draw(number)
		if err == nil {
			r.learner.Prepare(s.Batch)
		}
		return s, err
	})
}

// steps makes the next steps and reports them. It makes learner.Ahead() steps, or
// fewer if the model is evaluated or saved in between, or if ctx ends.
func (r *run) steps(ctx context.Context, ahead <-chan prepared[step]) error {
	begun, tensors := time.Now(), r.learner.Tensors()
	submitted, failure := r.submit(ctx, ahead)
	outcomes, err := r.learner.Collect()
	seconds := time.Since(begun).Seconds() / float64(max(1, len(outcomes)))
	tensors = (r.learner.Tensors() - tensors) / int64(max(1, len(outcomes)))
	for i, o := range outcomes {
		s := submitted[i]
		if err := refused(o); err != nil {
			return r.failed(s, err)
		}
		r.progress.addStep(s.Number, r.episodes.steps())
		r.unsaved = true
		info := rundir.Step{
			Episode: s.Episode, Step: r.progress.Step, Loss: o.Loss, GradNorm: o.Norm, Rate: r.rate(s.Number),
			Seconds: seconds, Tensors: tensors, Launches: r.learner.Launches(),
		}
		r.rep.Step(info)
		if !r.forecasted {
			r.first = append(r.first, seconds)
		}
		if err := r.log.Add(info); err != nil {
			return err
		}
	}
	if err = cmp.Or(failure, err); len(outcomes) == len(submitted) {
		if err == nil {
			r.forecast(ctx)
		}
		return err
	}
	if err == nil {
		err = fmt.Errorf("%d of %d steps were completed", len(outcomes), len(submitted))
	}
	return r.failed(submitted[len(outcomes)], err)
}

// submit starts steps and returns them. With an error of Submit, the last step
// returned is the one that could not be started.
func (r *run) submit(ctx context.Context, ahead <-chan prepared[step]) (submitted []step, err error) {
	for {
		drawn := <-ahead
		if drawn.err != nil {
			return submitted, drawn.err
		}
		s := drawn.value
		submitted = append(submitted, s)
		if err := r.learner.Submit(s.Batch, s.Dropout); err != nil {
			return submitted, err
		}
		if len(submitted) == r.learner.Ahead() || r.readAfter(s.Number) {
			return submitted, nil
		}
		select {
		case <-ctx.Done():
			return submitted, nil
		default:
		}
	}
}

func (r *run) rate(step int) float64 {
	return r.cfg.Train.LearningRate * r.cfg.Train.RateSchedule(len(r.tasks.learned)).Share(step)
}

func (r *run) lastStep() int { return r.cfg.Train.Episodes * r.episodes.steps() }

// readAfter reports whether the model is evaluated or saved after a step.
func (r *run) readAfter(step int) bool {
	return r.due(step, r.cfg.Train.EvaluateEvery) || r.due(step, r.cfg.Train.CheckpointEvery)
}

// due reports whether something is due after the given step: it is due after the last step and,
// if every is not 0, after each such number of episodes.
func (r *run) due(step, every int) bool {
	return step == r.lastStep() || every > 0 && step > 0 && step%(every*r.episodes.steps()) == 0
}

// prepared is a value produced by ahead, or an error.
type prepared[T any] struct {
	value T
	err   error
}

// ahead computes value(first) to value(last), in order, in its own goroutine and one
// ahead of the reader. stop ends the goroutine and waits for it. value must not use
// tensors: those belong to one thread.
func ahead[T any](first, last int, value func(i int) (T, error)) (_ <-chan prepared[T], stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	values, ended := make(chan prepared[T]), make(chan struct{})
	go func() {
		defer close(ended)
		defer close(values)
		for i := first; i <= last && ctx.Err() == nil; i++ {
			v, err := value(i)
			select {
			case values <- prepared[T]{v, err}:
			case <-ctx.Done():
			}
		}
	}()
	return values, func() {
		cancel()
		<-ended
	}
}

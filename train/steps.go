package train

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"pacia/run/rundir"
)

// batches assembles and prepares the batches of the episodes to come while
// steps run, until stop. Then nothing reads molecules any longer, and the data set can be
// closed.
func (r *run) batches() (values <-chan made[step], stop func()) {
	return ahead(r.progress.steps()+1, r.lastStep(), func(number int) (step, error) {
		s, err := r.episodes.draw(number)
		if err == nil {
			r.learner.Prepare(s.Batch)
		}
		return s, err
	})
}

// steps makes the next steps and reports them: as many as the learner has under
// way at a time, fewer where something looks at the model before, or where ctx
// ends.
func (r *run) steps(ctx context.Context, ahead <-chan made[step]) error {
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
		r.progress.made(s.Number, r.episodes.steps())
		r.unsaved = true
		info := rundir.Step{
			Episode: s.Episode, Step: r.progress.Step, Loss: o.Loss, GradNorm: o.Norm, Rate: r.rate(s.Number),
			Seconds: seconds, Tensors: tensors, Launches: r.learner.Launches(),
		}
		r.rep.Step(info)
		if !r.told {
			r.first = append(r.first, seconds)
		}
		if err := r.log.add(info); err != nil {
			return err
		}
	}
	err = cmp.Or(failure, err)
	if len(outcomes) == len(submitted) {
		return err
	}
	if err == nil {
		err = fmt.Errorf("%d of %d steps came to an end", len(outcomes), len(submitted))
	}
	return r.failed(submitted[len(outcomes)], err)
}

// submit starts steps and returns them; where one could not be started, it is
// the last one.
func (r *run) submit(ctx context.Context, ahead <-chan made[step]) (submitted []step, err error) {
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
		if len(submitted) == r.learner.Ahead() || r.looksAfter(s.Number) {
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

// looksAfter reports whether the model is evaluated or saved after a step.
func (r *run) looksAfter(step int) bool {
	return r.due(step, r.cfg.Train.EvaluateEvery) || r.due(step, r.cfg.Train.CheckpointEvery)
}

// due reports whether something that happens every so many episodes, and after
// the last one, happens after the given step.
func (r *run) due(step, every int) bool {
	return step == r.lastStep() || every > 0 && step > 0 && step%(every*r.episodes.steps()) == 0
}

// made is a value of ahead, or the error in its place.
type made[T any] struct {
	value T
	err   error
}

// ahead makes the values of first to last, in order, one ahead of their reader
// and in a goroutine of its own, which ends after the last one or with stop, which waits
// for its end. The values must not need tensors: those belong to one thread.
func ahead[T any](first, last int, value func(i int) (T, error)) (_ <-chan made[T], stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	values, ended := make(chan made[T]), make(chan struct{})
	go func() {
		defer close(ended)
		defer close(values)
		for i := first; i <= last && ctx.Err() == nil; i++ {
			v, err := value(i)
			select {
			case values <- made[T]{v, err}:
			case <-ctx.Done():
			}
		}
	}()
	return values, func() {
		cancel()
		<-ended
	}
}

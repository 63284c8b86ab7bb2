package pretrain

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pacia/data"
	"pacia/ops"
)

// logEvery is the number of steps between two lines of the log.
const logEvery = 10

// perEpoch returns the number of whole batches. The remaining molecules, which differ
// between epochs, are skipped.
func (r *run) perEpoch() int { return max(1, len(r.learn)/r.Batch) }

// epoch returns the epoch of the current step, both counted from 1, and 0 before the first step.
func (r *run) epoch() int { return (r.step + r.perEpoch() - 1) / r.perEpoch() }

// makeStep makes the next step, unless ctx ends while a stage of the task begins.
func (r *run) makeStep(ctx context.Context) (err error) {
	if t, ok := r.network.task.(stager); ok {
		err = t.begin(ctx, r)
	}
	if err != nil {
		return fmt.Errorf("step %d: %w", r.step+1, err)
	}
	if ctx.Err() != nil {
		return nil
	}
	in := r.step % r.perEpoch()
	if in == 0 || r.order == nil {
		r.order = r.shuffled()
	}
	r.step++
	if err := r.learnFrom(r.order[in*r.Batch : min((in+1)*r.Batch, len(r.order))]); err != nil {
		return fmt.Errorf("step %d: %w", r.step, err)
	}
	return nil
}

// shuffled returns the order of the molecules in the epoch that begins.
func (r *run) shuffled() []int32 {
	order := append([]int32(nil), r.learn...)
	data.Rand(r.Seed, "pretrain order", uint64(r.step/r.perEpoch())).Shuffle(len(order), func(i, j int) {
		order[i], order[j] = order[j], order[i]
	})
	return order
}

// learnFrom makes a step on molecules of the library.
func (r *run) learnFrom(rows []int32) error {
	epoch := uint64(r.epoch())
	q := r.network.ask(rows, func(row int32) *rand.Rand {
		return data.Rand(r.Seed, "pretrain question", epoch<<32|uint64(row))
	})
	if q == nil {
		return nil
	}
	a, err := q.answer(ops.Mode{Training: true, Key: data.Rand(r.Seed, "pretrain dropout", uint64(r.step)).Uint64()})
	if err != nil {
		return err
	}
	defer a.drop()
	loss, err := ops.Number(a.loss)
	if err != nil {
		return fmt.Errorf("the loss is %w; a smaller --learning-rate may help", err)
	}
	if err := ops.Backward(a.loss); err != nil {
		return err
	}
	if _, err := r.adam.Step(); err != nil {
		return err
	}
	r.rep.Step(r.step, loss)
	if r.step%logEvery != 0 {
		return nil
	}
	marks, err := grade(q, a)
	if err != nil {
		return err
	}
	f := figures(marks...)
	return r.log.Add(Entry{Epoch: r.epoch(), Step: r.step, Training: &f})
}

// measure answers the questions about the molecules held out, with running averages.
func (r *run) measure() error {
	var marks []tally
	err := ops.WithoutGrad(func() error {
		for _, q := range r.exam {
			a, err := q.answer(ops.Mode{})
			if err != nil {
				return err
			}
			m, err := grade(q, a)
			a.drop()
			if err != nil {
				return err
			}
			marks = append(marks, m...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	f := figures(marks...)
	r.last = Entry{Epoch: r.epoch(), Step: r.step, HeldOut: &f}
	r.rep.Measured(r.last)
	return r.log.Add(r.last)
}

// measureIfDue measures before the first step, after each epoch and in the end.
func (r *run) measureIfDue() error {
	if r.step%r.perEpoch() != 0 && r.step != r.total || r.last.HeldOut != nil && r.last.Step == r.step {
		return nil
	}
	if err := r.measure(); err != nil {
		return err
	}
	if r.first.HeldOut == nil {
		r.first = r.last
	}
	return nil
}

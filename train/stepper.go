package train

import (
	"errors"
	"fmt"
	"math"

	"pacia/data"
	"pacia/model"
	"pacia/ops"
)

// stepper makes optimisation steps, which may still be under way when the next
// ones are submitted: a step on a GPU takes less time than waiting for it.
type stepper interface {
	// Submit starts a step on b and may return before it is done. The dropout
	// masks are a function of dropout. b must stay as it is until Collect.
	Submit(b *data.Batch, dropout uint64) error
	// Collect waits for the steps submitted since the last call and returns what
	// each came to, in order. At a step whose loss or gradient is not finite it
	// stops: that step's outcome is the last one, and it and all later ones have
	// changed nothing.
	Collect() ([]Outcome, error)
	// Ahead is how many steps may be submitted before Collect.
	Ahead() int
	// Launches is how many kernels and copies the latest step consists of, where
	// they are started as one, or 0.
	Launches() int
	// Close gives back what the steps took. None may be under way.
	Close()
}

// Outcome is what one step came to.
type Outcome struct {
	Loss float64
	Norm float64 // of the gradient, before clipping
	Err  error   // nil, or wraps ops.ErrNotFinite: the step changed nothing
}

// atOnce is the stepper of the CPU: a step is done when Submit returns.
type atOnce struct {
	model interface {
		// Backward computes the loss of b and leaves its gradients in the
		// parameters.
		Backward(b *data.Batch, dropout uint64) (loss float64, err error)
	}
	optimiser interface {
		// Step updates the parameters and clears their gradients. It returns the
		// norm of the gradient before clipping; where that is not finite, the
		// error says so and nothing was updated.
		Step() (norm float64, err error)
	}
	done []Outcome
}

func (s *atOnce) Ahead() int    { return 1 }
func (s *atOnce) Launches() int { return 0 }
func (s *atOnce) Close()        {}

func (s *atOnce) Submit(b *data.Batch, dropout uint64) error {
	if s.failed() {
		return nil
	}
	var o Outcome
	if o.Loss, o.Err = s.model.Backward(b, dropout); o.Err == nil {
		if math.IsNaN(o.Loss) || math.IsInf(o.Loss, 0) {
			o.Err = fmt.Errorf("the loss is %v: %w", o.Loss, ops.ErrNotFinite)
		} else {
			o.Norm, o.Err = s.optimiser.Step()
		}
	}
	if o.Err != nil && !errors.Is(o.Err, ops.ErrNotFinite) {
		return o.Err
	}
	s.done = append(s.done, o)
	return nil
}

// failed reports whether a step has that is not collected yet.
func (s *atOnce) failed() bool { return len(s.done) > 0 && s.done[len(s.done)-1].Err != nil }

func (s *atOnce) Collect() ([]Outcome, error) {
	done := s.done
	s.done = nil
	return done, nil
}

// onDevice is the stepper of a GPU, which waits for its steps in Collect only.
type onDevice struct{ *model.Stepper }

func (s onDevice) Collect() ([]Outcome, error) {
	made, err := s.Stepper.Collect()
	outcomes := make([]Outcome, len(made))
	for i, o := range made {
		outcomes[i] = Outcome{Loss: o.Loss, Norm: o.Norm}
		if !o.Finite() {
			outcomes[i].Err = fmt.Errorf("the loss is %v, the norm of the gradients %v: %w", o.Loss, o.Norm, ops.ErrNotFinite)
		}
	}
	return outcomes, err
}

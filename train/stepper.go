package train

import (
	"errors"
	"fmt"
	"math"

	"pacia/data"
	"pacia/ops"
)

// stepper makes optimisation steps. A step may still be under way when the next
// one is submitted: on a GPU a step takes less time than waiting for its result.
type stepper interface {
	// Submit starts a step on b and may return before it is done. The dropout
	// masks are a function of dropout. b must not change until Collect.
	Submit(b *data.Batch, dropout uint64) error
	// Collect waits for the steps submitted since the last call and returns
	// their outcomes, in order. If the loss or gradient of a step is not finite,
	// its outcome is the last one, and neither it nor later steps have changed
	// the model.
	Collect() ([]ops.StepOutcome, error)
	// Ahead returns how many steps may be submitted before Collect.
	Ahead() int
	// Launches returns the number of kernels and copies of the latest step if they
	// were launched as one graph, or 0.
	Launches() int
	// Close releases the resources of the steps. No step may be under way.
	Close()
}

// refused returns why a step with that outcome was not made, or nil.
func refused(o ops.StepOutcome) error {
	switch {
	case o.Finite():
		return nil
	case math.IsNaN(o.Loss) || math.IsInf(o.Loss, 0):
		return fmt.Errorf("the loss is %v: %w", o.Loss, ops.ErrNotFinite)
	}
	return fmt.Errorf("the norm of the gradients is %v: %w", o.Norm, ops.ErrNotFinite)
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
		// norm of the gradient before clipping. If the norm is not finite, it
		// returns an error and updates nothing.
		Step() (norm float64, err error)
	}
	done []ops.StepOutcome
}

func (s *atOnce) Ahead() int    { return 1 }
func (s *atOnce) Launches() int { return 0 }
func (s *atOnce) Close()        {}

func (s *atOnce) Submit(b *data.Batch, dropout uint64) error {
	if s.failed() {
		return nil
	}
	var o ops.StepOutcome
	var err error
	if o.Loss, err = s.model.Backward(b, dropout); err == nil && o.Finite() {
		o.Norm, err = s.optimiser.Step()
	}
	switch {
	case errors.Is(err, ops.ErrNotFinite) && o.Finite():
		o.Norm = math.NaN()
	case err != nil && !errors.Is(err, ops.ErrNotFinite):
		return err
	}
	s.done = append(s.done, o)
	return nil
}

// failed reports whether a step that is not collected yet has failed.
func (s *atOnce) failed() bool { return len(s.done) > 0 && !s.done[len(s.done)-1].Finite() }

func (s *atOnce) Collect() ([]ops.StepOutcome, error) {
	done := s.done
	s.done = nil
	return done, nil
}

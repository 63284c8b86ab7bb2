package ops

import (
	"fmt"

	"github.com/sugarme/gotch/ts"
)

// share is a set of parameters with a share of Adam's learning rate.
type share struct {
	of     float64
	params List
	before List // their values before a step
}

// Rate sets the learning rate of the steps to come.
func (a *Adam) Rate(rate float64) { a.options.LR = rate }

// Share gives some of the parameters a share of the learning rate; none may lag. A step
// of Adam, decay included, is proportional to the rate, so that the share of a whole step
// is taken after it: that is one copy of these parameters, and no other kernel. It holds
// for Step, not for steps that an [AdamStep] launches.
func (a *Adam) Share(params []*ts.Tensor, of float64) error {
	for _, p := range params {
		i, err := a.place(p)
		if err != nil {
			return err
		}
		if a.made[i] != nil {
			return fmt.Errorf("adam: a parameter that lags cannot have a share of the learning rate")
		}
	}
	before, err := ListLike(params, false)
	if err != nil {
		return fmt.Errorf("adam: %w", err)
	}
	a.shares = append(a.shares, share{of, params, before})
	return nil
}

func (a *Adam) sharing() (norm float64, err error) {
	for _, s := range a.shares {
		if err := s.before.Copy(s.params); err != nil {
			return 0, fmt.Errorf("adam: %w", err)
		}
	}
	if norm, err = a.step(); err != nil {
		return norm, err
	}
	for _, s := range a.shares {
		if err := s.params.Add(s.of, s.before, 1-s.of); err != nil {
			return norm, fmt.Errorf("adam: %w", err)
		}
	}
	return norm, nil
}

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

// Rate sets the learning rate of later steps.
func (a *Adam) Rate(rate float64) { a.options.LR = rate }

// Share gives some parameters a share of the learning rate. They must not have deferred
// rows. A step of Adam with its decay is proportional to the rate. So Step makes a whole
// step and then takes a share of the change, which needs a copy of these parameters and
// no other kernel. Share affects Step, not steps that an [AdamStep] launches.
func (a *Adam) Share(params []*ts.Tensor, of float64) error {
	for _, p := range params {
		i, err := a.place(p)
		if err != nil {
			return err
		}
		if a.made[i] != nil {
			return fmt.Errorf("adam: a parameter with deferred rows cannot have a share of the learning rate")
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

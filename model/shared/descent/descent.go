package descent

import (
	"fmt"
	"math"

	"pacia/ops"
)

// Descent is the optimiser φ ← φ − α·g, with clipped gradients g.
type Descent struct {
	params ops.List
	rate   float64 // α
	clip   float64 // 0: not clipped
}

// New returns a Descent of params, with the rate α and the largest norm of g, 0 for any.
func New(params ops.List, rate, clip float64) *Descent { return &Descent{params, rate, clip} }

// Rate sets α.
func (d *Descent) Rate(rate float64) { d.rate = rate }

// Drop does nothing: the parameters belong to the model.
func (*Descent) Drop() {}

// Step makes a step and clears the gradients.
func (d *Descent) Step() (norm float64, err error) {
	g, err := ops.ListLike(d.params, false)
	if err != nil {
		return 0, err
	}
	defer g.Drop()
	if err = g.AddGradients(0, d.params, 1); err == nil {
		norm, err = g.Norm()
	}
	if err != nil {
		return 0, err
	}
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return norm, fmt.Errorf("norm of the gradients is %v: %w", norm, ops.ErrNotFinite)
	}
	rate := d.rate
	if d.clip > 0 && norm > d.clip {
		rate *= d.clip / norm
	}
	if err := d.params.Add(1, g, -rate); err != nil {
		return norm, err
	}
	return norm, ops.ForgetGradients(d.params)
}

// Keep returns a function that adds a list to the scope and returns it.
func Keep(s *ops.Scope) func(ops.List, error) ops.List {
	return func(l ops.List, err error) ops.List {
		s.Check(err)
		s.Own(l.Drop)
		return l
	}
}

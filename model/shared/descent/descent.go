package descent

import (
	"fmt"
	"math"

	"pacia/ops"
)

// Descent is φ ← φ − α·g, of gradients g that are clipped.
type Descent struct {
	params ops.List
	rate   float64 // α
	clip   float64 // 0: not clipped
}

// New is that of params, with the rate α and the largest norm of g; 0: any norm.
func New(params ops.List, rate, clip float64) *Descent { return &Descent{params, rate, clip} }

// Rate sets α.
func (d *Descent) Rate(rate float64) { d.rate = rate }

// Drop has nothing to release: the parameters are the model's.
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

// Keep hands a list to the scope on its way through.
func Keep(s *ops.Scope) func(ops.List, error) ops.List {
	return func(l ops.List, err error) ops.List {
		s.Check(err)
		s.Own(l.Drop)
		return l
	}
}

package inner

import (
	"fmt"
	"math"

	"pacia/ops"
)

// descent is the optimiser φ ← φ − α·g, with clipped gradients g. It has no moments, so that a step depends on the
// parameters and their gradients alone.
type descent struct {
	params ops.List
	rate   float64 // α
	clip   float64 // 0: not clipped
}

// Rate sets α.
func (d *descent) Rate(rate float64) { d.rate = rate }

// Drop does nothing: the parameters belong to the model.
func (*descent) Drop() {}

// Step makes a step and clears the gradients.
func (d *descent) Step() (norm float64, err error) {
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

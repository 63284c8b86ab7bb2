package ops

// #include "adam/adam.h"
import "C"

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/sugarme/gotch/ts"
)

// AdamOptions are the options of Adam (Kingma and Ba 2015) or, with Decoupled,
// AdamW (Loshchilov and Hutter 2019).
type AdamOptions struct {
	LR                float64
	Beta1, Beta2, Eps float64 // 0: those of Adam's authors, 0.9, 0.999 and 1e-8
	WeightDecay       float64
	Decoupled         bool    // AdamW: the decay does not pass through the moments
	ClipNorm          float64 // of all gradients together; 0 does not clip
	Schedule          Schedule
}

// Schedule defines how the learning rate changes from step to step. It rises linearly from
// 0 over the first Warm steps, and falls to the share Least over Steps steps, as half a
// cosine (Loshchilov and Hutter 2017, without restarts). 0 steps: no such change.
type Schedule struct {
	Warm, Steps int
	Least       float64
}

// Share returns the factor of the learning rate at a step, counted from 1.
func (s Schedule) Share(step int) float64 {
	t, share := float64(step), 1.
	if s.Steps > 0 {
		done := min(1, (t-1)/float64(s.Steps))
		share = s.Least + (1-s.Least)*(1+math.Cos(math.Pi*done))/2
	}
	if step < s.Warm {
		share *= t / float64(s.Warm)
	}
	return share
}

// Adam owns the moments of a list of parameters.
type Adam struct {
	options AdamOptions
	params  []*ts.Tensor
	m, v    []*ts.Tensor
	made    []*ts.Tensor // steps made for each row; nil for parameters without deferred rows
	had     []bool       // whether a parameter ever had a gradient, on the CPU
	steps   int64
	shares  []share     // of the learning rate, for some parameters
	device  *deviceAdam // if kernels make the steps
}

func (o AdamOptions) c() C.pacia_adam_options {
	return C.pacia_adam_options{
		lr: C.double(o.LR), beta1: C.double(o.Beta1), beta2: C.double(o.Beta2),
		eps: C.double(o.Eps), weight_decay: C.double(o.WeightDecay),
		clip_norm: C.double(o.ClipNorm), decoupled: C.bool(o.Decoupled),
		warm: C.double(o.Schedule.Warm), steps: C.double(o.Schedule.Steps), least: C.double(o.Schedule.Least),
	}
}

// NewAdam starts with moments of zero, of the type and on the device of the
// parameters.
func NewAdam(params []*ts.Tensor, o AdamOptions) (*Adam, error) {
	naming.Lock()
	defer naming.Unlock()
	o.Beta1, o.Beta2, o.Eps = cmp.Or(o.Beta1, 0.9), cmp.Or(o.Beta2, 0.999), cmp.Or(o.Eps, 1e-8)
	a := &Adam{options: o, params: params, made: make([]*ts.Tensor, len(params)), had: make([]bool, len(params))}
	for range 2 {
		for _, p := range params {
			z, err := p.Detach(false)
			if err == nil {
				var zero *ts.Tensor
				zero, err = z.ZerosLike(false)
				z.MustDrop()
				a.v = append(a.v, zero)
			}
			if err != nil {
				a.Drop()
				return nil, fmt.Errorf("adam: %w", ofGotch(err))
			}
		}
		if a.m == nil {
			a.m, a.v = a.v, nil
		}
	}
	return a, nil
}

// Step clips the gradients, updates the parameters and clears the gradients.
// It returns the norm before clipping. If the norm is not finite, it changes
// nothing and returns ErrNotFinite.
func (a *Adam) Step() (norm float64, err error) {
	if len(a.shares) == 0 {
		return a.step()
	}
	return a.sharing()
}

func (a *Adam) step() (norm float64, err error) {
	if len(a.params) > 0 && bool(C.pacia_by_kernels(C.pacia_tensor(a.params[0].Ctensor()))) {
		return a.deviceStep()
	}
	o := a.options.c()
	o.step = C.int64_t(a.steps + 1)
	p, m, v, made := pointers(a.params), pointers(a.m), pointers(a.v), pointers(a.made)
	var n C.double
	if err := failure(C.pacia_adam(unsafe.SliceData(p), unsafe.SliceData(m), unsafe.SliceData(v), unsafe.SliceData(made), (*C.bool)(unsafe.SliceData(a.had)), C.int64_t(len(p)), &o, &n)); err != nil {
		return 0, fmt.Errorf("adam: %w", err)
	}
	norm = float64(n)
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return norm, fmt.Errorf("norm of the gradients is %v: %w", norm, ErrNotFinite)
	}
	a.steps++
	return norm, nil
}

// State returns the first and second moments, in the order of the parameters.
// They belong to Adam; Write changes them.
func (a *Adam) State() (m, v []*ts.Tensor) { return a.m, a.v }

// Steps returns the number of steps made, on which the bias correction depends.
func (a *Adam) Steps() int64 { return a.steps }

// SetSteps continues after n earlier steps, with no deferred updates. A parameter with a second moment had
// gradients, and moves on with its momentum where a step has none.
func (a *Adam) SetSteps(n int64) error {
	a.steps = n
	if a.device != nil {
		a.device.drop()
		a.device = nil
	}
	for i, made := range a.made {
		var err error
		if made != nil {
			err = Write(made, slices.Repeat([]int64{n}, int(made.MustSize()[0])))
		} else {
			var moment float64
			moment, err = List{a.v[i]}.Norm()
			a.had[i] = moment > 0
		}
		if err != nil {
			return fmt.Errorf("adam: %w", err)
		}
	}
	return nil
}

// Drop releases the moments.
func (a *Adam) Drop() {
	Drop(a.m...)
	Drop(a.v...)
	Drop(a.made...)
	for _, s := range a.shares {
		s.before.Drop()
	}
	a.m, a.v, a.made, a.shares = nil, nil, nil, nil
	if a.device != nil {
		a.device.drop()
		a.device = nil
	}
}

package ops

// #include "adam/adam.h"
import "C"

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/sugarme/gotch/ts"
)

// LazyRows defers the updates of rows of a parameter [R, d] that a step does not need.
// These only have decay and momentum, which can be applied later. For example, a step
// needs a hundred of the classifiers of 5,709 tasks. Code that computes with rows must
// call Current first and provide a sparse gradient. Code that reads all rows must call
// Flush. Results are equal bit for bit to those without LazyRows, except for the norm of
// clipped gradients, which is summed in another order. On the CPU only.
func (a *Adam) LazyRows(param *ts.Tensor) error {
	i, err := a.place(param)
	if err != nil || a.made[i] != nil {
		return err
	}
	a.made[i], err = Vector(slices.Repeat([]int64{a.steps}, int(param.MustSize()[0])), CPU)
	return err
}

// Current applies the deferred updates of these rows of a parameter.
func (a *Adam) Current(param *ts.Tensor, rows []int32) error {
	i, err := a.place(param)
	if err != nil || a.made[i] == nil {
		return err
	}
	each := make([]int64, len(rows))
	for k, r := range rows {
		each[k] = int64(r)
	}
	slices.Sort(each)
	return a.catchUp(i, slices.Compact(each))
}

// Flush applies all deferred updates.
func (a *Adam) Flush() error {
	for i, made := range a.made {
		if made != nil {
			if err := a.catchUp(i, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// catchUp applies the deferred updates of these rows of a parameter, or of all rows if rows is nil.
func (a *Adam) catchUp(i int, rows []int64) error {
	o := a.options.c()
	o.step = C.int64_t(a.steps)
	if rows != nil && len(rows) == 0 {
		return nil
	}
	tensor := func(t *ts.Tensor) C.pacia_tensor { return C.pacia_tensor(t.Ctensor()) }
	return failing("adam", C.pacia_adam_catch_up(tensor(a.params[i]), tensor(a.m[i]), tensor(a.v[i]), tensor(a.made[i]),
		(*C.int64_t)(unsafe.SliceData(rows)), C.int64_t(len(rows)), &o))
}

func (a *Adam) place(param *ts.Tensor) (int, error) {
	i := slices.Index(a.params, param)
	if i < 0 {
		return 0, fmt.Errorf("adam: a tensor of shape %v is not a parameter", param.MustSize())
	}
	return i, nil
}

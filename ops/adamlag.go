package ops

// #include "adam/adam.h"
import "C"

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/sugarme/gotch/ts"
)

// LazyRows defers the updates of those rows of a parameter [R, d] that a step does not need.
// They receive only decay and momentum, which can be applied later: of the classifiers
// of 5,709 tasks a step needs a hundred. A caller that computes with rows calls Current
// first and gives a sparse gradient; a caller that reads all of them calls Flush. The
// numbers are to the bit those of a parameter that does not lag, except for the norm of
// gradients that are clipped, which is summed in another order. On the CPU only.
func (a *Adam) LazyRows(param *ts.Tensor) error {
	i, err := a.place(param)
	if err != nil || a.made[i] != nil {
		return err
	}
	a.made[i], err = Vector(slices.Repeat([]int64{a.steps}, int(param.MustSize()[0])), CPU)
	return err
}

// Current makes the updates that these rows of a lagging parameter lack.
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

// Flush makes all updates that rows lack.
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

// catchUp makes them for these rows of a parameter; for all where rows is nil.
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
		return 0, fmt.Errorf("adam: a tensor of shape %v is none of the parameters", param.MustSize())
	}
	return i, nil
}

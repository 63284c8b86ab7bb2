package ops

// #include "tensors/tensors.h"
import "C"

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"github.com/sugarme/gotch/ts"
)

// WithoutGrad runs f without recording for a backward pass. The setting belongs to
// the OS thread, to which f stays locked. A goroutine that moved to another thread would
// leave this thread in a state without recording.
func WithoutGrad(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := C.pacia_grad_enabled()
	C.pacia_set_grad_enabled(false)
	defer C.pacia_set_grad_enabled(before)
	return f()
}

// Backward adds the gradients of loss, a single number, to the parameters
// that it depends on.
func Backward(loss *ts.Tensor) error {
	return failing("backward", C.pacia_backward(C.pacia_tensor(loss.Ctensor())))
}

// Gradient returns a copy of the gradient of a parameter, or nil if nothing
// depended on it.
func Gradient(t *ts.Tensor) ([]float64, error) {
	n, err := elements(t)
	if err != nil {
		return nil, err
	}
	values := make([]float64, n)
	var defined C.bool
	if err := failure(C.pacia_read_grad(C.pacia_tensor(t.Ctensor()), (*C.double)(unsafe.Pointer(unsafe.SliceData(values))), C.int64_t(n), &defined)); err != nil {
		return nil, fmt.Errorf("read gradient: %w", err)
	}
	if !defined {
		return nil, nil
	}
	return values, nil
}

// Number returns the value of a tensor with one element. If the value is not finite,
// it also returns ErrNotFinite.
func Number(t *ts.Tensor) (float64, error) {
	v, err := ReadAs[float64](t)
	if err != nil {
		return 0, err
	}
	if len(v) != 1 {
		return 0, fmt.Errorf("a tensor of %d elements is not one number", len(v))
	}
	if math.IsNaN(v[0]) || math.IsInf(v[0], 0) {
		return v[0], fmt.Errorf("%v: %w", v[0], ErrNotFinite)
	}
	return v[0], nil
}

// ForgetGradients removes the gradients of parameters. These then have no gradient,
// not a zero one.
func ForgetGradients(params []*ts.Tensor) error {
	p := pointers(params)
	return failing("gradients", C.pacia_forget_grads(unsafe.SliceData(p), C.int64_t(len(p))))
}

// ReLU returns max(x, 0).
func ReLU(x *ts.Tensor) (*ts.Tensor, error) {
	return call("relu", func() (*ts.Tensor, error) { return x.Relu(false) })
}

// Total returns the sum of tensors of one shape, such as the losses of several networks.
func Total(all ...*ts.Tensor) (*ts.Tensor, error) {
	return call("total", func() (*ts.Tensor, error) {
		sum, err := all[0].ShallowClone()
		for _, t := range all[1:] {
			if err == nil {
				sum, err = sum.Add(t, true)
			}
		}
		return sum, err
	})
}

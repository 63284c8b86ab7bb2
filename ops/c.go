package ops

// #cgo CXXFLAGS: -O3 -fopenmp -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas
// #cgo LDFLAGS: -l:libgomp.a
// #include <stdlib.h>
// #include "ops.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/sugarme/gotch/ts"

	_ "pacia/ops/product" // linked, and compiled before: see its Headers
)

// ErrNotFinite says that a loss or a gradient is infinite or not a number.
var ErrNotFinite = errors.New("not a finite number")

// op is one operation of the C++ layer.
type op struct {
	code C.pacia_op
	name string
}

// args are the inputs of an operation; nil among the tensors means none.
type args struct {
	in    []*ts.Tensor
	ints  []int64
	reals []float64
	key   uint64 // address on the device, or 0; see Mode.key
}

// run calls an operation and returns its outputs, nil where it gave none.
// The caller drops them.
func (o op) run(a args, outputs int) ([]*ts.Tensor, error) {
	in := pointers(a.in)
	out := make([]C.pacia_tensor, outputs)
	var pin runtime.Pinner
	defer pin.Unpin()
	c := C.pacia_args{
		in: first(&pin, in), n_in: C.int64_t(len(in)),
		ints: (*C.int64_t)(first(&pin, a.ints)), n_ints: C.int64_t(len(a.ints)),
		reals: (*C.double)(first(&pin, a.reals)), n_reals: C.int64_t(len(a.reals)),
		out: first(&pin, out), n_out: C.int64_t(outputs), key: C.uint64_t(a.key),
	}
	err := failure(C.pacia_run(o.code, &c))
	runtime.KeepAlive(a.in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	tensors := make([]*ts.Tensor, outputs)
	for i, t := range out {
		if t != nil {
			tensors[i] = wrap(t)
		}
	}
	return tensors, nil
}

// one calls an operation that has a single output.
func (o op) one(a args) (*ts.Tensor, error) {
	out, err := o.run(a, 1)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// first pins a slice and returns its first element's address, nil if empty.
func first[T any](pin *runtime.Pinner, s []T) *T {
	if len(s) == 0 {
		return nil
	}
	pin.Pin(&s[0])
	return &s[0]
}

func pointers(tensors []*ts.Tensor) []C.pacia_tensor {
	p := make([]C.pacia_tensor, len(tensors))
	for i, t := range tensors {
		if t != nil {
			p[i] = C.pacia_tensor(t.Ctensor())
		}
	}
	return p
}

// failure turns a message of the C++ layer into an error.
func failure(message *C.char) error {
	if message == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(message))
	return classified(errors.New(C.GoString(message)))
}

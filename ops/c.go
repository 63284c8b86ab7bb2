package ops

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/include
// #cgo CFLAGS: -I${SRCDIR} -I${SRCDIR}/include
// #include <stdlib.h>
// #include "core/op.h"
import "C"

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"github.com/sugarme/gotch/ts"

	"pacia/cuda"

	// The C++ of the families, which register their operations in the table.
	_ "pacia/ops/adam"
	_ "pacia/ops/adapter"
	_ "pacia/ops/core"
	_ "pacia/ops/edges"
	_ "pacia/ops/encoder"
	_ "pacia/ops/fingerprint"
	_ "pacia/ops/gaussian"
	_ "pacia/ops/gnnfilm"
	_ "pacia/ops/gsmeta"
	_ "pacia/ops/head"
	_ "pacia/ops/layers"
	_ "pacia/ops/lists"
	_ "pacia/ops/mat"
	_ "pacia/ops/match"
	_ "pacia/ops/metric"
	_ "pacia/ops/mhnfs"
	_ "pacia/ops/minimol"
	_ "pacia/ops/par"
	_ "pacia/ops/pna"
	_ "pacia/ops/product"
	_ "pacia/ops/readout"
	_ "pacia/ops/relation"
	_ "pacia/ops/tensors"
)

// ErrNotFinite means that a loss or a gradient is infinite or not a number.
var ErrNotFinite = errors.New("not a finite number")

// op is one row of the table of operations.
type op struct {
	row  *C.pacia_op
	name string
}

func operations() (all []op) {
	for i := C.int(0); ; i++ {
		row := C.pacia_op_at(i)
		if row == nil {
			return all
		}
		all = append(all, op{row, C.GoString(C.pacia_op_name(row))})
	}
}

func (o op) has(p path) bool { return bool(C.pacia_has(o.row, C.pacia_path(p))) }

// named returns the operation of a name, which must be in the table.
func named(name string) op {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	row := C.pacia_find(c)
	if row == nil {
		panic("no operation " + name)
	}
	return op{row, name}
}

// path selects the form of an operation to run. An operation without a form of its own on a path
// runs its plain one.
type path int

const (
	fastest = path(C.PACIA_FASTEST) // kernels on a GPU, loops on the CPU
	plain   = path(C.PACIA_PLAIN)
	loops   = path(C.PACIA_LOOPS)
	kernels = path(C.PACIA_KERNELS)
)

// requested is the path of all operations: that of PACIA_FORM, for measurements of one form against another.
// Tests change it.
var requested = pathNamed(os.Getenv("PACIA_FORM"))

// pathNamed returns the path of a name; "" is the fastest.
func pathNamed(name string) path {
	p, known := map[string]path{"": fastest, "plain": plain, "loops": loops, "kernels": kernels}[name]
	if !known {
		panic("PACIA_FORM=" + name + ": write plain, loops or kernels")
	}
	return p
}

// args are the inputs of an operation. A nil tensor is a missing input.
type args struct {
	in    []*ts.Tensor
	ints  []int64
	reals []float64
	mode  Mode // with Keys, its key is read on the device
}

// run calls an operation and returns its outputs, which the caller drops. A missing output is nil,
// and with an error all outputs are nil.
func (o op) run(a args, outputs int) ([]*ts.Tensor, error) {
	tensors := make([]*ts.Tensor, outputs)
	key, err := a.mode.key()
	if err != nil {
		return tensors, err
	}
	in := pointers(a.in)
	out := make([]C.pacia_tensor, outputs)
	var pin runtime.Pinner
	defer pin.Unpin()
	c := C.pacia_args{
		in: first(&pin, in), n_in: C.int64_t(len(in)),
		ints: (*C.int64_t)(first(&pin, a.ints)), n_ints: C.int64_t(len(a.ints)),
		reals: (*C.double)(first(&pin, a.reals)), n_reals: C.int64_t(len(a.reals)),
		out: first(&pin, out), n_out: C.int64_t(outputs), key: C.uint64_t(key),
	}
	err = failing(o.name, C.pacia_run(o.row, C.pacia_path(requested), &c))
	runtime.KeepAlive(a.in)
	for i, t := range out {
		if t != nil {
			tensors[i] = wrap(t)
		}
	}
	return tensors, err
}

// one calls an operation that has a single output.
func (o op) one(a args) (*ts.Tensor, error) {
	out, err := o.run(a, 1)
	return out[0], err
}

// two calls an operation that has two outputs.
func (o op) two(a args) (first, second *ts.Tensor, err error) {
	out, err := o.run(a, 2)
	return out[0], out[1], err
}

// three calls an operation that has three outputs.
func (o op) three(a args) (first, second, third *ts.Tensor, err error) {
	out, err := o.run(a, 3)
	return out[0], out[1], out[2], err
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

// failure converts a message of C++ to an error.
func failure(message *C.char) error {
	if message == nil {
		return nil
	}
	defer C.free(unsafe.Pointer(message))
	return cuda.Classified(errors.New(C.GoString(message)))
}

// failing is like failure, with the name of the part that failed.
func failing(what string, message *C.char) error {
	if err := failure(message); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

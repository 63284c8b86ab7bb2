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
	"sync"
	"unsafe"

	"github.com/sugarme/gotch/ts"

	"pacia/cuda"

	// The C++ of the families of shared operations, which register these in the table. A method or an encoder
	// imports the C++ of its own.
	_ "pacia/ops/adam"
	_ "pacia/ops/core"
	_ "pacia/ops/encoder"
	_ "pacia/ops/fingerprint"
	_ "pacia/ops/head"
	_ "pacia/ops/layers"
	_ "pacia/ops/lists"
	_ "pacia/ops/match"
	_ "pacia/ops/product"
	_ "pacia/ops/readout"
	_ "pacia/ops/relation"
	_ "pacia/ops/tensors"
)

// ErrNotFinite means that a loss or a gradient is infinite or not a number.
var ErrNotFinite = errors.New("not a finite number")

// Operation is one row of the table of operations: [Named] finds it.
type Operation struct {
	row  *C.pacia_op
	name string
}

func operations() (all []Operation) {
	for i := C.int(0); ; i++ {
		row := C.pacia_op_at(i)
		if row == nil {
			return all
		}
		all = append(all, Operation{row, C.GoString(C.pacia_op_name(row))})
	}
}

// LossForms lists the forms of the loss over layers, as cuda/kernels/arguments.cuh declares them.
func LossForms() []LossText { return lossForms() }

// Every training step looks up its form, so that the list is read once.
var lossForms = sync.OnceValue(func() (all []LossText) {
	for i := C.size_t(0); ; i++ {
		loss := C.pacia_layer_loss_at(i)
		if loss == nil {
			return all
		}
		all = append(all, LossText{C.GoString(loss.name), C.GoString(loss.text)})
	}
})

// Has reports whether the operation has this form, apart from the plain one.
func (o Operation) Has(p Form) bool { return bool(C.pacia_has(o.row, C.pacia_path(p))) }

// Named returns the operation of a name, which C++ that the program links must have entered in the table.
func Named(name string) Operation {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	row := C.pacia_find(c)
	if row == nil {
		panic("no operation " + name)
	}
	return Operation{row, name}
}

// Form selects how an operation runs. An operation without this form runs its plain one.
type Form int

// The forms.
const (
	Fastest = Form(C.PACIA_FASTEST) // kernels on a GPU, loops on the CPU
	Plain   = Form(C.PACIA_PLAIN)
	Loops   = Form(C.PACIA_LOOPS)
	Kernels = Form(C.PACIA_KERNELS)
)

// requested is the form of all operations: that of PACIA_FORM, for measurements of one form against another.
var requested = formNamed(os.Getenv("PACIA_FORM"))

// RequestForm makes all operations run this form, for tests. It returns the form before.
func RequestForm(f Form) (before Form) {
	before, requested = requested, f
	return before
}

// formNamed returns the form of a name; "" is the fastest.
func formNamed(name string) Form {
	p, known := map[string]Form{"": Fastest, "plain": Plain, "loops": Loops, "kernels": Kernels}[name]
	if !known {
		panic("PACIA_FORM=" + name + ": write plain, loops or kernels")
	}
	return p
}

// Args are the inputs of an operation. A nil tensor is a missing input.
type Args struct {
	In    []*ts.Tensor
	Ints  []int64
	Reals []float64
	Mode  Mode // with Keys, its key is read on the device
}

// Run calls an operation and returns its outputs, which the caller drops. A missing output is nil,
// and with an error all outputs are nil.
func (o Operation) Run(a Args, outputs int) ([]*ts.Tensor, error) {
	tensors := make([]*ts.Tensor, outputs)
	key, err := a.Mode.key()
	if err != nil {
		return tensors, err
	}
	in := pointers(a.In)
	out := make([]C.pacia_tensor, outputs)
	var pin runtime.Pinner
	defer pin.Unpin()
	c := C.pacia_args{
		in: first(&pin, in), n_in: C.int64_t(len(in)),
		ints: (*C.int64_t)(first(&pin, a.Ints)), n_ints: C.int64_t(len(a.Ints)),
		reals: (*C.double)(first(&pin, a.Reals)), n_reals: C.int64_t(len(a.Reals)),
		out: first(&pin, out), n_out: C.int64_t(outputs), key: C.uint64_t(key),
	}
	err = failing(o.name, C.pacia_run(o.row, C.pacia_path(requested), &c))
	runtime.KeepAlive(a.In)
	for i, t := range out {
		if t != nil {
			tensors[i] = wrap(t)
		}
	}
	return tensors, err
}

// One calls an operation that has a single output.
func (o Operation) One(a Args) (*ts.Tensor, error) {
	out, err := o.Run(a, 1)
	return out[0], err
}

// Two calls an operation that has two outputs.
func (o Operation) Two(a Args) (first, second *ts.Tensor, err error) {
	out, err := o.Run(a, 2)
	return out[0], out[1], err
}

// Three calls an operation that has three outputs.
func (o Operation) Three(a Args) (first, second, third *ts.Tensor, err error) {
	out, err := o.Run(a, 3)
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

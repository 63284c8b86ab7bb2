package ops

// #include "tensors/tensors.h"
import "C"

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/sugarme/gotch/ts"

	"pacia/cuda"
)

// Element lists the element types of tensors. Index tensors are int32,
// categories uint8.
type Element interface {
	uint8 | int32 | int64 | float32 | float64
}

func dtype[T Element]() C.int {
	var zero T
	switch any(zero).(type) {
	case uint8:
		return 0
	case int32:
		return 1
	case int64:
		return 2
	case float32:
		return 3
	default:
		return 4
	}
}

// Device is the device that holds tensors: CPU, or the number of a CUDA device.
type Device int

// CPU is the processor.
const CPU Device = -1

// ParseDevice reads cpu, cuda or cuda:N. It makes the kernels of a CUDA device ready
// to launch.
func ParseDevice(name string) (Device, error) {
	if name == "cpu" || name == "" {
		return CPU, nil
	}
	number := "0"
	if rest, ok := strings.CutPrefix(name, "cuda:"); ok {
		number = rest
	} else if name != "cuda" {
		return 0, fmt.Errorf("device %q is not known; write cpu, cuda or cuda:N", name)
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("device %q is not known; write cpu, cuda or cuda:N", name)
	}
	info, err := Info()
	switch {
	case err != nil:
		return 0, err
	case info.CUDA == "":
		return 0, fmt.Errorf("device %s: this program is linked for the CPU only; make build-gpu builds one for CUDA", name)
	case info.Devices == 0:
		return 0, fmt.Errorf("device %s: no CUDA device answers; pacia doctor says what is missing", name)
	case n >= info.Devices:
		return 0, fmt.Errorf("device %s: there are only %d CUDA devices, counted from 0", name, info.Devices)
	}
	if err := cuda.Open(n); err != nil {
		return 0, fmt.Errorf("device %s: %w", name, err)
	}
	return Device(n), nil
}

// New copies values of the given shape into a new tensor on a device.
func New[T Element](values []T, shape []int64, d Device) (*ts.Tensor, error) {
	return newTensor(values, shape, d, false)
}

// NewParameter is like New, for a tensor that requires a gradient.
func NewParameter[T float32 | float64](values []T, shape []int64, d Device) (*ts.Tensor, error) {
	return newTensor(values, shape, d, true)
}

func newTensor[T Element](values []T, shape []int64, d Device, grad bool) (*ts.Tensor, error) {
	n := int64(1)
	for _, s := range shape {
		n *= s
	}
	if n != int64(len(values)) {
		return nil, fmt.Errorf("new tensor: %d values do not fill shape %v", len(values), shape)
	}
	var out C.pacia_tensor
	err := failure(C.pacia_from_host(unsafe.Pointer(unsafe.SliceData(values)), (*C.int64_t)(unsafe.SliceData(shape)),
		C.int64_t(len(shape)), dtype[T](), C.int(d), C.bool(grad), &out))
	if err != nil {
		return nil, fmt.Errorf("new tensor of shape %v: %w", shape, err)
	}
	return wrap(out), nil
}

// Read copies a tensor of any device into new Go memory, row-major.
func Read(t *ts.Tensor) ([]float32, error) { return ReadAs[float32](t) }

// ReadAs is like Read, with a choice of the element type.
func ReadAs[T Element](t *ts.Tensor) ([]T, error) {
	n, err := elements(t)
	if err != nil {
		return nil, err
	}
	values := make([]T, n)
	if err := failure(C.pacia_read(C.pacia_tensor(t.Ctensor()), dtype[T](), unsafe.Pointer(unsafe.SliceData(values)), C.int64_t(n))); err != nil {
		return nil, fmt.Errorf("read tensor: %w", err)
	}
	return values, nil
}

// Write replaces a tensor's values in place, on any device.
func Write[T Element](t *ts.Tensor, values []T) error {
	return failing("write tensor", C.pacia_write(C.pacia_tensor(t.Ctensor()), dtype[T](), unsafe.Pointer(unsafe.SliceData(values)), C.int64_t(len(values))))
}

// Drop releases tensors and skips nil.
func Drop(tensors ...*ts.Tensor) {
	for _, t := range tensors {
		if t != nil {
			t.MustDrop()
		}
	}
}

// TensorsMade returns the number of gotch tensors made so far by this process.
func TensorsMade() int64 { return atomic.LoadInt64(&ts.TensorCount) }

func elements(t *ts.Tensor) (int, error) {
	shape, err := t.Size()
	if err != nil {
		return 0, err
	}
	n := 1
	for _, s := range shape {
		n *= int(s)
	}
	return n, nil
}

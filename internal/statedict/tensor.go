package statedict

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/sugarme/gotch/half"
)

// maxRank is the largest number of dimensions, more than any tensor of a network has.
const maxRank = 16

// storage is a sequence of numbers. Tensors are views of it.
type storage struct {
	kind kind
	name string // of the kind
	key  string
	n    int64 // elements
}

// storages is a function that returns the bytes of a storage.
type storages func(*storage) ([]byte, error)

// kind is a type of elements: its size in bytes, and a function that decodes an element.
type kind struct {
	size int64
	read func([]byte) float32
}

// kinds maps the names of torch's storages to types of elements.
var kinds = map[string]kind{
	"DoubleStorage":   {8, func(b []byte) float32 { return float32(math.Float64frombits(binary.LittleEndian.Uint64(b))) }},
	"FloatStorage":    {4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }},
	"HalfStorage":     {2, func(b []byte) float32 { return half.Frombits(binary.LittleEndian.Uint16(b)).Float32() }},
	"BFloat16Storage": {2, func(b []byte) float32 { return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16) }},
	"LongStorage":     {8, func(b []byte) float32 { return float32(int64(binary.LittleEndian.Uint64(b))) }},
	"IntStorage":      {4, func(b []byte) float32 { return float32(int32(binary.LittleEndian.Uint32(b))) }},
	"ShortStorage":    {2, func(b []byte) float32 { return float32(int16(binary.LittleEndian.Uint16(b))) }},
	"CharStorage":     {1, func(b []byte) float32 { return float32(int8(b[0])) }},
	"ByteStorage":     {1, func(b []byte) float32 { return float32(b[0]) }},
	"BoolStorage":     {1, func(b []byte) float32 { return float32(b[0]) }},
}

// tensor is a view of a storage: element (i, j, …) is number
// offset + i·stride₀ + j·stride₁ + ….
type tensor struct {
	storage       *storage
	offset        int64
	shape, stride []int64
}

// newTensor checks that the view is within its storage, and that it does not have more
// elements, as a view with strides of 0 can have.
func newTensor(of *storage, offset int64, shape, stride []int64) (*tensor, error) {
	wrong := fmt.Errorf("a tensor of shape %v and strides %v from element %d of a storage of %d", shape, stride, offset, of.n)
	if len(shape) != len(stride) || len(shape) > maxRank || offset < 0 || offset > of.n {
		return nil, wrong
	}
	n, last := int64(1), offset
	for i, size := range shape {
		switch {
		case size < 0 || stride[i] < 0:
			return nil, wrong
		case slices.Contains(shape, 0): // the view is empty
			n = 0
		case size > of.n || size > 1 && stride[i] > of.n:
			return nil, wrong // prevents an overflow below, since maxSize is 2³¹
		case size > 1:
			n, last = n*size, last+(size-1)*stride[i]
		}
		if n > of.n || last > of.n {
			return nil, wrong
		}
	}
	if n > 0 && last >= of.n {
		return nil, wrong
	}
	return &tensor{of, offset, shape, stride}, nil
}

func (t *tensor) elements() int64 {
	n := int64(1)
	for _, s := range t.shape {
		n *= s
	}
	return n
}

// read returns the elements, row-major.
func (t *tensor) read(from storages) ([]float32, error) {
	data, err := from(t.storage)
	if err != nil {
		return nil, err
	}
	values := make([]float32, t.elements())
	index := make([]int64, len(t.shape))
	at := t.offset
	for i := range values {
		values[i] = t.storage.kind.read(data[at*t.storage.kind.size:])
		for k := len(index) - 1; k >= 0; k-- {
			index[k]++
			at += t.stride[k]
			if index[k] < t.shape[k] {
				break
			}
			at -= index[k] * t.stride[k]
			index[k] = 0
		}
	}
	return values, nil
}

package ops

// #include "tensors/tensors.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/sugarme/gotch/ts"
)

// Slab is one block of memory on a device that is repeatedly filled on the host and
// sent as a whole; see slab.hh. It is divided into parts, and a tensor is a view of
// each.
type Slab struct {
	c     *C.pacia_slab
	size  int64
	host  []byte // filled for the next Send
	parts []*ts.Tensor
}

// alignment is the alignment of the parts of a slab in bytes, and the least distance between
// two of them. A cache line of a GPU has 128 bytes.
const alignment = 256

// Part is a part of a slab: n elements from a byte on, and the number of the tensor
// that is a view of it.
type Part[T Element] struct {
	at, n  int64
	number int
}

// Tensor returns the view of a part of s. It belongs to the slab.
func (p Part[T]) Tensor(s *Slab) *ts.Tensor { return s.parts[p.number] }

// SlabPlan lays out a slab.
type SlabPlan struct {
	size  int64
	views []func(*Slab) (*ts.Tensor, error)
}

// Plan adds a part of the given shape.
func Plan[T Element](p *SlabPlan, shape ...int64) Part[T] {
	n := int64(1)
	for _, s := range shape {
		n *= s
	}
	part := Part[T]{p.size, n, len(p.views)}
	p.views = append(p.views, func(s *Slab) (*ts.Tensor, error) {
		var out C.pacia_tensor
		if err := failure(C.pacia_slab_view(s.c, C.int64_t(part.at), dtype[T](), (*C.int64_t)(unsafe.SliceData(shape)), C.int64_t(len(shape)), &out)); err != nil {
			return nil, err
		}
		return wrap(out), nil
	})
	var zero T
	p.size += (n*int64(unsafe.Sizeof(zero))+alignment-1)/alignment*alignment + alignment
	return part
}

// NewSlab makes the slab that p lays out.
func NewSlab(p *SlabPlan, d Device) (*Slab, error) {
	s := &Slab{size: p.size}
	if err := failure(C.pacia_slab_new(C.int64_t(p.size), C.int(d), &s.c)); err != nil {
		return nil, fmt.Errorf("slab of %d bytes: %w", p.size, err)
	}
	for _, view := range p.views {
		t, err := view(s)
		if err != nil {
			s.Drop()
			return nil, fmt.Errorf("slab of %d bytes: %w", p.size, err)
		}
		s.parts = append(s.parts, t)
	}
	return s, nil
}

// Next waits until the slab can be filled again. Its content may be the last one or
// the one before.
func (s *Slab) Next() error {
	var p unsafe.Pointer
	if err := failing("slab", C.pacia_slab_next(s.c, &p)); err != nil {
		return err
	}
	s.host = unsafe.Slice((*byte)(p), s.size)
	return nil
}

// Fill returns the host memory of a part. It is valid between Next and Send.
func Fill[T Element](s *Slab, p Part[T]) []T {
	if p.n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&s.host[p.at])), p.n)
}

// Send copies all parts to the device. On a GPU it does not wait.
func (s *Slab) Send() error {
	s.host = nil
	return failing("slab", C.pacia_slab_send(s.c))
}

// Drop releases the slab.
func (s *Slab) Drop() {
	Drop(s.parts...)
	if s.c != nil {
		C.pacia_slab_free(s.c)
	}
	*s = Slab{}
}

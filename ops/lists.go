package ops

// #include "lists/lists.h"
import "C"

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/sugarme/gotch/ts"
)

// A List holds tensors with the shapes of a model's parameters, in their order, such as
// earlier values, a sum of gradients, or a direction. Operations on lists are not recorded
// for a backward pass. Two lists may differ in precision.
type List []*ts.Tensor

// ListLike returns a list of zeros with the shapes of like, in double precision if doubles is set.
func ListLike(like List, doubles bool) (List, error) {
	p, out := pointers(like), make([]C.pacia_tensor, len(like))
	err := failure(C.pacia_list_new(unsafe.SliceData(p), C.int64_t(len(p)), C.bool(doubles), unsafe.SliceData(out)))
	l := make(List, 0, len(out))
	for _, t := range out {
		if t != nil { // after an error there are the tensors made before
			l = append(l, wrap(t))
		}
	}
	if err != nil {
		l.Drop()
		return nil, fmt.Errorf("list of %d tensors: %w", len(like), err)
	}
	return l, nil
}

// Copy sets l to the values of another list.
func (l List) Copy(from List) error { return l.combine(0, from, 1, false) }

// Add sets l to a·l + b·from.
func (l List) Add(a float64, from List, b float64) error { return l.combine(a, from, b, false) }

// AddGradients sets l to a·l + b·g, with the gradients g of params, 0 for a parameter without
// a gradient.
func (l List) AddGradients(a float64, params List, b float64) error {
	return l.combine(a, params, b, true)
}

func (l List) combine(a float64, from List, b float64, gradients bool) error {
	if len(l) != len(from) {
		return fmt.Errorf("lists of %d and %d tensors", len(l), len(from))
	}
	p, q := pointers(l), pointers(from)
	if err := failure(C.pacia_list_add(unsafe.SliceData(p), C.double(a), unsafe.SliceData(q), C.double(b), C.int64_t(len(p)), C.bool(gradients))); err != nil {
		return fmt.Errorf("list of %d tensors: %w", len(l), err)
	}
	return nil
}

// SetGradients sets the gradients of params to a copy of from.
func SetGradients(params, from List) error {
	if len(params) != len(from) {
		return fmt.Errorf("gradients: lists of %d and %d tensors", len(params), len(from))
	}
	p, q := pointers(params), pointers(from)
	return failing("gradients", C.pacia_list_set_gradients(unsafe.SliceData(p), unsafe.SliceData(q), C.int64_t(len(p))))
}

// Norm returns the norm of all numbers together.
func (l List) Norm() (float64, error) {
	p := pointers(l)
	var n C.double
	err := failing("norm", C.pacia_list_norm(unsafe.SliceData(p), C.int64_t(len(p)), &n))
	return float64(n), err
}

// Clone returns a new list with the values of l.
func (l List) Clone() (List, error) {
	c, err := ListLike(l, false)
	if err == nil {
		err = c.Copy(l)
	}
	if err != nil {
		c.Drop()
		return nil, err
	}
	return c, nil
}

// Drop releases the tensors.
func (l List) Drop() { Drop(slices.Clone(l)...) }

package ops

// #include "core/op.h"
import "C"

import (
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/sugarme/gotch/libtch"
	"github.com/sugarme/gotch/ts"
)

// fields has the fields of ts.Tensor. The first is a block of 100 kB, with which gotch makes Go
// collect forgotten tensors early. This package forgets no tensor, and does not allocate the
// block, because clearing it would take as long as a small operation.
type fields struct {
	_       *[1e5]byte
	name    string
	ctensor libtch.Ctensor
	_       string
}

// listing guards ts.ExistingTensors.
//
//go:linkname listing github.com/sugarme/gotch/ts.lock
var listing sync.Mutex

// known is true if ts.Tensor has these fields.
var known = sameFields(reflect.TypeFor[ts.Tensor](), reflect.TypeFor[fields]())

// sameFields reports whether the fields of a and b have the same offsets, kinds and names. A field _ of b may have any name.
func sameFields(a, b reflect.Type) bool {
	if a.Size() != b.Size() || a.NumField() != b.NumField() {
		return false
	}
	for i := range a.NumField() {
		f, g := a.Field(i), b.Field(i)
		if f.Offset != g.Offset || f.Type.Kind() != g.Type.Kind() || f.Name != g.Name && g.Name != "_" {
			return false
		}
	}
	return true
}

// wrap returns a tensor of the C++ layer as one of gotch's, which owns it.
func wrap(t C.pacia_tensor) *ts.Tensor {
	name := "pacia_" + strconv.FormatInt(names.Add(1), 10)
	if !known {
		return ts.New(libtch.Ctensor(t), name)
	}
	x := new(ts.Tensor)
	f := (*fields)(unsafe.Pointer(x))
	f.name, f.ctensor = name, libtch.Ctensor(t)
	atomic.AddInt64(&ts.TensorCount, 1)
	listing.Lock()
	ts.ExistingTensors[name] = struct{}{}
	listing.Unlock()
	runtime.SetFinalizer(x, func(x *ts.Tensor) { _ = x.Drop() })
	return x
}

// Package atencalls records, for tests, what libtorch is asked for while a function runs:
// which operators of ATen are called, on any thread, and what memory the calling thread is given.
// A step that a CUDA graph captures may read nothing on the host, draw from no generator
// and leave nothing behind, which can be seen without a GPU.
package atencalls

// #cgo CXXFLAGS: -Wall -Wextra -Wno-unused-parameter
// #include <stdlib.h>
// #include "record.h"
import "C"

import (
	"runtime"
	"strings"
	"unsafe"
)

// Calls is what was asked for.
type Calls struct {
	Operators map[string]int // by name, such as aten::mm, how often; operators inside of others too
	Kept      int64          // bytes allocated, less those freed that this or an earlier record saw allocated
}

// Record calls f on this OS thread and returns what was asked for meanwhile. Only one call
// may be under way.
func Record(f func()) Calls {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.pacia_record_begin()
	f()
	var kept C.int64_t
	names := C.pacia_record_end(&kept)
	defer C.free(unsafe.Pointer(names))
	calls := Calls{Operators: map[string]int{}, Kept: int64(kept)}
	for _, name := range strings.Fields(C.GoString(names)) {
		calls.Operators[name]++
	}
	return calls
}

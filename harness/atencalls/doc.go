// Package atencalls records, for tests, the operators of ATen that are called on any thread while a
// function runs, and the memory that the calling thread allocates. A step that is captured as a CUDA
// graph must not read values on the host, use a random generator or keep memory. This can be tested
// without a GPU.
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

// Calls is the result of a record.
type Calls struct {
	Operators map[string]int // numbers of calls by name, such as aten::mm, including nested calls
	Kept      int64          // bytes allocated minus bytes freed, of memory that this or an earlier record saw allocated
}

// Record calls f on this OS thread and returns the recorded calls. It must not be called
// concurrently.
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

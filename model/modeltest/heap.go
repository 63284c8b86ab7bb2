package modeltest

import (
	"os"
	"runtime"
	"runtime/debug"
)

// init lets Go collect its garbage less often. gotch gives each tensor 100 kB of Go's
// heap, so that a process with little else would collect after every forty tensors, and
// sample a fifth of them for a profile of the memory: a quarter of the time of a test with
// a small model. GOGC and -test.memprofilerate have their say.
func init() { LazyHeap() }

// LazyHeap does so for a package whose tests need nothing else from here.
func LazyHeap() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	runtime.MemProfileRate = 0
}

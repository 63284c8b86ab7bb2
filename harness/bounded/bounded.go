// Package bounded measures the time and memory that a reader uses for one input, for fuzz
// tests: a malicious input must not use more than its size justifies.
package bounded

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Limits of one input.
const (
	MaxTime   = time.Second // processor time
	MaxMemory = 256 << 20   // bytes allocated in total
)

// variable makes Do also check the time. It is not set in ordinary tests, since the machine
// may be busy.
const variable = "PACIA_FUZZ"

var allocated = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}

// Do calls read, and fails the test if it exceeds the limits.
func Do(t *testing.T, read func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	metrics.Read(allocated)
	before, begun := allocated[0].Value.Uint64(), processor()
	read()
	took := processor() - begun
	metrics.Read(allocated)
	if n := allocated[0].Value.Uint64() - before; n > MaxMemory {
		t.Errorf("%d bytes were allocated for one input, more than %d", n, MaxMemory)
		debug.FreeOSMemory()
	}
	if os.Getenv(variable) != "" && took > MaxTime {
		t.Errorf("one input took %v of the processor, more than %v", took, MaxTime)
	}
}

// processor returns the processor time of this thread.
func processor() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_THREAD, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
